"""Standard input and output."""

from __future__ import annotations

import pytest

from tests.executor.place import MIB, Place


async def test_much_both_ways(place: Place) -> None:
    """A program that writes while it reads would wait for ever if nobody read before it ends."""
    data = bytes(range(256)) * (5 * MIB // 256)
    outcome = await place.bash("tee /dev/stderr", stdin=data, output_bytes=len(data))
    assert outcome.stdout == data
    assert outcome.stderr == data
    assert not outcome.stdout_truncated
    assert not outcome.stderr_truncated


async def test_no_input(place: Place) -> None:
    assert await place.seen("import sys; print(repr(sys.stdin.read()))") == "''\n"


async def test_input_that_nobody_reads(place: Place) -> None:
    assert await place.seen("print('done')", stdin=b"x" * 5 * MIB) == "done\n"


async def test_both_outputs_in_turns(place: Place) -> None:
    code = "import os\nfor _ in range(500):\n for fd in (1, 2): os.write(fd, b'%d' % fd * 2000)"
    outcome = await place.python(code)
    assert (outcome.stdout, outcome.stderr) == (b"1" * 1_000_000, b"2" * 1_000_000)


@pytest.mark.parametrize("fd", [1, 2])
async def test_output_limit(place: Place, fd: int) -> None:
    """As much as the limit is within it; one byte more is not, and is not kept."""
    code = f"import os, sys\nfor size in sys.argv[1:]: os.write({fd}, b'x' * int(size))"
    within = await place.python(code, *[b"1000"] * 100, b"500", output_bytes=100_500)
    output, cut = (within.stdout, within.stdout_truncated) if fd == 1 else (within.stderr, within.stderr_truncated)
    assert (within.exit_code, within.killed_by, cut, len(output)) == (0, None, False, 100_500)
    beyond = await place.python(code, *[b"1000"] * 100, b"501", output_bytes=100_500)
    output, cut = (beyond.stdout, beyond.stdout_truncated) if fd == 1 else (beyond.stderr, beyond.stderr_truncated)
    assert (beyond.killed_by, cut, len(output)) == ("output", True, 100_500)


async def test_a_flood_ends_the_run(place: Place) -> None:
    outcome = await place.bash("yes")
    assert (outcome.killed_by, outcome.stdout) == ("output", b"y\n" * (MIB // 2))


async def test_a_flood_in_packets(place: Place) -> None:
    """A pipe can be made to hand over each write by itself."""
    code = """if True:
        import fcntl, os
        fcntl.fcntl(1, fcntl.F_SETFL, os.O_WRONLY | os.O_DIRECT)
        while True:
            os.write(1, b"ab")
    """
    outcome = await place.python(code, output_bytes=10_000)
    assert (outcome.killed_by, outcome.stdout) == ("output", b"ab" * 5000)


async def test_what_was_given_to_read_cannot_be_changed(place: Place) -> None:
    code = """if True:
        import os
        for attempt in (
            lambda: os.write(0, b"x"),
            lambda: os.pwrite(os.open("/proc/self/fd/0", os.O_RDWR), b"x", 0),
            lambda: os.truncate("/dev/stdin", 0),
            lambda: os.truncate("/dev/stdin", 1 << 30),
        ):
            try:
                print(attempt())
            except OSError:
                pass
        print(open(0).read())
    """
    assert await place.seen(code, stdin=b"given") == "given\n"


async def test_closed_outputs(place: Place) -> None:
    outcome = await place.bash("exec >&- 2>&- <&-; sleep 0.1; exit 5")
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (5, b"", b"")


async def test_the_names_of_the_three(place: Place) -> None:
    outcome = await place.bash("cat /dev/stdin; echo out > /dev/stdout; echo err > /dev/stderr", stdin=b"in\n")
    assert (outcome.stdout, outcome.stderr) == (b"in\nout\n", b"err\n")


async def test_an_output_that_outlives_all_processes(place: Place) -> None:
    """Sent into a socket that is on its way into itself, a pipe's end stays open until the kernel tidies up."""
    code = """if True:
        import array, os, socket, time
        a, b = socket.socketpair()
        b.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [a.fileno(), 1, 2]))])
        print("sent", flush=True)
        b.close()
        time.sleep(0.3)
        os._exit(0)
    """
    outcome = await place.python(code, wall_seconds=15.0)
    assert (outcome.exit_code, outcome.killed_by, outcome.stdout) == (0, None, b"sent\n")


async def test_a_program_that_reads_its_own_output(place: Place) -> None:
    """It harms nobody but itself."""
    code = """if True:
        import os
        fd = os.open("/dev/stdout", os.O_RDONLY | os.O_NONBLOCK)
        for _ in range(1000):
            os.write(1, b"x")
            try:
                os.read(fd, 10)
            except BlockingIOError:
                pass
        os.write(2, b"end")
    """
    outcome = await place.python(code)
    assert (outcome.exit_code, outcome.stderr) == (0, b"end")
    assert len(outcome.stdout) <= 1000


async def test_bytes_that_are_no_text(place: Place) -> None:
    outcome = await place.bash(r"printf '\xff\xfe\0\x80'; printf '\0\xc3' >&2")
    assert (outcome.stdout, outcome.stderr) == (b"\xff\xfe\0\x80", b"\0\xc3")
