"""Files that a program comes with, what it may write, and what is handed back."""

from __future__ import annotations

from sandbox_service.contract.run import ARTIFACT_COUNT, File
from tests.executor.place import MIB, Place


async def test_folders_and_modes(place: Place) -> None:
    files = {
        "a/b/c.txt": b"deep",
        "tool": File(b"#!/bin/sh\necho ran\n", executable=True),
        "plain": b"#!/bin/sh\necho ran\n",
        ".hidden": b"",
        "with space\nand line": b"odd",
    }
    outcome = await place.bash(
        "cat a/b/c.txt; echo; ./tool; ./plain 2>/dev/null || echo refused; cat with*; echo\n"
        "stat -c '%a %u' a a/b a/b/c.txt tool | sed s/$(id -u)/own/; rm -r a && mkdir new && umask",
        files=files,
    )
    modes = ["755 own", "755 own", "644 own", "755 own"]
    assert outcome.stdout.decode().splitlines() == ["deep", "ran", "refused", "odd", *modes, "0022"]


async def test_names_that_are_no_text(place: Place) -> None:
    """Models write lone surrogates, also into file names."""
    names = ["\ud800.py", "\udc80", "\udfff/\ud83d", "é", "\x7f\x01"]
    files = dict.fromkeys(names, b"x")
    listed = await place.seen("import os; print(os.listdir(b'.'))", files=files)
    for name in names:
        assert repr(name.split("/")[0].encode("utf-8", "surrogatepass")) in listed
    name = "\ud800.py"
    outcome = await place.run([b"/usr/bin/python3", name.encode("utf-8", "surrogatepass")], {name: b"print('ran')"})
    assert outcome.stdout == b"ran\n", outcome


async def test_arguments(place: Place) -> None:
    given = [b"", b" ", b"\xff\xfe", "é".encode(), b"--help", b"a\nb", b"x" * 100_000]
    outcome = await place.run(
        [b"./show", *given], {"show": File(b"#!/bin/sh\nprintf '%s\\0' \"$@\"\n", executable=True)}
    )
    assert outcome.stdout.split(b"\0")[:-1] == given


async def test_environment(place: Place) -> None:
    """What programs need, and nothing that the service was started with."""
    names = (await place.seen("import os; print(*sorted(os.environ))")).split()
    assert {"HOME", "PATH", "LANG", "PYTHONHASHSEED"} <= set(names)
    assert set(names) <= {
        "HOME",
        "LANG",
        "LC_CTYPE",
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "PATH",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONHASHSEED",
        "USER",
    }


async def test_where_a_program_may_write(place: Place) -> None:
    code = """if True:
        import os, pathlib, tempfile
        (pathlib.Path.home() / "x").write_text("1")
        print(os.getcwd(), pathlib.Path.home())
        for folder in (".", tempfile.gettempdir(), "/dev/shm", "/var/tmp", "/", "/etc", "/usr", "/usr/local", "/dev",
                       "/proc", "/run", "/usr/lib/python3"):
            try:
                tempfile.NamedTemporaryFile(dir=folder)
                print(folder)
            except OSError:
                pass
        import multiprocessing
        print(multiprocessing.Pool(2).map(abs, [-1, -2]))
        open("/dev/null", "w").write("x")
    """
    assert await place.seen(code) == "/work /work\n.\n/tmp\n/dev/shm\n[1, 2]\n"


async def test_what_is_there(place: Place) -> None:
    """The tools that programs call, users and hosts by name, the time zone, alternatives."""
    code = """if True:
        import os, pwd, socket, subprocess, time
        print(pwd.getpwnam("sandbox").pw_dir, socket.gethostbyname("localhost"), time.tzname[0] != "")
        print(subprocess.run("awk 'BEGIN {print 1}'; which sed", shell=True, capture_output=True, text=True).stdout)
    """
    assert await place.seen(code) == "/work 127.0.0.1 True\n1\n/usr/bin/sed\n\n"


