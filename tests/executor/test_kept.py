"""Programs of ours that a sandbox keeps do the same as without, time and again."""

from __future__ import annotations

import dataclasses

import pytest

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import File, RunRequest
from sandbox_service.executor import Economy, NamespaceExecutor
from tests.executor.place import LIMITS, MIB, PYTHON, Place
from tests.executor.test_slot import FILL, SPARED

PROGRAM = b"""import sys
if sys.path[:1] == [""]: del sys.path[0]
import _json
count = [0]
class Counter: pass
def main():
    count[0] += 1
    print(count, sys.argv, "" in sys.path, __name__, open(sys.argv[1]).read(), Counter.__module__, input())
    sys.exit(len(sys.argv))
main()
"""


def request(text: bytes = PROGRAM, **more: object) -> RunRequest:
    files = {"word": File(b"content"), "_json.py": File(b"raise SystemExit('the wrong one')")}
    command = [PYTHON, b"-c", text, b"word", b"\xc3\xa4"]
    request = RunRequest(command, LIMITS, files, stdin=b"said\n", warm=True, kept=True)
    return dataclasses.replace(request, **more)  # type: ignore[arg-type]


def said(outcome: Outcome) -> tuple[int | None, bytes, bytes]:
    return outcome.exit_code, outcome.stdout, outcome.stderr


EXPECTED = (3, "[1] ['-c', 'word', 'ä'] False __main__ content __main__ said\n".encode(), b"")


@pytest.mark.parametrize("warm", [True, False])
async def test_it_does_what_it_does_as_a_whole(warm: bool) -> None:
    executor = NamespaceExecutor(Economy(warm=warm))
    await executor.start()
    try:
        sandbox = await executor.open()
        for _ in range(3):
            outcome = await sandbox.run(request())
            assert (said(outcome), outcome.warm) == (EXPECTED, warm)
        await sandbox.close()
    finally:
        await executor.stop()


async def test_several_are_told_apart(place: Place) -> None:
    other = PROGRAM.replace(b"print(count", b"print('other', count")
    for _ in range(2):
        assert said(await place.sandbox.run(request())) == EXPECTED
        assert (await place.sandbox.run(request(other))).stdout.startswith(b"other [1]")


async def test_other_programs_have_neither_its_modules_nor_its_names(place: Place) -> None:
    code = "import gc, sys; print(list(sys.modules), len(gc.get_objects()), sorted(vars(sys.modules['__main__'])))"
    before = await place.seen(code)
    assert said(await place.sandbox.run(request())) == EXPECTED
    assert await place.seen(code) == before


async def test_what_lies_in_the_work_dir_does_not_matter(place: Place) -> None:
    sneaky = {**request().files, ".local/lib/python3.11/site-packages/usercustomize.py": File(b"raise SystemExit(7)")}
    assert said(await place.sandbox.run(request(files=sneaky))) == EXPECTED


async def test_with_other_variables_it_runs_as_a_whole(place: Place) -> None:
    outcome = await place.sandbox.run(request(environment={"PYTHONOPTIMIZE": "1"}))
    assert (said(outcome), outcome.warm) == (EXPECTED, False)


async def test_it_is_kept_again_where_who_kept_it_has_died(place: Place) -> None:
    place.needs("memory")
    assert said(await place.sandbox.run(request())) == EXPECTED
    outcome = await place.python(f"{SPARED}{FILL}", memory_bytes=100 * MIB, disk_bytes=1 << 30)
    assert outcome.out_of_memory
    assert said(await place.sandbox.run(request())) == EXPECTED
