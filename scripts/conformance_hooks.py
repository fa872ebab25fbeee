"""How Schemathesis writes bodies of JSON lines: a text as it is, anything else as one line."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def json_lines(_context, value):
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")


@schemathesis.hook
def filter_case(_context, case):
    """Lines are texts, whatever is in them: no other value breaks their schema."""
    return case.media_type != "application/x-ndjson" or isinstance(case.body, str)


@schemathesis.hook
def before_call(_context, case, _kwargs):
    """A value that an earlier response contained may have characters that no header can have."""
    for name, value in (case.headers or {}).items():
        if isinstance(value, str):
            case.headers[name] = value.encode("latin-1", "ignore").decode("latin-1")
