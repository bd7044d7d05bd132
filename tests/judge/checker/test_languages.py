"""How checkers of each language are made ready, and what their own failures look like."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox_service.judge import TaskError
from sandbox_service.judge.checker import CheckerError, check, prepare
from sandbox_service.judge.finding import ACCEPTED
from sandbox_service.languages.registry import Language, Probe
from tests.judge.checker.bench import COMPILER, LANGUAGES, LIMITS, Bench

NODE = Language(
    id="javascript",
    name="JavaScript",
    extensions=[".js"],
    source="main.js",
    run=["/usr/bin/node", "{entrypoint}"],
    probe=Probe(command=["/usr/bin/node", "-v"], version="(.*)", hello=""),
)
CPP = """
#include <fstream>
#include <iostream>
int main(int, char** argv) {
    long n, a, b;
    std::ifstream input(argv[1]), output(argv[2]), expected(argv[3]);
    if (!(input >> n)) return 3;
    if (!(output >> a >> b)) { std::cerr << "no two numbers"; return 2; }
    return a + b == n ? 0 : 1;
}
"""


@pytest.mark.parametrize(
    ("code", "ending"),
    [
        ("raise ValueError('odd')", "ValueError: odd"),
        ("1 +", "SyntaxError: invalid syntax"),
        ("\0", "null bytes"),
        ("def f(): f()\nf()", "RecursionError"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("class Odd(BaseException): pass\nraise Odd", "Odd"),
        ("raise MemoryError", "MemoryError"),
        ("import sys; sys.excepthook = lambda *_: None; 1 / 0", "ZeroDivisionError"),
        ("import sys; sys.stderr = None; 1 / 0", ""),
        ("import sys; print('said before', flush=False); 1 / 0", "said before"),
    ],
)
async def test_an_uncaught_python_exception_is_a_failure(bench: Bench, code: str, ending: str) -> None:
    with pytest.raises(CheckerError, match="exit code 3") as caught:
        await bench.ask(code)
    assert ending in caught.value.words


@pytest.mark.parametrize(
    ("code", "right"),
    [
        ("exit()", True),
        ("raise SystemExit(1)", False),
        ("import sys; sys.exit('not the answer')", False),
        ("import sys\ntry: sys.exit(1)\nfinally: print('over')", False),
        ("import os; os._exit(2)", False),
        ("import atexit, sys; atexit.register(print, 'bye'); sys.exit(1)", False),
        ("", True),
    ],
)
async def test_python_programs_leave_as_they_like(bench: Bench, code: str, right: bool) -> None:
    assert (await bench.ask(code) is ACCEPTED) is right
    assert len(bench.requests) == 1


async def test_a_compiled_checker_is_compiled_once(bench: Bench) -> None:
    checker = await bench.prepare(CPP, "cpp")
    assert len(bench.requests) == 1
    assert not {"input.txt", "output.txt", "expected.txt"} & bench.requests[0].files.keys()
    for output, right, words in [(b"20 1", True, None), (b"20 2", False, None), (b"\xff", False, "no two numbers")]:
        finding = await check(bench.run, checker, LIMITS, input=b"21\n", output=output, expected=b"1 20")
        assert (finding is ACCEPTED, finding.expected) == (right, words)
    assert len(bench.requests) == 4


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("int main() { return nonsense; }", "nonsense"),
        ('#include "testlib.h"\nint main() {}', "testlib.h"),
        ("int main(", "exit code 1"),
        ("#include </dev/urandom>\nint main() {}", "compile"),
        ("int huge[1 << 28] = {1}; int main() {}", "compile"),
    ],
)
async def test_a_checker_that_does_not_compile_is_the_tasks_fault(bench: Bench, code: str, why: str) -> None:
    with pytest.raises(TaskError, match="does not compile") as caught:
        await prepare(bench.run, LANGUAGES["cpp"], code.encode(), COMPILER.model_copy(update={"cpu_seconds": 3.0}))
    assert why in str(caught.value)
    assert len(str(caught.value)) < 700


async def test_an_abort_is_a_failure(bench: Bench) -> None:
    with pytest.raises(CheckerError, match="SIGABRT"):
        await bench.ask("#include <cassert>\nint main() { assert(false); }", language="cpp")


@pytest.mark.skipif(not Path("/usr/bin/node").exists(), reason="there is no node")
@pytest.mark.parametrize(
    ("code", "end"),
    [
        ("process.exit(0)", 0),
        ("process.exitCode = 2", 2),
        ("process.exit(require.main === module && process.argv[2] === 'input.txt' ? 1 : 0)", 1),
        ("throw new Error('odd')", 3),
        ("Promise.reject(null)", 3),
        ("setTimeout(() => { throw null }, 1)", 3),
        ("let let = (", 3),
        ("const again = () => again(); again()", 3),
        ("console.error = () => { throw 1 }; throw 2", 3),
    ],
)
async def test_an_uncaught_javascript_exception_is_a_failure(bench: Bench, code: str, end: int) -> None:
    checker = await prepare(bench.run, LANGUAGES.get("javascript", NODE), code.encode(), COMPILER)
    ask = check(bench.run, checker, LIMITS, input=b"", output=b"1", expected=b"2")
    if end == 3:
        with pytest.raises(CheckerError, match="exit code 3"):
            await ask
    else:
        assert (await ask is ACCEPTED) is (end == 0)
        assert len(bench.requests) == 1
