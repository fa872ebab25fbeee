"""Converts Python, NumPy and pandas values to JSON."""

from __future__ import annotations

import math
from datetime import date
from typing import Any, Mapping


def plain(value: Any, path: str) -> Any:
    """The value as JSON; NaN becomes null, a missing value. Errors name `path` as the value's place."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, Mapping):
        return {_key(key, path): plain(member, f"{path}.{key}") for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, f"{path}.{at}") for at, item in enumerate(value)]
    # NumPy, pandas and PyTorch: a number, or a list.
    if hasattr(value, "tolist"):
        return plain(value.tolist(), path)
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        if math.isinf(value):
            raise ValueError(f"{path} is infinite, which JSON cannot represent")
        return None if math.isnan(value) else value
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{path} must be JSON, not {type(value).__name__}")


def _key(key: Any, path: str) -> str:
    if isinstance(key, str):
        return key
    raise TypeError(f"{path} has a key {key!r}; keys must be text")
