"""A project: its evaluations, and queries over them."""

from __future__ import annotations

import difflib
import json
import warnings
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional, Sequence, Union

from .client import AssayWarning, path_of
from .condition import Condition, expression
from .evaluation import EvaluationLog

if TYPE_CHECKING:
    import pandas

    from .client import Assay

Where = Union[Condition, Dict[str, Any]]

# The number of rows in a page.
_PAGE = 500

# Warnings of a comparison about the names and types in the query, not about its results.
_ABOUT_NAMES = ("unknown_field", "unmet_type")


class Project:
    """A project on a server. Methods accept names or ids of evaluations."""

    def __init__(self, assay: "Assay", name: str) -> None:
        self._assay = assay
        self.name = name

    def evaluations(self) -> List[Dict[str, Any]]:
        """The evaluations in order of their start: `id`, `name`, `model`, `rows`, `trials`, and their start and end."""
        answer = self._assay.request(path_of(self.name, "eval_results/evaluations"))
        return list(answer["evaluations"])

    def log(self, name: str, *, model: Optional[str] = None) -> EvaluationLog:
        """Starts an evaluation. Use it as a context manager, or end it with `end()`."""
        return EvaluationLog(self._assay, self.name, name, model)

    def query(
        self,
        evaluations: Sequence[str] = (),
        *,
        where: Optional[Where] = None,
        sort: Iterable[str] = (),
        limit: Optional[int] = None,
        offset: int = 0,
        summary: bool = True,
    ) -> Dict[str, Any]:
        """
        Rows side by side, and a summary of each score; of all evaluations if none is named. `sort` lists fields: append
        ` desc` to sort in descending order, prepend `Δ` to sort by the difference between evaluations.
        """
        body = {
            **self._selection(evaluations, where),
            "sort_by": [_sort_key(key) for key in _listed("sort", sort)],
            "include_summary": summary,
            "include_raw_data_rows": True,
            "resolve_row_refs": True,
            "limit": limit,
            "offset": offset,
        }
        return dict(self._ask("query", body))

    def compare(
        self,
        baseline: str,
        *candidates: str,
        measures: Sequence[str] = (),
        where: Optional[Where] = None,
        **options: Any,
    ) -> Dict[str, Any]:
        """
        Compares candidates with a baseline: intervals, tests and a verdict for each measure, such as `scores.correct`.
        Further options are those of the HTTP API: `margin`, `level`, `cluster_by`, …
        """
        selection = self._selection([baseline, *candidates], where)
        body = {"query": selection, "baseline": selection["evaluation_call_ids"][0], **options}
        if measures:
            body["measures"] = [{"field": measure} for measure in _listed("measures", measures)]
        return dict(self._ask("compare", body))

    def trials(self, evaluations: Sequence[str] = (), *, where: Optional[Where] = None) -> Iterator[Dict[str, Any]]:
        """
        One flat record for each trial of the matching rows: `evaluation`, `model`, `row_digest`, `trial`, the fields of
        the row (`inputs.…`), of the output (`outputs`) and of the scores, latency and tokens.
        """
        selection = self._selection(evaluations, where)
        known = {one["id"]: one for one in self.evaluations()}
        offset = 0
        while True:
            page = self._ask(
                "query",
                {
                    **selection,
                    "include_raw_data_rows": True,
                    "resolve_row_refs": True,
                    "limit": _PAGE,
                    "offset": offset,
                },
            )
            for row in page["rows"]:
                for of in row["evaluations"]:
                    one = known.get(of["evaluation_call_id"], {})
                    for number, trial in enumerate(of["trials"], 1):
                        yield {
                            "evaluation": one.get("name") or of["evaluation_call_id"],
                            "model": one.get("model"),
                            "row_digest": row["row_digest"],
                            "trial": number,
                            **dict(_cells(row["raw_data_row"], "inputs")),
                            **dict(_cells(trial["model_output"], "outputs")),
                            **dict(_cells(trial["scores"], "scores")),
                            "model_latency_seconds": trial["model_latency_seconds"],
                            "total_tokens": trial["total_tokens"],
                            "evaluation_call_id": of["evaluation_call_id"],
                        }
            offset += _PAGE
            if len(page["rows"]) < _PAGE:
                return

    def frame(self, evaluations: Sequence[str] = (), *, where: Optional[Where] = None) -> "pandas.DataFrame":
        """The trials as a pandas DataFrame. Needs pandas."""
        import pandas

        return pandas.DataFrame.from_records(list(self.trials(evaluations, where=where)))

    def _selection(self, evaluations: Sequence[str], where: Optional[Where]) -> Dict[str, Any]:
        body: Dict[str, Any] = {"evaluation_call_ids": self._ids(evaluations)}
        if where is not None:
            body["filters"] = [{"query": {"$expr": expression(where)}}]
        return body

    def _ids(self, names: Sequence[str]) -> List[str]:
        names = _listed("evaluations", names)
        known = self.evaluations()
        if not known:
            raise LookupError(f"no evaluations in {self.name}")
        return [_id_of(name, known, self.name) for name in names] or [one["id"] for one in known]

    def _ask(self, question: str, body: Dict[str, Any]) -> Any:
        content = json.dumps(body, allow_nan=False).encode()
        answer = self._assay.request(path_of(self.name, f"eval_results/{question}"), content)
        # Raised as warnings, because a condition on a misspelled field silently matches no rows.
        for warning in answer.get("warnings", ()):
            if isinstance(warning, str):
                warnings.warn(warning, AssayWarning, stacklevel=3)
            elif warning["code"] in _ABOUT_NAMES:
                warnings.warn(warning["text"], AssayWarning, stacklevel=3)
        return answer


def _id_of(name: str, known: Sequence[Dict[str, Any]], project: str) -> str:
    if any(one["id"] == name for one in known):
        return name
    alike = [one["id"] for one in known if one["name"] == name]
    if len(alike) == 1:
        return str(alike[0])
    if alike:
        raise LookupError(f"{name!r} is the name of {len(alike)} evaluations; use an id: {', '.join(alike)}")
    names = [one["name"] or one["id"] for one in known]
    near = difflib.get_close_matches(name, names, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else f"; it has {', '.join(names[-5:])}"
    raise LookupError(f"{project} has no evaluation {name!r}{hint}")


def _listed(what: str, texts: Iterable[str]) -> List[str]:
    """The texts as a list. Refuses a single text, which Python would iterate as characters."""
    if isinstance(texts, str):
        raise TypeError(f"{what} must be a list: [{texts!r}]")
    return list(texts)


def _sort_key(text: str) -> Dict[str, Any]:
    field, _, direction = text.strip().partition(" ")
    difference = field[:1] in ("Δ", "∆")
    if direction not in ("", "asc", "desc"):
        raise ValueError(f"{text!r} is not a sort key; write a field, then asc or desc")
    return {
        "field": field[1:] if difference else field,
        "direction": direction or ("desc" if difference else "asc"),
        "mode": "difference" if difference else "value",
    }


def _cells(value: Any, path: str) -> Iterator[Any]:
    if isinstance(value, dict):
        for key, member in value.items():
            escaped = key.replace("\\", "\\\\").replace(".", "\\.")
            yield from _cells(member, f"{path}.{escaped}")
    elif value is not None:
        yield path, value
