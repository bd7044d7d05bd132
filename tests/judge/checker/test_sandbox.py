"""What a checker sees and leaves: three files in a sandbox of its own, and nothing."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from functools import partial

import pytest

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import RunRequest
from sandbox_service.judge.checker import check
from sandbox_service.judge.finding import ACCEPTED
from tests.judge.checker.bench import LIMITS, MIB, READ, Bench

SECRET = "3f6c1a90b7"
SEARCH = f"""
import glob, os
found = []
for top in ('/work', '/tmp', '/dev/shm', '/proc', '/run', '/var', '/etc'):
    for folder, _, names in os.walk(top):
        for name in names:
            path = os.path.join(folder, name)
            if top == '/proc' and name not in ('environ', 'cmdline'):
                continue
            try:
                with open(path, 'rb') as file:
                    if b'{SECRET[:5]}' b'{SECRET[5:]}' in file.read(1 << 20):
                        found.append(path)
            except OSError:
                pass
print(found)
"""
LEAVE = """
import os, subprocess, sys
for folder in ('.', '/tmp', '/dev/shm'):
    with open(folder + '/left', 'w') as file:
        file.write('3f6c1' '0')
subprocess.Popen(['/bin/sleep', '1000'])
"""
LIST = """
import json, os, sys
processes = [name for name in os.listdir('/proc') if name.isdigit()]
print(json.dumps([sorted(os.listdir('.')), os.listdir('/tmp'), os.listdir('/dev/shm'), len(processes)]))
"""


async def _seen(bench: Bench, code: str, expected: bytes = b"") -> str:
    """What a checker prints."""
    return (await bench.ask(f"{code}\nimport sys; sys.exit(1)", expected=expected)).expected or ""


async def _with_channel(bench: Bench, channel: tuple[int, int], request: RunRequest) -> Outcome:
    return await bench.run(replace(request, channel=channel))


async def _python(bench: Bench, code: str) -> str:
    outcome = await bench.run(RunRequest([b"/usr/bin/python3", b"-c", code.encode()], LIMITS))
    assert outcome.exit_code == 0, outcome
    return outcome.stdout.decode()


async def test_the_expected_output_is_in_the_checkers_sandbox_alone(bench: Bench) -> None:
    assert "expected.txt" in await _seen(bench, SEARCH, SECRET.encode())
    assert await _python(bench, SEARCH) == "[]\n"  # after it
    ends = [os.pipe() for _ in range(2)]
    waiting = await bench.prepare("import os; os.write(4, b'here'); os.read(3, 1)")
    running = asyncio.create_task(
        check(
            partial(_with_channel, bench, (ends[0][0], ends[1][1])),
            waiting,
            LIMITS,
            input=b"",
            output=b"",
            expected=SECRET.encode(),
        )
    )
    await asyncio.to_thread(os.read, ends[1][0], 4)
    assert await _python(bench, SEARCH) == "[]\n"  # beside it
    os.write(ends[0][1], b".")
    assert await running is ACCEPTED
    os.close(ends[0][1])
    os.close(ends[1][0])


async def test_a_checker_sees_nothing_of_the_solution(bench: Bench) -> None:
    await _python(bench, LEAVE)
    work, *others = json.loads(await _seen(bench, LIST))
    assert work == ["expected.txt", "input.txt", "main.py", "output.txt", "uncaught.py"]
    assert others == [[], [], 2]


async def test_a_checker_leaves_nothing(bench: Bench) -> None:
    checker = await bench.prepare(LEAVE)
    assert await check(bench.run, checker, LIMITS, input=b"", output=b"", expected=b"") is ACCEPTED
    assert json.loads(await _python(bench, LIST)) == [[], [], [], 2]


async def test_a_checker_remembers_nothing_of_another_case(bench: Bench) -> None:
    checker = await bench.prepare(READ + "import os\nn = os.path.exists('seen')\nopen('seen', 'w')\nsys.exit(n)")
    for _ in range(2):
        assert await check(bench.run, checker, LIMITS, input=b"", output=b"", expected=b"") is ACCEPTED


async def test_a_checker_cannot_change_itself(bench: Bench) -> None:
    checker = await bench.prepare("open('main.py', 'w').write('import sys; sys.exit(1)')")
    for _ in range(2):
        assert await check(bench.run, checker, LIMITS, input=b"", output=b"", expected=b"") is ACCEPTED


@pytest.mark.parametrize("output", [b"", b"\0" * 100, b"\xff\xfe\xfd\r\n", bytes(range(256)) * 40960], ids=len)
async def test_outputs_of_any_bytes_and_size(bench: Bench, output: bytes) -> None:
    """10 MiB of them are more than the checker's own quota of its disk has to hold."""
    code = READ + "print(len(theirs), hash(theirs) == hash(right))\nsys.exit(theirs != right)"
    assert await bench.ask(code, output, output, disk_bytes=MIB) is ACCEPTED
    assert (await bench.ask(code, output + b"x", output, disk_bytes=MIB)).message == "the checker rejects the output"
    assert len(bench.requests) == 2
