"""An evaluation that is being logged."""

from __future__ import annotations

import json
import uuid
from datetime import datetime, timedelta, timezone
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Type

from .client import AssayError, path_of

if TYPE_CHECKING:
    from .client import Assay

# Trials that are sent together.
_TOGETHER = 500


class EvaluationLog:
    """Trials of one evaluation. As a context it ends the evaluation where the block ends without an error."""

    def __init__(self, assay: "Assay", project: str, name: str, model: Optional[str]) -> None:
        self.id = str(uuid.uuid4())
        self._assay = assay
        self._project = project
        self._model = model
        self._waiting: List[Dict[str, Any]] = []
        self._count = 0
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
        # It is there, as one that is running, before its first trial.
        self._send([self._root])

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
        """One answer to a row. `latency` is in seconds. A trial that ended in an error has no scores."""
        # Trials of a row are in the order of their times.
        at = _time(self._started + timedelta(microseconds=self._count))
        self._count += 1
        result: Dict[str, Any] = {"output": output, "scores": dict(scores or {})}
        if latency is not None:
            result["model_latency"] = latency
        summary = {} if tokens is None else {"usage": {self._model or "model": {"total_tokens": tokens}}}
        self._waiting.append(
            {
                "id": str(uuid.uuid4()),
                "trace_id": self.id,
                "parent_id": self.id,
                "op_name": "Evaluation.predict_and_score",
                "started_at": at,
                "ended_at": at,
                "inputs": {"example": dict(row), "model": self._model},
                "output": result,
                "exception": error,
                "summary": summary,
            }
        )
        if len(self._waiting) >= _TOGETHER:
            self.flush()

    def flush(self) -> None:
        """Sends what has not been sent yet."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._send(waiting)

    def end(self) -> str:
        """Sends the rest and ends the evaluation. Gives its id."""
        self.flush()
        self._send([{**self._root, "ended_at": _time(datetime.now(timezone.utc))}])
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

    def _send(self, calls: List[Dict[str, Any]]) -> None:
        lines = "\n".join(json.dumps(call, allow_nan=False) for call in calls)
        report = self._assay.request(
            path_of(self._project, "calls/import"), lines.encode(), kind="application/x-ndjson"
        )
        if report["bad_lines"] > 0:
            raise AssayError(422, f"a trial was refused: {report['bad'][0]['reason']}")


def _time(at: datetime) -> str:
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")
