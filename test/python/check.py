"""Runs the example in assay-client's README against a server, and error cases; prints one JSON object."""

import json
import re
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import numpy as np
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


# Values of other libraries, logged from several threads; then a server that is unreachable, and one that is busy at
# first.
odd = Assay().project("me/odd").log("odd")
with ThreadPoolExecutor() as pool:
    list(
        pool.map(
            lambda i: odd.trial({"q": np.int64(i)}, np.array([i]), {"ok": np.True_, "loss": np.nan, "n": np.float32(i)}),
            range(1200),
        )
    )
refused = [
    failure(lambda: odd.trial({"q": 1}, None, {"deep": {"odd": {1, 2}}})),
    failure(lambda: odd.trial({"q": 1}, None, {"loss": float("inf")})),
]


class Busy(BaseHTTPRequestHandler):
    """Refuses the first request, and forwards later ones."""

    refusals = 0

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if Busy.refusals == 0:
            Busy.refusals = 1
            self.send_response(429)
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        answer = json.dumps(Assay().request(self.path[len("/v2/") :], body, kind="application/x-ndjson")).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


class Elsewhere(BaseHTTPRequestHandler):
    """Redirects to itself under another name, as another host would be addressed, and keeps the paths it is asked for."""

    paths = []

    def do_GET(self):
        Elsewhere.paths.append(self.path)
        self.send_response(307)
        self.send_header("Location", f"http://localhost:{self.server.server_port}/elsewhere")
        self.end_headers()

    def log_message(self, *_):
        pass


elsewhere = HTTPServer(("127.0.0.1", 0), Elsewhere)
Thread(target=elsewhere.serve_forever, daemon=True).start()
redirected = failure(Assay(f"http://127.0.0.1:{elsewhere.server_port}", api_key="secret").projects)

busy = HTTPServer(("127.0.0.1", 0), Busy)
Thread(target=busy.serve_forever, daemon=True).start()
there = odd._assay.url
odd._assay.url = "http://127.0.0.1:9"
refused.append(failure(odd.end))
odd._assay.url = f"http://127.0.0.1:{busy.server_port}"
odd.end()
odd._assay.url = there
[kept] = Assay().project("me/odd").query(summary=True)["summary"]["evaluations"]

digest = project.query(["gpt-a"], where=field("inputs.question") == "1+1?")["rows"][0]["row_digest"]
print(
    json.dumps(
        {
            "odd": {"trials": kept["trial_count"], "refusals": Busy.refusals, "refused": refused},
            "redirected": [redirected, Elsewhere.paths],
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
                failure(lambda: project.query(sort="scores.correct")),
                failure(lambda: project.query(where="scores.correct")),
                failure(lambda: field("a") == 1 and field("b") == 2),
                failure(lambda: Assay().project("me")),
                failure(lambda: Assay("http://127.0.0.1:9").projects()),
                failure(lambda: Assay().project("me/none").query()),
            ],
        }
    )
)
