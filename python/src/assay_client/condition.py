"""Conditions on a trial: Python expressions that become JSON of the query language."""

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
        # Python's `and`, `or` and chained comparisons would evaluate to the last condition and drop the others.
        raise TypeError("combine conditions with & | ~, and do not chain comparisons")

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
        """Whether the field equals any of the values."""
        return Condition({"$in": [{"$getField": self.path}, [_operand(value) for value in values]]})

    def contains(self, text: str, *, ignore_case: bool = False) -> Condition:
        """Whether the field's text contains `text`."""
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
        """Whether the field has a value."""
        return ~self._with("$eq", None)


def field(path: str) -> Field:
    """The field at `path`, such as `inputs.category`; write a dot within a key as `\\.`."""
    return Field(path)


def expression(where: Union[Condition, Dict[str, Json]]) -> Dict[str, Json]:
    """The JSON of a condition. Accepts JSON too, with or without an enclosing `$expr`."""
    if isinstance(where, Condition):
        return where.expr
    if not isinstance(where, dict):
        raise TypeError(f"write a condition as field('scores.correct') == False, not {where!r}")
    return dict(where.get("$expr", where))


def _operand(value: Json) -> Dict[str, Json]:
    return {"$getField": value.path} if isinstance(value, Field) else {"$literal": value}
