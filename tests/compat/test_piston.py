"""Piston's endpoints: its own words, and the package `codeforces` that open-r1 judges with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

CHECKER = """
import sys
given, expected, output = (open(name).read() for name in sys.argv[1:])
print(1 if sorted(expected.split()) == sorted(output.split()) else 0)
"""


@pytest.fixture(scope="module")
def piston(service_url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{service_url}/compat/piston/api/v2/", timeout=60, trust_env=False) as client:
        yield client


def execute(piston: httpx.Client, language: str, *files: dict[str, str], **body: Any) -> dict[str, Any]:
    answer = piston.post("execute", json={"language": language, "version": "*", "files": files} | body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def code(content: str, **more: str) -> dict[str, str]:
    return {"content": content} | more


def test_runtimes(piston: httpx.Client) -> None:
    found = {runtime["language"]: runtime for runtime in piston.get("runtimes").json()}
    assert {"bash", "c++", "javascript", "python", "c++17", "cf_python3"} <= found.keys()
    assert "js" in found["javascript"]["aliases"]
    version = found["python"]["version"]
    for asked, status in {version: 200, "3.x": 200, "3": 200, "2.7": 400, ">=3": 400}.items():
        body = {"language": "py", "version": asked, "files": [code("1")]}
        assert piston.post("execute", json=body).status_code == status, asked


def test_a_run(piston: httpx.Client) -> None:
    program = "import sys, time, data; time.sleep(0.1); print(sys.argv[1:], sys.stdin.read(), data.x)"
    program += "; print('no', file=sys.stderr)"
    beside = {"name": "data.py", "content": "eD03", "encoding": "base64"}
    answer = execute(piston, "python", beside, code(program, name="my.py"), stdin="in", args=["a", "b c"])
    run = answer["run"]
    assert (run["stdout"], run["stderr"]) == ("['a', 'b c'] in\n 7\n", "no\n"), "a line of stdin is made whole"
    assert (run["code"], run["signal"], run["status"]) == (0, None, None)
    assert run["wall_time"] >= 100, "milliseconds"
    assert "compile" not in answer
    assert answer["language"] == "python"


def test_compiling(piston: httpx.Client) -> None:
    answer = execute(piston, "c++", code("int main() { return 3; }"))
    assert (answer["compile"]["code"], answer["run"]["code"], answer["run"]["status"]) == (0, 3, "RE")
    answer = execute(piston, "cpp", code("int main() { x }"))
    assert answer["compile"]["code"] == 1
    assert "not declared" in answer["compile"]["stderr"]
    assert answer["run"] == answer["compile"]


@pytest.mark.parametrize(
    ("program", "more", "status", "signal"),
    [
        ("while True: pass", {"run_timeout": 200}, "TO", "SIGKILL"),
        ("while True: pass", {"run_cpu_time": 200}, "TO", "SIGKILL"),
        ("import time; time.sleep(20)", {"run_timeout": 200}, "TO", "SIGKILL"),
        ("x = bytearray(90 << 20)", {"run_memory_limit": 50 << 20}, "SG", "SIGKILL"),
        ("while True: print('x' * 1000)", {}, "OL", "SIGKILL"),
        ("import os; os.abort()", {}, "SG", "SIGABRT"),
    ],
)
def test_limits(piston: httpx.Client, program: str, more: dict[str, int], status: str, signal: str) -> None:
    run = execute(piston, "python", code(program), **more)["run"]
    assert (run["status"], run["signal"], run["code"]) == (status, signal, None)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"files": [code("1", name="../a.py")]}, 422),
        ({"files": []}, 422),
        ({"files": [code("zz", encoding="hex")]}, 400),
        ({"language": "klingon"}, 400),
        ({"run_timeout": 1_000_000}, 422),
        ({"network": True}, 422),
        ({"args": [1]}, 422),
    ],
)
def test_refused(piston: httpx.Client, body: dict[str, Any], status: int) -> None:
    answer = piston.post("execute", json={"language": "python", "version": "*", "files": [code("1")]} | body)
    assert (answer.status_code, list(answer.json())) == (status, ["message"])


@pytest.mark.parametrize(
    ("program", "given", "expected", "checker", "stdout", "exit_code", "stderr"),
    [
        ("print(*input().split())", "a b", " a   b\n\n", None, "1\n", 0, "Output is correct (diff)"),
        ("print(*input().split())", "a b", "a c", None, "0\n", 0, "Output isn't correct (diff)"),
        ("print('yes')", "", "YES", None, "1\n", 0, "Output is correct (diff)"),
        ("print('yesterday')", "", "YESterday no", None, "0\n", 0, "Output isn't correct (diff)"),
        ("print(2, 1)", "", "1 2", CHECKER, "1\n", 0, "Output is correct (checker)"),
        ("print(2, 2)", "", "1 2", CHECKER, "0\n", 0, "Output isn't correct (checker)"),
        ("raise SystemExit(3)", "", "1", None, "0\n", 3, "Runtime error with exit code 3"),
        ("while True: pass", "", "1", None, "0\n", 124, "Time limit exceeded (0.5s)"),
        ("x = bytearray(90 << 20)", "", "1", None, "0\n", 134, "Memory limit exceeded (64MB)"),
        ("print(open('correct_output.txt').read())", "", "1", None, "0\n", 1, "No such file"),
        ("print('as it is')", "", None, None, "as it is\n", 0, ""),
    ],
)
def test_codeforces(
    piston: httpx.Client,
    program: str,
    given: str,
    expected: str | None,
    checker: str | None,
    stdout: str,
    exit_code: int,
    stderr: str,
) -> None:
    named = {"main.python": program, "checker.py": checker, "input.txt": given, "correct_output.txt": expected}
    named["grader_config"] = "TIME_LIMIT=0.5\nMEMORY_LIMIT=64\nINPUT_MODE=stdio"
    files = [code(content, name=name) for name, content in named.items() if content is not None]
    answer = execute(piston, "cf_python3", *files, run_timeout=10_500)
    assert (answer["run"]["stdout"], answer["run"]["code"]) == (stdout, exit_code)
    assert stderr in answer["run"]["stderr"]
    assert answer["compile"]["code"] == 0, "clients look at it whatever the language"


def test_codeforces_in_cpp(piston: httpx.Client) -> None:
    program = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << 2 * n; }"
    files = [code(program, name="main.cpp"), code("4", name="input.txt"), code("8", name="correct_output.txt")]
    assert execute(piston, "c++17", *files)["run"]["stdout"] == "1\n"
    files[0] = code("int main() { x }", name="main.cpp")
    assert execute(piston, "c++17", *files)["compile"]["code"] == 1
    refused = [*files, code("INPUT_MODE=file", name="grader_config")]
    body = {"language": "c++17", "version": "*", "files": refused}
    assert piston.post("execute", json=body).status_code == 400
