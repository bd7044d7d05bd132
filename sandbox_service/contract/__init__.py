"""The words everyone shares: submissions, tasks, limits, verdicts, results, problems.

Imports nothing else of this package, so that the SDK can use it with httpx and pydantic alone.
"""
