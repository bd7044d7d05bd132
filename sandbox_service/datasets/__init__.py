"""Datasets as their makers publish them -> submissions. Needs the contract alone."""

from sandbox_service.datasets.pass_at_k import pass_at_k
from sandbox_service.datasets.problem import FormatError, Problem
from sandbox_service.datasets.read import DATASETS, problems, rows, samples

__all__ = ["DATASETS", "FormatError", "Problem", "pass_at_k", "problems", "rows", "samples"]
