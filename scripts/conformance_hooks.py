"""Hooks for Schemathesis: they send strings as JSON lines unchanged, and any other value as one line."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def json_lines(_context, value):
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")


@schemathesis.hook
def filter_case(_context, case):
    """Drops cases whose JSON lines are not a string: only strings can violate their schema."""
    return case.media_type != "application/x-ndjson" or isinstance(case.body, str)


@schemathesis.hook
def before_call(_context, case, _kwargs):
    """Removes characters that headers cannot have from values that were taken from an earlier response."""
    for name, value in (case.headers or {}).items():
        if isinstance(value, str):
            case.headers[name] = value.encode("latin-1", "ignore").decode("latin-1")
