"""An evaluation with a mock model, in which one sample's tests cannot be read."""

import json

import inspect_eval

log = inspect_eval.evaluate((inspect_eval.TESTS, inspect_eval.TESTS, "{}"), [*inspect_eval.ANSWERS, "```\n1\n```"])
(score,) = log.results.scores
print(json.dumps([log.status, score.metrics["mean"].value, score.scored_samples, score.unscored_samples]))
