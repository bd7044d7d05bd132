"""An evaluation with inspect_ai whose scorer is the service; the model is a mock, so that nothing is asked of anyone.

pip install sandbox-service inspect-ai
sandbox-service up &
python inspect_eval.py
"""

import json
import tempfile

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

from sandbox_service.adapters.inspect_ai import sandbox

TESTS = json.dumps({"inputs": ["1", "3"], "outputs": ["2", "6"]})
ANSWERS = ["```python\nprint(2 * int(input()))\n```", "```python\nprint(2)\n```"]


def evaluate(tests=(TESTS, TESTS), answers=ANSWERS):
    """The log of an evaluation of one answer for each text of tests."""
    outputs = [ModelOutput.from_content("mockllm/model", answer) for answer in answers]
    for output in outputs:
        output.usage = ModelUsage()  # else the mock counts tokens, and downloads an encoding for it
    model = get_model("mockllm/model", custom_outputs=outputs)
    samples = [Sample(input=f"Double a number ({number}).", target=text) for number, text in enumerate(tests)]
    task = Task(dataset=samples, solver=generate(), scorer=sandbox())
    with tempfile.TemporaryDirectory() as folder:
        return eval(task, model=model, log_dir=folder, display="none", max_samples=1)[0]


if __name__ == "__main__":
    log = evaluate()
    print("mean reward", log.results.scores[0].metrics["mean"].value)
