"""What a program sees, has and may do."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path

import pytest

from sandbox_service.contract.run import RunRequest
from sandbox_service.executor import NamespaceExecutor
from tests.executor.place import LIMITS, TOKEN, Place

LIBC = "import ctypes, os, socket, sys\nlibc = ctypes.CDLL(None, use_errno=True)\n"


async def test_descriptors(place: Place) -> None:
    """The three and no other, in whichever way they are looked for."""
    code = """if True:
        import os, stat
        listed = set(os.listdir("/proc/self/fd"))
        def there(fd):
            try:
                return bool(os.fstat(fd))
            except OSError:
                return False
        print([fd for fd in range(4096) if there(fd)], sorted(listed)[:3])
    """
    assert await place.seen(code) == "[0, 1, 2] ['0', '1', '2']\n"


async def test_status(place: Place) -> None:
    """No capability in any set, none to be had, no other user or group."""
    lines = (await place.seen("print(open('/proc/self/status').read())")).splitlines()
    status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[name], 16) == 0, name
    assert status["NoNewPrivs"] == "1"
    assert status["SigBlk"] == status["SigPnd"] == "0" * 16
    assert int(status["SigIgn"], 16) & ~(1 << 12 | 1 << 24) == 0  # Python's own: SIGPIPE and SIGXFSZ
    assert "0" not in status["Uid"].split()
    assert "0" not in status["Gid"].split()


@pytest.mark.parametrize("kind", ["user", "mount", "pid", "net", "ipc", "uts", "cgroup", "time"])
async def test_no_namespaces(place: Place, kind: str) -> None:
    flags = {
        "user": 0x10000000,
        "mount": 0x20000,
        "pid": 0x20000000,
        "net": 0x40000000,
        "ipc": 0x8000000,
        "uts": 0x4000000,
        "cgroup": 0x2000000,
        "time": 0x80,
    }
    code = f"{LIBC}print(libc.unshare({flags[kind]}), libc.unshare({flags[kind] | 0x10000000}))"
    assert await place.seen(code) == "-1 -1\n"


PRIVILEGED = """
attempts = {
    "chroot": lambda: libc.chroot(b"/tmp"),
    "mknod": lambda: libc.mknod(b"/tmp/disk", 0o60666, os.makedev(254, 0)),
    "setuid": lambda: libc.setuid(0),
    "setgid": lambda: libc.setgid(0),
    "setgroups": lambda: libc.setgroups(0, None),
    "sethostname": lambda: libc.sethostname(b"x", 1),
    "settimeofday": lambda: libc.settimeofday(ctypes.create_string_buffer(16), None),
    "bpf": lambda: libc.syscall({"x86_64": 321}.get(machine, 280), 0, ctypes.create_string_buffer(64), 64),
    "ptrace 1": lambda: libc.ptrace(16, 1, 0, 0),
    "setns": lambda: libc.setns(os.open("/proc/self/ns/net", os.O_RDONLY), 0),
    "raw socket": lambda: libc.socket(2, 3, 1),
    "packet socket": lambda: libc.socket(17, 3, 0),
    "iopl": lambda: libc.iopl(3) if machine == "x86_64" else -1,
}
"""


async def test_no_privileges(place: Place) -> None:
    code = (
        f"{LIBC}machine = os.uname().machine\n{PRIVILEGED}print([name for name in attempts if attempts[name]() >= 0])"
    )
    assert await place.seen(code) == "[]\n"


async def test_what_no_namespace_covers(place: Place) -> None:
    """Sockets to the hypervisor and other strange ones, keys, rings, and the numbers of 32-bit system calls."""
    code = f"""{LIBC}
        machine = os.uname().machine
        def made(family):
            try:
                socket.socket(family, socket.SOCK_STREAM if family in (1, 2, 10, 40) else socket.SOCK_DGRAM).close()
                return True
            except OSError:
                return False
        print([family for family in range(64) if made(family)])
        here, there = [248, 249, 250, 206, 298, 321, 323, 425], [217, 218, 219, 0, 241, 280, 282, 425]
        numbers = here if machine == "x86_64" else there
        space = ctypes.create_string_buffer(200)
        print({{(libc.syscall(number, 8, space, 0, 0, 0), ctypes.get_errno()) for number in numbers}})
        print(libc.syscall(39 + 0x40000000) if machine == "x86_64" else -1)
    """.replace("\n        ", "\n")
    if place.contained:  # the runtime's filter ends whoever asks
        code = code.replace("print(libc.syscall(39 + 0x40000000)", "print(-1 or libc.syscall(39 + 0x40000000)")
    families, calls, x32 = (await place.seen(code)).splitlines()
    assert families == "[1, 2, 10]"
    assert calls == "{(-1, 38)}"
    assert x32 == "-1"


INT_80 = """
#include <stdio.h>
int main() { int result; asm volatile ("int $0x80" : "=a"(result) : "a"(20)); printf("%d", result); return 0; }
"""


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="has no 32-bit system calls")
async def test_no_32_bit_system_calls(place: Place) -> None:
    outcome = await place.c(INT_80)
    assert outcome.signal is not None or int(outcome.stdout) < 0


async def test_processes_that_are_seen(place: Place) -> None:
    """Its own and the one that watches over it, which tells nothing but its name."""
    code = """if True:
        import os
        print(sorted(int(name) for name in os.listdir("/proc") if name.isdigit()) == [1, os.getpid()])
        for name in ("environ", "mem", "maps", "fd", "root", "cwd", "exe", "task/1/environ", "ns/net", "io", "stack",
                     "syscall", "auxv", "map_files", "fdinfo"):
            path = "/proc/1/" + name
            for look in (os.listdir, os.readlink, lambda path: open(path, "rb").read(1)):
                try:
                    print(path, look(path))
                except OSError:
                    pass
    """
    assert await place.seen(code) == "True\n"


HIDDEN = (
    "cmdline config.gz diskstats interrupts kallsyms kcore key-users keys modules partitions sched_debug softirqs "
    "sysrq-trigger timer_list kmsg kpagecount kpageflags slabinfo vmallocinfo pagetypeinfo"
)
PROC = f"""
import os
def does(what, *arguments):
    try:
        return what(*arguments)
    except OSError:
        return None
