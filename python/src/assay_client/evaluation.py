"""A log of an evaluation in progress."""

from __future__ import annotations

import json
import threading
import uuid
from datetime import datetime, timedelta, timezone
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Type

from .client import AssayError, path_of
from .plain import plain

if TYPE_CHECKING:
    from .client import Assay

# The number of trials in a request.
_TOGETHER = 500


class EvaluationLog:
    """
    Logs the trials of one evaluation. Thread-safe. As a context manager, it ends the evaluation if the block ends
    without an error.
    """

    def __init__(self, assay: "Assay", project: str, name: str, model: Optional[str]) -> None:
        self.id = str(uuid.uuid4())
        self._assay = assay
        self._project = project
        self._model = model
        self._waiting: List[str] = []
        self._count = 0
        self._lock = threading.RLock()
        self._started = datetime.now(timezone.utc)
        self._root = {
            "id": self.id,
            "trace_id": self.id,
            "parent_id": None,
            "op_name": "Evaluation.evaluate",
            "display_name": name,
            "started_at": _time(self._started),
            "inputs": {"model": model},
        }
        # Registers the evaluation as running before its first trial.
        self._send([json.dumps(self._root)])

    def trial(
        self,
        row: Mapping[str, Any],
        output: Any = None,
        scores: Optional[Mapping[str, Any]] = None,
        *,
        latency: Optional[float] = None,
        tokens: Optional[int] = None,
        error: Optional[str] = None,
    ) -> None:
        """
        Logs one answer to a row. `latency` is in seconds. Give no scores for a trial that ended in an error. Values are
        JSON, or numbers and lists of NumPy, pandas and PyTorch; NaN means a missing value.
        """
        result = {"output": plain(output, "output"), "scores": plain(dict(scores or {}), "scores")}
        if latency is not None:
            result["model_latency"] = plain(latency, "latency")
        usage = {} if tokens is None else {self._model or "model": {"total_tokens": plain(tokens, "tokens")}}
        call = {
            "id": str(uuid.uuid4()),
            "trace_id": self.id,
            "parent_id": self.id,
            "op_name": "Evaluation.predict_and_score",
            "inputs": {"example": plain(dict(row), "row"), "model": self._model},
            "output": result,
            "exception": error,
            "summary": {"usage": usage} if usage else {},
        }
        with self._lock:
            # Increasing times keep the trials of a row in order.
            at = _time(self._started + timedelta(microseconds=self._count))
            self._count += 1
            self._waiting.append(json.dumps({**call, "started_at": at, "ended_at": at}))
            if len(self._waiting) >= _TOGETHER:
                self.flush()

    def flush(self) -> None:
        """Sends pending trials. If that fails, they stay pending."""
        with self._lock:
            if not self._waiting:
                return
            report = self._send(self._waiting)
            self._waiting = []
        if report["bad_lines"] > 0:
            raise AssayError(422, f"a trial was refused: {report['bad'][0]['reason']}")

    def end(self) -> str:
        """Sends pending trials, ends the evaluation, and returns its id."""
        self.flush()
        self._send([json.dumps({**self._root, "ended_at": _time(datetime.now(timezone.utc))})])
        return self.id

    def __enter__(self) -> "EvaluationLog":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if kind is None:
            self.end()
        else:
            self.flush()

    def _send(self, lines: List[str]) -> Dict[str, Any]:
        content = "\n".join(lines).encode()
        return dict(
            self._assay.request(path_of(self._project, "calls/import"), content, kind="application/x-ndjson")
        )


def _time(at: datetime) -> str:
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")
