"""The examiner of an assertions task: runs the test text apart from the solution, and reports what of it holds."""
