"""Programs are compiled once: what is taken from the cache, and what is not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sandbox_service import languages, policy
from sandbox_service.contract import parse
from sandbox_service.contract.data import data_dir
from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.result import Isolation, Result
from sandbox_service.contract.run import Preload, RunRequest
from sandbox_service.executor import Executor, NamespaceExecutor, Sandbox
from sandbox_service.worker.compiler import ENTRY_BYTES, Compiler
from sandbox_service.worker.pipeline import Pipeline

pytestmark = pytest.mark.asyncio(loop_scope="module")
DOUBLE = '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d\\n", 2 * n); }\n'
WRONG = "int main(void) { return undefined; }\n"


class Counted:
    """A sandbox that counts how often something is compiled in it."""

    def __init__(self, sandbox: Sandbox, counting: Counting) -> None:
        self._sandbox, self._counting = sandbox, counting

    @property
    def isolation(self) -> Isolation:
        return self._sandbox.isolation

    async def run(self, request: RunRequest) -> Outcome:
        self._counting.compiled += request.command[0] == b"/usr/bin/gcc"
        return await self._sandbox.run(request)

    async def close(self, *, reuse: bool = True) -> None:
        await self._sandbox.close(reuse=reuse)


class Counting:
    """An executor of such sandboxes."""

    def __init__(self, executor: Executor) -> None:
        self._executor, self.compiled = executor, 0

    async def open(self, *, strict: bool = False, preload: Preload | None = None) -> Sandbox:
        return Counted(await self._executor.open(strict=strict, preload=preload), self)


class Place:
    """A pipeline and how often it has compiled something."""

    def __init__(self, executor: Executor, **compiler: Any) -> None:
        self._counting = Counting(executor)
        policies = policy.load(data_dir("policies"))
        policies["forgetful"] = policies["default"].model_copy(update={"cache": False, "digest": "f"})
        self._pipeline = Pipeline(
            self._counting, policies, languages.load(data_dir("runner_images")), Compiler(**compiler)
        )

    async def evaluate(self, code: str = DOUBLE, tenant: str = "t", **body: Any) -> Result:
        task = {"type": "stdio", "cases": [{"stdin": body.pop("stdin", "2"), "expected": "4"}]}
        submission = parse.submission({"language": "c", "code": code, "task": task} | body)
        return await self._pipeline.evaluate("sub_x", submission, tenant=tenant, attempts=1, queued_seconds=0.0)

    @property
    def compiled(self) -> int:
        return self._counting.compiled


@pytest.fixture
def place(executor: NamespaceExecutor) -> Place:
    return Place(executor)


async def test_a_program_is_compiled_once_for_all_tests(place: Place) -> None:
    first, second = await place.evaluate(), await place.evaluate(stdin="3")
    assert place.compiled == 1
    assert (first.verdict, second.verdict) == ("accepted", "wrong_answer")
    assert first.compile
    assert second.compile == first.compile.model_copy(update={"cached": True})
    assert first.timing
    assert second.timing
    assert first.timing.compile_seconds > 0 == second.timing.compile_seconds


async def test_what_the_compiler_says_is_kept_too(place: Place) -> None:
    first, second = await place.evaluate(WRONG), await place.evaluate(WRONG)
    assert place.compiled == 1
    assert (first.verdict, second.verdict) == ("compile_error", "compile_error")
    assert second.compile
    assert second.compile.cached
    assert "undefined" in second.compile.stderr
    assert [case.verdict for case in second.cases] == ["skipped"]


OTHERS: dict[str, dict[str, Any]] = {
    "tenant": {"tenant": "other"},
    "policy": {"policy": "trusted-fast"},
    "flags": {"compile_flags": ["-O0"]},
    "code": {"code": DOUBLE + "\n"},
    "name": {"entrypoint": "other.c"},
    "limits": {"limits": {"compile": {"cpu_seconds": 20}}},
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
async def test_what_differs_is_compiled(place: Place, other: dict[str, Any]) -> None:
    await place.evaluate()
    result = await place.evaluate(**other)
    assert place.compiled == 2
    assert result.verdict == "accepted"
    assert result.compile
    assert not result.compile.cached


async def test_two_files_are_not_one(place: Place) -> None:
    for files in ({"a.c": DOUBLE, "b.c": "/**/"}, {"a.c": DOUBLE + "/**/", "b.c": ""}):
        assert (await place.evaluate(code=None, files=files)).verdict == "accepted"  # type: ignore[arg-type]
    assert place.compiled == 2


async def test_a_compiler_that_met_a_limit_is_asked_again(place: Place) -> None:
    endless = "#define A(x) x x x x x x x x x x\nint a[] = {" + "A(" * 9 + "1," + ")" * 9 + "};\nint main(void) {}\n"
    limits = {"compile": {"cpu_seconds": 0.3}}
    for _ in range(2):
        result = await place.evaluate(endless, limits=limits)
        assert result.verdict == "compile_error"
        assert result.compile
        assert result.compile.message == "used more than 0.3 s of CPU time"
    assert place.compiled == 2


async def test_a_policy_may_forbid_it(place: Place) -> None:
    for _ in range(2):
        assert (await place.evaluate(policy="forgetful")).verdict == "accepted"
    assert place.compiled == 2


async def test_those_that_come_together_are_compiled_once(place: Place) -> None:
    results = await asyncio.gather(*(place.evaluate(stdin=str(number)) for number in range(6)))
    assert place.compiled == 1
    assert [result.verdict for result in results].count("accepted") == 1
    assert sum(result.compile is not None and result.compile.cached for result in results) == 5


async def test_the_first_may_be_cancelled(place: Place) -> None:
    first, *others = [asyncio.create_task(place.evaluate()) for _ in range(3)]
    while not place.compiled:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    first.cancel()
    assert [result.verdict for result in await asyncio.gather(*others)] == ["accepted"] * 2


async def test_the_least_used_make_room(executor: NamespaceExecutor) -> None:
    size = ENTRY_BYTES + len("x" * 20000)
    place = Place(executor, most_bytes=2 * size)
    for mark in "abacab":  # b has to go for c, c for b
        assert (await place.evaluate(DOUBLE + f"// {mark}")).verdict == "accepted"
    assert place.compiled == 4


async def test_switched_off_it_keeps_nothing(executor: NamespaceExecutor) -> None:
    place = Place(executor, most_bytes=0)
    for _ in range(2):
        assert (await place.evaluate()).verdict == "accepted"
    assert place.compiled == 2


async def test_what_a_program_does_to_its_file_the_next_one_does_not_see(place: Place) -> None:
    code = (
        "#include <stdio.h>\n#include <stdlib.h>\n"
        'int main(int n, char **v) { printf("%d", 4); remove("program"); FILE *f = fopen("program", "w");'
        ' fputs("#!/bin/sh\\necho 5", f); fclose(f); }\n'
    )
    for stdin in "12":
        assert (await place.evaluate(code, stdin=stdin)).verdict == "accepted"
    assert place.compiled == 1
