"""The service's taskset under a name of its own, which is how verifiers finds one; prime-rl loads the same.

    pip install sandbox-service verifiers uv
    sandbox-service up &
    eval sandbox_tasks --env.taskset.rows rows.jsonl --model MODEL --client.base-url URL --env.agent.harness.id null

Each line of `rows.jsonl` is a task: {"prompt": "Double a number.", "tests": {"inputs": ["1"], "outputs": ["2"]}}
"""

from sandbox_service.adapters.verifiers import SandboxTaskset

__all__ = ["SandboxTaskset"]
