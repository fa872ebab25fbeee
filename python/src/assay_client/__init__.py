"""Log, query and compare evaluations on an Assay server."""

from .client import Assay, AssayError, AssayWarning
from .condition import Condition, Field, field
from .evaluation import EvaluationLog
from .project import Project

__all__ = ["Assay", "AssayError", "AssayWarning", "Condition", "EvaluationLog", "Field", "Project", "field"]