print([name for name in {HIDDEN.split()} if does(lambda: open("/proc/" + name, "rb").read(1))])
for top, folders, files in os.walk("/proc/sys"):
    for path in (os.path.join(top, name) for name in files):
        text = does(lambda: open(path, "rb").read())
        if text and os.access(path, os.W_OK) and does(lambda: open(path, "wb", buffering=0).write(text)):
            print("writable:", path)
print([os.path.exists("/proc/" + name) for name in ("meminfo", "cpuinfo", "self/maps")])
"""


async def test_what_proc_tells_of_the_host(place: Place) -> None:
    """Nothing of how it was started, its disks, its interrupts, its keys; nothing there can be changed."""
    assert await place.seen(PROC) == "[]\n[True, True, True]\n"


def test_that_the_host_tells_it() -> None:
    assert len(Path("/proc/cmdline").read_bytes()) > 1


async def test_network(place: Place) -> None:
    """Its own loopback, up, and nothing of the host's."""
    with socket.create_server(("127.0.0.1", 0)) as trap:
        code = f"""if True:
            import os, socket
            print([line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]])
            listener = socket.create_server(("127.0.0.1", 0))
            socket.create_connection(listener.getsockname(), 5)
            listener6 = socket.create_server(("::1", 0), family=socket.AF_INET6)
            socket.create_connection(listener6.getsockname()[:2], 5)
            print(socket.socket().connect_ex(("127.0.0.1", {trap.getsockname()[1]})) != 0)
            for family, address in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
                try:  # asks for a route and sends nothing
                    socket.socket(family, socket.SOCK_DGRAM).connect((address, 9))
                    print("a route to", address)
                except OSError:
                    pass
            print(len(open("/proc/net/route").readlines()))
        """
        assert await place.seen(code) == "['lo']\nTrue\n1\n"
        trap.setblocking(False)
        with pytest.raises(BlockingIOError):
            trap.accept()


