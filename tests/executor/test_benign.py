"""Honest programs of many kinds run as ever under the filters that hold unknown ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import File, RunRequest
from tests.executor.filters import filter_of
from tests.executor.place import LIMITS, MIB, PYTHON, Place

PROGRAMS = Path(__file__).parent / "benign"
ROOMY = {"memory_bytes": 1024 * MIB, "processes": 256, "disk_bytes": 512 * MIB, "cpu_seconds": 60.0, "inodes": 16384}
UNDER = pytest.mark.parametrize("name", ["default", "strict"])


def needs(program: str) -> None:
    if not Path(program).exists():
        pytest.skip(f"{program} is not on this machine")


async def compiled(place: Place, name: str, source: str, *command: str, output: str = "program") -> dict[str, File]:
    """What a compiler, held by the same filter, makes of a program."""
    needs(command[0])
    files = {source: File((PROGRAMS / source).read_bytes())}
    request = RunRequest(
        [item.encode() for item in command],
        LIMITS.model_copy(update=ROOMY),
        files,
        collect=(output,),
        collect_each=64 * MIB,
        collect_total=64 * MIB,
        seccomp=filter_of(name),
    )
    outcome = await place.sandbox.run(request)
    assert outcome.exit_code == 0, outcome.stderr.decode()
    return {path: File(content, executable=True) for path, content in outcome.files.items()}


def said(outcome: Outcome) -> str:
    found = (outcome.exit_code, outcome.signal, outcome.stderr.decode(), outcome.security_violation)
    assert found == (0, None, "", False), outcome.stdout
    return outcome.stdout.decode()


@UNDER
async def test_the_standard_library(place: Place, name: str) -> None:
    code = (PROGRAMS / "stdlib.py").read_text()
    outcome = await place.python(code, seccomp=filter_of(name), **ROOMY)
    assert said(outcome) == f"end {code.count('@part')}\n"


@UNDER
async def test_numpy(place: Place, name: str) -> None:
    code = (
        "import numpy\nx = numpy.random.rand(300, 300)\nassert numpy.allclose(x @ numpy.linalg.inv(x), numpy.eye(300))"
    )
    if (await place.python("import numpy")).exit_code != 0:
        pytest.skip(f"{PYTHON.decode()} has no numpy")
    assert said(await place.python(code, seccomp=filter_of(name), **ROOMY)) == ""


@UNDER
async def test_pipelines(place: Place, name: str) -> None:
    outcome = await place.bash((PROGRAMS / "pipes.sh").read_text(), seccomp=filter_of(name))
    assert said(outcome) == "ok\ntrapped\nthrough\n"


@UNDER
async def test_cpp(place: Place, name: str) -> None:
    command = ["/usr/bin/g++", "-std=c++17", "-pthread", "-O1", "-o", "program", "threads.cpp"]
    files = await compiled(place, name, "threads.cpp", *command)
    assert said(await place.run([b"./program"], files, seccomp=filter_of(name))) == "43\n"


@UNDER
async def test_node(place: Place, name: str) -> None:
    needs("/usr/bin/node")
    files = {"program.js": (PROGRAMS / "program.js").read_bytes()}
    outcome = await place.run([b"/usr/bin/node", b"program.js"], files, seccomp=filter_of(name), **ROOMY)
    assert said(outcome) == "ok\n"


@pytest.mark.full
@UNDER
async def test_java(place: Place, name: str) -> None:
    files = await compiled(place, name, "Main.java", "/usr/bin/javac", "-proc:none", "Main.java", output="Main*.class")
    outcome = await place.run([b"/usr/bin/java", b"Main"], files, seccomp=filter_of(name), **ROOMY)
    assert said(outcome) == "ok\n"


@pytest.mark.full
@UNDER
async def test_go(place: Place, name: str) -> None:
    needs("/usr/bin/go")
    command = ["/usr/bin/env", "GOCACHE=/tmp", "/usr/bin/go", "build", "-o", "program", "main.go"]
    files = await compiled(place, name, "main.go", *command)
    assert said(await place.run([b"./program"], files, seccomp=filter_of(name), **ROOMY)) == "ok\n"


@pytest.mark.full
@UNDER
async def test_rust(place: Place, name: str) -> None:
    files = await compiled(place, name, "main.rs", "/usr/bin/rustc", "-O", "-o", "program", "main.rs")
    assert said(await place.run([b"./program"], files, seccomp=filter_of(name), **ROOMY)) == "ok\n"
