"""tinker-cookbook's grading of code, whose tests run beside the program, by its own client of SandboxFusion."""

import asyncio
import json
import sys

from tinker_cookbook.recipes.code_rl import code_grading
from tinker_cookbook.sandbox import SandboxFusionClient

STDIO = {"inputs": [f"{n}\n" for n in range(15)], "outputs": [f"{2 * n}\n" for n in range(15)]}
NAMED = {"inputs": ["1\n2", "3\n4"], "outputs": ["3", "7"], "fn_name": "add"}
CASES = {
    "right": (STDIO, "print(2 * int(input()))"),
    "wrong": (STDIO, "print(2)"),
    "dies": (STDIO, "raise SystemExit(1)"),
    "function": (NAMED, "class Solution:\n    def add(self, a, b):\n        return a + b"),
}


async def main():
    code_grading._sandboxfusion_client = SandboxFusionClient(sys.argv[1])
    found = {}
    for name, (tests, code) in CASES.items():
        passed, details = await code_grading.sandbox_check_correctness(code_grading.taco_to_lcb_format(tests), code)
        found[name] = [passed, details.get("status"), (details.get("run_result") or details).get("stderr", "")[-200:]]
    await code_grading._sandboxfusion_client.close()
    print(json.dumps(found))


asyncio.run(main())
