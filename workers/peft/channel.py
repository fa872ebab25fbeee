"""The worker's connection: it receives its task and reports progress over a pipe to its parent process, or over HTTP.

Both use the same messages: started, step, done, failed, heartbeat. This module imports only the standard library, so
that the first heartbeat does not wait for torch.
"""

import hashlib
import json
import math
import os
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

HEARTBEAT_SECONDS = 5
# How long the worker retries without a response. After that, another worker may have its job.
PATIENCE_SECONDS = 900


class Pipe:
    """A parent process: it provides the folder of the run, and reads messages from file descriptor 3."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.task = json.loads((self.folder / "task.json").read_text())
        self._lock = threading.Lock()

    def say(self, message):
        line = (json.dumps(message, allow_nan=False) + "\n").encode()
        with self._lock:
            try:
                while line:
                    line = line[os.write(3, line) :]
            except OSError:
                # The parent process is gone, so the training has no purpose.
                os._exit(1)

    def leave(self, path):
        """The description of a file for the message `done`. The parent reads the file from the folder."""
        return described(path)


class Http:
    """A server: it provides the task and the files at the address of the run, and receives messages there."""

    def __init__(self, url, folder):
        self.url = url.rstrip("/")
        self.folder = Path(folder)
        self.task = json.loads(self._ask("GET", "/task"))
        for name in ("parent", "output"):
            (self.folder / name).mkdir()
        for file in self.task["parent"]["files"]:
            self._fetch(file, self.folder / "parent" / Path(file["name"]).name)
        if self.task["spec"]["kind"] == "sft":
            self._fetch(self.task["spec"]["data"], self.folder / "data.jsonl")

    def say(self, message):
        body = {"attempt": self.task["attempt"], "messages": [message]}
        answer = json.loads(self._ask("POST", "/messages", json.dumps(body, allow_nan=False).encode()))
        if answer["stop"] and message["type"] not in ("done", "failed"):
            if message["type"] != "stopped":
                self.say({"type": "stopped"})
            os._exit(0)

    def leave(self, path):
        file = described(path)
        answer = json.loads(self._ask("POST", "/files", path))
        if answer["sha256"] != file["sha256"]:
            raise RuntimeError(f"{path.name} was damaged in transfer")
        return file

    def _fetch(self, blob, path):
        path.write_bytes(self._ask("GET", "/files/" + blob["sha256"]))
        if described(path)["sha256"] != blob["sha256"]:
            raise RuntimeError(f"{path.name} was damaged in transfer")

    def _ask(self, method, path, body=None):
        """Sends a request, with retries while the server is unavailable. Messages are idempotent."""
        pause, since = 0.5, time.monotonic()
        while True:
            try:
                data = body.read_bytes() if isinstance(body, Path) else body
                request = urllib.request.Request(self.url + path, data=data, method=method)
                request.add_header("content-type", "application/octet-stream" if path == "/files" else "application/json")
                with urllib.request.urlopen(request, timeout=60) as response:
                    return response.read()
            except urllib.error.HTTPError as error:
                if error.code in (404, 409, 410):
                    print(f"the run is over: status {error.code}", file=sys.stderr, flush=True)
                    os._exit(0)
                if error.code < 500 and error.code != 429:
                    raise
                failure = error
            except OSError as error:
                failure = error
            if time.monotonic() - since > PATIENCE_SECONDS:
                raise failure
            time.sleep(pause)
            pause = min(2 * pause, 15)


def described(path):
    """The name, digest and size of a file."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return {"name": path.name, "sha256": digest.hexdigest(), "size": path.stat().st_size}


def beat(channel):
    """Sends a heartbeat every few seconds, from a separate thread."""

    def beating():
        while True:
            channel.say({"type": "heartbeat"})
            time.sleep(HEARTBEAT_SECONDS)

    threading.Thread(target=beating, daemon=True).start()


def finite(metrics):
    """The metrics as JSON: null for NaN and infinities."""
    numbers = {name: float(value) for name, value in metrics.items()}
    return {name: value if math.isfinite(value) else None for name, value in numbers.items()}
