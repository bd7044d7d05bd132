"""open-r1's own client of Piston and its scoring of Codeforces problems, from a checkout of its repository."""

import asyncio
import importlib
import json
import os
import sys
import tempfile
import types
from pathlib import Path

checkout, url, away = sys.argv[1:]
package = types.ModuleType("programming")  # without what its __init__ imports
package.__path__ = [str(Path(checkout, "src/open_r1/utils/competitive_programming"))]
sys.modules["programming"] = package
client = importlib.import_module("programming.piston_client")
scoring = importlib.import_module("programming.cf_scoring")

os.environ["CF_TESTS_FOLDER"] = tempfile.mkdtemp()
TESTS = [{"input": f"{n}\n", "output": f"{2 * n}\n"} for n in range(1, 4)]
CHECKER = "import sys\nprint(int(open(sys.argv[2]).read().split() == open(sys.argv[3]).read().split()))"
PROBLEM = {"id": "1/A", "time_limit": 1.0, "memory_limit": 256.0, "input_mode": "stdio", "generated_checker": None}
PROBLEM |= {"official_tests": TESTS}
CPP = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << %s << std::endl; }"
CASES = {
    "right": (PROBLEM, CPP % "2 * n", "cpp"),
    "one of three": (PROBLEM, CPP % "2", "cpp"),
    "compiles not": (PROBLEM, "int main() { x }", "cpp"),
    "late": (PROBLEM, "int main() { for (;;) {} }", "cpp"),
    "python": (PROBLEM, "print(2 * int(input()))", "python"),
    "checker": (PROBLEM | {"generated_checker": CHECKER}, "print(2 * int(input()))", "python"),
    "checker says no": (PROBLEM | {"generated_checker": CHECKER}, "print(int(input()))", "python"),
}


async def score(endpoint, problem, code, language, retries=None):
    piston = client.PistonClient(f"{endpoint}/compat/piston/api/v2", max_requests_per_endpoint=4)
    if retries is not None:
        send = piston.send_execute
        piston.send_execute = lambda *a, **k: send(*a, **(k | {"max_retries": retries}))
    try:
        found = await scoring.score_submission(piston, problem, code, 2, "partial", submission_language=language)
        return found, [runtime["language"] for runtime in (await piston.get_supported_runtimes())[0]]
    finally:
        await piston.session.close()


async def main():
    found = {name: await score(url, *case) for name, case in CASES.items()}
    print(json.dumps({name: value for name, (value, _) in found.items()}))
    print(json.dumps(found["right"][1]))
    await score(away, *CASES["python"], retries=1)


asyncio.run(main())
