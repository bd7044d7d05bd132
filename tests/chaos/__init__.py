"""Kills parts of a running service by a seeded plan, and checks that nobody notices but by waiting longer.

`python -m tests.chaos --seed 1 --kills 200 --submissions 5000` prints a report and fails if anything is wrong.
"""