async def test_the_host_is_not_to_be_seen(place: Place, tmp_path: Path) -> None:
    """None of its files, folders, names, devices and interfaces."""
    secret = tmp_path / "secret"
    secret.write_text("x")
    code = f"""if True:
        import os
        paths = ["/sys", "/root", "/home", "/var", "/run", "/boot", "/mnt", "/media", "/srv", "/opt", "/lost+found",
                 "/etc/shadow", "/etc/ssh", "/etc/ssl", "/etc/resolv.conf", "/etc/hostname", "/etc/machine-id",
                 "/dev/kmsg", "/dev/mem", "/dev/vda", "/dev/sda", "/dev/fuse", "/dev/kvm", "/dev/mqueue",
                 "/proc/1/root/etc", {str(secret)!r}, {str(Path(__file__))!r}]
        print([path for path in paths if os.path.lexists(path)])
        print(os.uname().nodename, sorted(set(os.listdir("/")) - {{"bin", "sbin", "lib", "lib32", "lib64", "libx32"}}))
        print({{line.rstrip().split(":", 2)[2] for line in open("/proc/self/cgroup")}})
        print(os.listdir("/usr/local"))
    """
    nothing, names, groups, local = (await place.seen(code)).splitlines()
    if place.contained:  # there are folders of its image, and /sys is covered
        assert str(secret) not in nothing
        assert "/dev/" not in nothing.replace("/dev/mqueue", "")
        return
    assert nothing == "[]"
    assert names == "sandbox ['dev', 'etc', 'proc', 'tmp', 'usr', 'work']"
    assert groups == "{'/'}"
    assert local == "[]"


RUNTIMES_OWN = ("/dev", "/dev/null", "/dev/pts", "/dev/mqueue", "/etc/hosts", "/etc/hostname", "/etc/resolv.conf")


async def test_everything_but_its_own_is_read_only(place: Place) -> None:
    code = """if True:
        import os
        for line in open("/proc/self/mounts"):
            _, point, kind, options, *_ = line.split()
            if "rw" in options.split(",") and point not in ("/work", "/tmp", "/dev/shm", "/proc"):
                print(point, kind)
            assert point == "/" or "nosuid" in options, line
        for top, folders, files in os.walk("/", followlinks=False):
            folders[:] = [name for name in folders if top != "/" or name not in ("proc", "work", "tmp")]
            folders[:] = [name for name in folders if (top, name) != ("/dev", "shm")]
            if os.access(top, os.W_OK):
                print("writable:", top)
    """
    seen = (await place.seen(code)).splitlines()
    # A runtime's own mounts can be written to by root in there, which no program is.
    assert [line for line in seen if not (place.contained and line.split()[0] in RUNTIMES_OWN)] == []


async def test_no_set_user_programs(place: Place) -> None:
    """They are there, with the host's `/usr`, and give nobody another user."""
    code = """if True:
        import os, subprocess
        for name in ("su", "passwd", "mount", "newgrp", "chsh"):
            path = "/usr/bin/" + name
            if os.path.exists(path):
                script = f"exec {path} --help >/dev/null 2>&1 & cat /proc/$!/status 2>/dev/null; wait"
                text = subprocess.run(["sh", "-c", script], capture_output=True, text=True).stdout
                print([line for line in text.splitlines() if line.startswith("Uid") and "\\t0" in line] or "")
    """
    assert (await place.seen(code)).strip() == ""


async def test_the_services_environment_is_not_to_be_seen(place: Place) -> None:
    """Not where programs look for one, and not in the program's own memory either."""
    token = os.environ[TOKEN]
    code = f"""if True:
        import glob, os
        token = ({token[:16]!r} + {token[16:]!r}).encode()
        paths = [path for name in ("environ", "cmdline", "task/*/environ") for path in glob.glob("/proc/*/" + name)]
        for path in paths:
            try:
                if token in open(path, "rb").read():
                    print(path)
            except OSError:
                pass
        print(len(paths) > 3, token.decode() in os.environ.values())
    """
    assert await place.seen(code) == "True False\n"


async def test_what_is_told_of_the_isolation(place: Place) -> None:
    isolation = place.sandbox.isolation
    assert {"pid_ns", "mount_ns", "net_ns", "ipc_ns", "disk"} <= set(isolation.enforced)
    assert {"user_ns", "inodes"} <= {*isolation.enforced, *isolation.degraded}
    assert not set(isolation.enforced) & set(isolation.degraded)
    assert {"memory", "processes", "cpu", "uid_per_run"} <= set(isolation.enforced) | set(isolation.degraded)


async def test_signals_that_the_service_ignores() -> None:
    """Started by nohup, say: a program's signals act as they always do."""
    before = signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    executor = NamespaceExecutor()
    try:
        await executor.start()
        sandbox = await executor.open()
        command = [b"/bin/sh", b"-c", b"kill -USR1 $$; echo survived"]
        outcome = await sandbox.run(RunRequest(command, LIMITS))
        await sandbox.close()
    finally:
        signal.signal(signal.SIGUSR1, before)
        await executor.stop()
    assert (outcome.signal, outcome.stdout) == (signal.SIGUSR1, b"")