COLLECT = """
mkdir -p out/deep && echo a > out/a.txt && echo b > out/deep/b.txt && echo c > c.log
ln -s /etc/passwd out/passwd.txt
ln -s a.txt out/link.txt
ln -s /etc out/etc
ln -s . out/self
mkfifo out/fifo.txt
mkdir out/folder.txt
truncate -s 10T out/sparse.txt
truncate -s 1000000 out/zeros.txt
chmod 000 out/a.txt out/deep
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("out/socket.txt")'
mknod out/device.txt c 1 5 2>/dev/null
true
"""


async def test_collect(place: Place) -> None:
    """Regular files alone, none of them through a link, whatever their mode."""
    outcome = await place.bash(COLLECT, collect=("out/*.txt", "*.log", "out/etc/*", "out/self/*", "../*", "/etc/*"))
    assert {path: content[:2] for path, content in outcome.files.items()} == {
        "out/a.txt": b"a\n",
        "out/deep/b.txt": b"b\n",
        "c.log": b"c\n",
        "out/zeros.txt": b"\0\0",
    }
    assert outcome.files_cut == ("out/sparse.txt",)


async def test_collect_too_many(place: Place) -> None:
    outcome = await place.python("for n in range(1000): open(f'{n:04}', 'w').write('x')", collect=("[0-9]*",))
    assert list(outcome.files) == [f"{number:04}" for number in range(ARTIFACT_COUNT)]
    assert len(outcome.files_cut) == 100


async def test_collect_too_much(place: Place) -> None:
    outcome = await place.python("for n in range(12): open(f'{n:02}', 'wb').write(bytes(1 << 20))", collect=("[0-9]*",))
    assert [len(content) for content in outcome.files.values()] == [MIB] * 8
    assert outcome.files_cut == ("08", "09", "10", "11")


async def test_collect_names_that_are_no_text(place: Place) -> None:
    code = r"import os; [open(name, 'w').close() for name in (b'\xff.x', b'\xed\xa0\x80.x', b'a\nb.x', b'.x')]"
    outcome = await place.python(code, collect=("*.x", "\ud800*"))
    names = {path.encode("utf-8", "surrogateescape") for path in outcome.files}
    assert names == {b"\xff.x", b"\xed\xa0\x80.x", b"a\nb.x", b".x"}


async def test_collect_in_a_maze(place: Place) -> None:
    """Deep folders and many of them: looked at within bounds, and no failure of ours."""
    code = """if True:
        import os
        made = 0
        try:
            for wide in range(3):
                os.chdir("/work")
                for deep in range(1200):
                    os.mkdir("d" * 200 + str(wide))
                    os.chdir("d" * 200 + str(wide))
                    open("x.txt", "w").close()
        except OSError:
            pass
        os.chdir("/work")
        open("last.txt", "w").write("here")
    """
    outcome = await place.python(code, collect=("last.txt", "*/nothing"), inodes=10_000)
    assert outcome.files == {"last.txt": b"here"}


async def test_collect_with_names_that_are_slow_to_compare(place: Place) -> None:
    code = """if True:
        try:
            for number in range(100_000):
                open("a" * 240 + f"{number:010}", "w").close()
        except OSError:
            pass
    """
    globs = ("main.py", *("*a*a*a*a*a*a*a*a*a*b" + str(number) for number in range(63)))
    outcome = await place.python(code, collect=globs, inodes=16384)
    assert outcome.exit_code == 0


async def test_collect_what_moves(place: Place) -> None:
    """Who goes on writing when the program has ended is dead by then."""
    code = """if True:
        import os, time
        if os.fork():
            time.sleep(0.2)
            os._exit(0)
        os.setsid()
        while True:
            for target in ("/etc/passwd", "/proc/1/environ", "real.txt"):
                open("real.txt", "w").write("real")
                os.symlink(target, "new")
                os.rename("new", "result.txt")
                open("new", "w").write("fine")
                os.rename("new", "result.txt")
    """
    outcome = await place.python(code, collect=("result.txt",))
    assert outcome.exit_code == 0
    assert outcome.files.get("result.txt", b"fine") in (b"fine", b"")


async def test_the_work_dir_taken_apart(place: Place) -> None:
    outcome = await place.bash(
        "rm -rf /work/* /work/.??*; chmod 000 /work /tmp; cd /; rmdir /work; true", collect=("*",)
    )
    assert (outcome.exit_code, outcome.files) == (0, {})
