"""How a program ends, and what is told of it."""

from __future__ import annotations

import signal

import pytest

from sandbox_service.contract.run import File
from sandbox_service.executor import ExecutorError
from tests.executor.place import Place


@pytest.mark.parametrize("code", [0, 1, 2, 42, 126, 127, 128, 137, 139, 255])
async def test_exit_code(place: Place, code: int) -> None:
    outcome = await place.bash(f"exit {code}")
    assert (outcome.exit_code, outcome.signal, outcome.killed_by) == (code, None, None)


@pytest.mark.parametrize("name", ["KILL", "TERM", "SEGV", "PIPE", "HUP", "INT", "XCPU", "ALRM", "USR1", "SYS"])
async def test_own_signal(place: Place, name: str) -> None:
    outcome = await place.bash(f"kill -{name} $$; sleep 30")
    assert (outcome.exit_code, outcome.signal) == (None, signal.Signals[f"SIG{name}"])
    assert not outcome.out_of_memory
    assert not outcome.security_violation
    assert outcome.killed_by is None


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("abort();", signal.SIGABRT),
        ("assert(argc > 5);", signal.SIGABRT),
        ("*(volatile int*)8 = 1;", signal.SIGSEGV),
        ("raise(SIGFPE);", signal.SIGFPE),
        ("__builtin_trap();", signal.SIGILL),
        ('int p[2]; pipe(p); close(p[0]); write(p[1], "x", 1);', signal.SIGPIPE),
    ],
)
async def test_crash(place: Place, body: str, number: int) -> None:
    """A process that is the first of its namespace would not die of these."""
    headers = "".join(f"#include <{name}.h>\n" for name in ("assert", "signal", "stdlib", "unistd"))
    source = f"{headers}int main(int argc) {{ {body} return 0; }}"
    outcome = await place.c(source)
    assert (outcome.exit_code, outcome.signal) == (None, number)


async def test_pid(place: Place) -> None:
    assert await place.seen("import os; print(os.getpid() > 1, os.getsid(0) == os.getpid())") == "True True\n"


async def test_what_is_left_dies_with_the_program(place: Place) -> None:
    """Daemons in sessions of their own, stopped ones and ones that ignore signals; none holds the run up."""
    outcome = await place.bash(
        "for i in 1 2 3; do setsid sleep 1000 & done\n"
        "setsid bash -c 'trap \"\" TERM HUP INT; while :; do sleep 1000; done' &\n"
        "sleep 1000 & kill -STOP $!\n"
        "echo done; exit 3"
    )
    assert (outcome.exit_code, outcome.stdout, outcome.killed_by) == (3, b"done\n", None)


async def test_a_stopped_program_meets_the_wall_limit(place: Place) -> None:
    outcome = await place.bash("kill -STOP $$; echo never", wall_seconds=0.5)
    assert (outcome.killed_by, outcome.signal, outcome.stdout) == ("wall", signal.SIGKILL, b"")


async def test_what_a_program_cannot_signal(place: Place) -> None:
    """The process that watches over it; and who kills all that it may kill, spares nobody but itself."""
    code = """if True:
        import os, signal, subprocess
        def kill(pid, number):
            try:
                os.kill(pid, number)
            except (PermissionError, ProcessLookupError):
                return False
            return True
        print([number for number in range(1, 65) if number not in (32, 33) and kill(1, number)])
        child = subprocess.Popen(["sleep", "1000"])
        print(kill(-1, signal.SIGKILL), child.wait())
    """
    assert await place.seen(code) == "[]\nTrue -9\n"


@pytest.mark.parametrize(
    "program",
    [b"no program at all\n", b"", b"#!/nowhere/python\n", b"\x7fELF" + bytes(range(200)), b"#!./program\n"],
    ids=["text", "empty", "no interpreter", "broken", "itself"],
)
async def test_what_cannot_be_executed_is_the_programs_fault(place: Place, program: bytes) -> None:
    outcome = await place.run([b"./program"], {"program": File(program, executable=True)})
    assert outcome.exit_code == 127
    assert b"cannot be executed" in outcome.stderr


async def test_a_strange_loader_is_the_programs_fault(place: Place) -> None:
    program = await place.compiled("int main() { return 0; }")
    assert b"/ld-linux" in program
    outcome = await place.run([b"./program"], {"program": File(program.replace(b"/ld-linux", b"/no-linux"), True)})
    assert outcome.exit_code == 127


@pytest.mark.parametrize("name", [b"./nothing", b"./folder"])
async def test_no_file_to_execute(place: Place, name: bytes) -> None:
    outcome = await place.run([name], {"folder/x": b""})
    assert outcome.exit_code == 127


async def test_a_command_of_ours_that_is_missing_is_our_fault(place: Place) -> None:
    with pytest.raises(ExecutorError, match="No such file") as caught:
        await place.run([b"/usr/bin/no-such-compiler"])
    assert caught.value.kind == "sandbox_setup"
