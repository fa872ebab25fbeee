"""Conditions on a trial, as Python writes them, and as JSON of the query language."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Union

Json = Any


class Condition:
    """A condition. `&`, `|` and `~` join conditions."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, expr: Dict[str, Json]) -> None:
        self.expr = expr

    def __and__(self, other: "Condition") -> "Condition":
        return Condition({"$and": [self.expr, other.expr]})

    def __or__(self, other: "Condition") -> "Condition":
        return Condition({"$or": [self.expr, other.expr]})

    def __invert__(self) -> "Condition":
        return Condition({"$not": [self.expr]})

    def __bool__(self) -> bool:
        # Python would take the last of several, and drop the others.
        raise TypeError("conditions are joined with & | ~, and compared with numbers one at a time")

    def __repr__(self) -> str:
        return f"Condition({self.expr!r})"


class Field:
    """A field of a trial: `scores.…`, `inputs.…`, `outputs`, `output.…` or `row_digest`."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, path: str) -> None:
        self.path = path

    def _with(self, operator: str, value: Json) -> Condition:
        return Condition({operator: [{"$getField": self.path}, _operand(value)]})

    def __eq__(self, value: object) -> Condition:  # type: ignore[override]
        return self._with("$eq", value)

    def __ne__(self, value: object) -> Condition:  # type: ignore[override]
        return ~self._with("$eq", value)

    def __lt__(self, value: Json) -> Condition:
        return self._with("$lt", value)

    def __le__(self, value: Json) -> Condition:
        return self._with("$lte", value)

    def __gt__(self, value: Json) -> Condition:
        return self._with("$gt", value)

    def __ge__(self, value: Json) -> Condition:
        return self._with("$gte", value)

    def isin(self, values: Iterable[Json]) -> Condition:
        """Whether it equals any of the values."""
        return Condition({"$in": [{"$getField": self.path}, [_operand(value) for value in values]]})

    def contains(self, text: str, *, ignore_case: bool = False) -> Condition:
        """Whether its text has `text` in it."""
        return Condition(
            {
                "$contains": {
                    "input": {"$getField": self.path},
                    "substr": {"$literal": text},
                    "case_insensitive": ignore_case,
                }
            }
        )

    def exists(self) -> Condition:
        """Whether it has a value."""
        return ~self._with("$eq", None)


def field(path: str) -> Field:
    """The field at `path`, as in `inputs.category`; a dot in a key is written `\\.`."""
    return Field(path)


def expression(where: Union[Condition, Dict[str, Json]]) -> Dict[str, Json]:
    """The JSON of a condition, which may be JSON already, with `$expr` around it or without."""
    if isinstance(where, Condition):
        return where.expr
    if not isinstance(where, dict):
        raise TypeError(f"a condition is written as field('scores.correct') == False, not {where!r}")
    return dict(where.get("$expr", where))


def _operand(value: Json) -> Dict[str, Json]:
    return {"$getField": value.path} if isinstance(value, Field) else {"$literal": value}
