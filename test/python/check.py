"""What the README of assay-client says, on a server, and what goes wrong; prints one JSON object."""

import json
import re
import sys
import warnings

from assay_client import Assay, AssayError, field

readme = open(sys.argv[1], encoding="utf8").read()
example = re.search(r"```python\n(.*?)```", readme, re.S).group(1)
scope: dict = {}
exec(compile(example, "README.md", "exec"), scope)

project = scope["project"]
frame = scope["frame"]


def failure(run):
    try:
        run()
    except (AssayError, LookupError, TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def warned(run):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run()
    return [f"{one.category.__name__}: {one.message}" for one in caught]


digest = project.query(["gpt-a"], where=field("inputs.question") == "1+1?")["rows"][0]["row_digest"]
print(
    json.dumps(
        {
            "projects": [one["project"] for one in Assay().projects()],
            "evaluations": [[one["name"], one["trials"], one["ended_at"] is not None] for one in project.evaluations()],
            "columns": list(frame.columns),
            "correct": {name: float(of.mean()) for name, of in frame.dropna(subset=["scores.correct"]).groupby("evaluation")["scores.correct"]},
            "rows": [row["raw_data_row"]["question"] for row in scope["answer"]["rows"]],
            "compared": scope["verdict"]["comparisons"][0]["measures"][0]["verdict"],
            "conditions": [
                project.query(["gpt-b"], where=where, summary=False)["total_rows"]
                for where in (
                    (field("scores.quality") > 0.8) | (field("row_digest") == digest),
                    ~field("outputs").isin(["2", "4"]),
                    field("scores.quality").exists() & (field("scores.quality") != 0.9),
                    field("inputs.question").contains("1+1", ignore_case=True),
                    field("outputs") >= field("outputs"),
                    {"$eq": [{"$getField": "outputs"}, {"$literal": "4"}]},
                )
            ],
            "warnings": [
                warned(lambda: project.query(["gpt-a"], where=field("scores.corect") == True)),  # noqa: E712
                warned(lambda: project.frame(["gpt-a"], where=field("scores.correct") == "yes")),
                warned(lambda: project.compare("gpt-a", "gpt-b", where=field("scores.qualty") > 1)),
                warned(lambda: project.query(["gpt-a"], where=field("scores.quality") > 2)),
            ],
            "failures": [
                failure(lambda: project.query(["gpt-c"])),
                failure(lambda: project.query(["gpt-a"], where=field("nothing") == 1)),
                failure(lambda: project.query("gpt-a")),
                failure(lambda: field("a") == 1 and field("b") == 2),
                failure(lambda: Assay().project("me")),
                failure(lambda: Assay("http://127.0.0.1:9").projects()),
                failure(lambda: Assay().project("me/none").query()),
            ],
        }
    )
)
