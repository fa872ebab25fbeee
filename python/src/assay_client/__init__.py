"""Evaluations on an Assay server: log them, ask about them, compare them."""

from .client import Assay, AssayError, AssayWarning
from .condition import Condition, Field, field
from .evaluation import EvaluationLog
from .project import Project

__all__ = ["Assay", "AssayError", "AssayWarning", "Condition", "EvaluationLog", "Field", "Project", "field"]
