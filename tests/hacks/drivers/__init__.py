"""The programs of the naive harnesses that share their process, or their folder, with the solution."""
