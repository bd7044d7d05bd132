"""System calls that a program may not make: what it is told, and that it is the filter that tells it.

Each is made a second time with the filter off, and then the kernel answers something else. Where its answer is the
same, or the call is done, the layer behind the filter is named.
"""

from __future__ import annotations

import errno
import json
import signal

import pytest

from sandbox_service.contract.outcome import Outcome
from tests.executor.filters import MACHINE, NUMBERS, OPEN, filter_of, profile
from tests.executor.place import Place

DEFAULT = profile("default")
Calls = list[tuple[str, list[int]]]
CALL = """
import ctypes, json, sys
libc = ctypes.CDLL(None, use_errno=True)
for number, arguments in json.loads(sys.argv[1]):
    result = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
    print(ctypes.get_errno() if result == -1 else 0)
"""
NONSENSE = [-1] * 6
"""Arguments for which the kernel finds something wrong with any call, and hardly ever the same as the filter."""
SENSE = {"splice": [-1, 0, -1, 0, 1, 0], "tee": [-1, -1, 1, 0], "vmsplice": [-1, 0, 0, 0]}
"""Where it is the same."""
NO_CAPABILITY = "the kernel asks for a capability first, and programs have none"
NOT_BUILT = "this kernel was built without it"
BEHIND = dict.fromkeys(["sethostname", "setdomainname", "syslog", "vhangup"], NO_CAPABILITY)


async def answers(place: Place, calls: Calls, *, seccomp: bytes | None = None) -> list[str]:
    """What the calls come to: `ok` or the name of the error, for each."""
    given = json.dumps([(NUMBERS[name], arguments) for name, arguments in calls]).encode()
    outcome = await place.python(CALL, given, seccomp=seccomp)
    assert (outcome.exit_code, outcome.security_violation) == (0, False), outcome
    return [errno.errorcode.get(int(line), "ok") for line in outcome.stdout.splitlines()]


def refused(name: str = "default") -> dict[str, str]:
    """The calls that are refused whatever their arguments, with the answer, as far as this machine has them."""
    groups = profile(name).groups.items()
    plain = {call: group.answer for call, group in groups if not group.allow_if and call in NUMBERS}
    return {call: answer for call, answer in plain.items() if answer not in ("allow", "kill", "nothing")}


@pytest.mark.parametrize("name", ["default", "strict", "trusted"])
async def test_calls_that_are_refused(place: Place, name: str) -> None:
    """One and all; also those that `strict` refuses besides."""
    calls = refused(name)
    assert len(calls) > 30
    asked = [(call, SENSE.get(call, NONSENSE)) for call in calls]
    assert dict(zip(calls, await answers(place, asked, seccomp=filter_of(name)), strict=True)) == calls
    without = dict(zip(calls, await answers(place, asked, seccomp=OPEN), strict=True))
    same = {call for call, answer in without.items() if answer == calls[call]}
    missing = {call for call in same if without[call] == "ENOSYS"}  # NOT_BUILT
    assert len(missing) < len(calls) / 4
    assert same - missing <= set(BEHIND)


CLONE_NEW = (0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
S_IFCHR, S_IFBLK, NO_PATH, NO_FD = 0o020000, 0o060000, -1, -1
STREAM, DGRAM, RAW, SEQPACKET = 1, 2, 3, 5
HIGH = 1 << 32
BY_ARGUMENT: dict[str, tuple[str, list[int], str]] = {
    # what: the call, its arguments, the answer; without the filter the kernel answers something else
    **{f"clone {flag:#x}": ("clone", [flag | 17, 0, 0, 0, 0], "EPERM") for flag in CLONE_NEW},
    "clone with bits that the kernel drops": ("clone", [HIGH | 0x10000000 | 17, 0, 0, 0, 0], "EPERM"),
    "character device": ("mknodat", [-100, NO_PATH, S_IFCHR | 0o666, 0x501], "EPERM"),
    "block device": ("mknodat", [-100, NO_PATH, S_IFBLK | 0o666, 0x801], "EPERM"),
    "block device, with bits that the kernel drops": ("mknodat", [-100, NO_PATH, HIGH | S_IFBLK, 0x801], "EPERM"),
    "TIOCSTI": ("ioctl", [NO_FD, 0x5412, 0], "EPERM"),
    "TIOCSTI, with bits that the kernel drops": ("ioctl", [NO_FD, HIGH | 0x5412, 0], "EPERM"),
    "TIOCLINUX": ("ioctl", [NO_FD, 0x541C, 0], "EPERM"),
    "TIOCSETD": ("ioctl", [NO_FD, 0x5423, 0], "EPERM"),
    "SIOCGIFBR": ("ioctl", [NO_FD, 0x8940, 0], "EPERM"),
    "SIOCGIFVLAN": ("ioctl", [NO_FD, 0x8982, 0], "EPERM"),
    "SIOCBRADDBR, with bits that the kernel drops": ("ioctl", [NO_FD, HIGH | 0x89A0, 0], "EPERM"),
    "BTRFS_IOC_SYNC": ("ioctl", [NO_FD, 0x9408, 0], "EPERM"),
    "FS_IOC_ADD_ENCRYPTION_KEY": ("ioctl", [NO_FD, 0xC0506617, 0], "EPERM"),
    "MAP_HUGETLB": ("mmap", [0, 2 << 20, 3, 0x44022, -1, 0], "ENOMEM"),
    "MAP_HUGETLB, with bits that the kernel drops": ("mmap", [0, 2 << 20, 3, HIGH | 0x44022, -1, 0], "ENOMEM"),
    "MFD_HUGETLB": ("memfd_create", [NO_PATH, 4], "ENODEV"),
    "PR_SET_SECCOMP": ("prctl", [22, 2, 0, 0, 0], "EINVAL"),
    "PR_SET_MM": ("prctl", [35, 1, 0, 0, 0], "EINVAL"),
    "ADDR_NO_RANDOMIZE": ("personality", [0x40000], "EPERM"),
    "READ_IMPLIES_EXEC": ("personality", [0x400000], "EPERM"),
    "MMAP_PAGE_ZERO": ("personality", [0x100000], "EPERM"),
    "netlink": ("socket", [16, RAW, 0], "EAFNOSUPPORT"),
    "netlink, with bits that the kernel drops": ("socket", [HIGH | 16, RAW, 0], "EAFNOSUPPORT"),
    "netlink for the firewall": ("socket", [16, RAW, 12], "EAFNOSUPPORT"),
    "packet": ("socket", [17, RAW, 0x300], "EAFNOSUPPORT"),
    "raw IPv4": ("socket", [2, RAW, 1], "EAFNOSUPPORT"),
    "raw IPv6": ("socket", [10, RAW, 58], "EAFNOSUPPORT"),
    "ICMP": ("socket", [2, DGRAM, 1], "EAFNOSUPPORT"),
    "pairs of IPv4": ("socketpair", [2, STREAM, 0, 0], "EAFNOSUPPORT"),
    "SO_ATTACH_FILTER": ("setsockopt", [NO_FD, 1, 26, 0, 0], "ENOPROTOOPT"),
    "SO_ATTACH_BPF": ("setsockopt", [NO_FD, 1, 50, 0, 0], "ENOPROTOOPT"),
    "SO_ATTACH_REUSEPORT_EBPF": ("setsockopt", [NO_FD, 1, 52, 0, 0], "ENOPROTOOPT"),
    "TCP_ULP": ("setsockopt", [NO_FD, 6, 31, 0, 0], "ENOPROTOOPT"),
    "TCP_ULP, with bits that the kernel drops": ("setsockopt", [NO_FD, HIGH | 6, HIGH | 31, 0, 0], "ENOPROTOOPT"),
    "TCP_MD5SIG": ("setsockopt", [NO_FD, 6, 14, 0, 0], "ENOPROTOOPT"),
    "TCP_REPAIR": ("setsockopt", [NO_FD, 6, 19, 0, 0], "ENOPROTOOPT"),
    "TCP_AO_ADD_KEY": ("setsockopt", [NO_FD, 6, 38, 0, 0], "ENOPROTOOPT"),
    "UDP_ENCAP": ("setsockopt", [NO_FD, 17, 100, 0, 0], "ENOPROTOOPT"),
    "options of SCTP": ("setsockopt", [NO_FD, 132, 0, 0, 0], "ENOPROTOOPT"),
}
BEHIND_BY_ARGUMENT = {name: NO_CAPABILITY for name in BY_ARGUMENT if name.startswith("clone")}
"""A new user namespace would need none: of those this user namespace has no more to give."""


@pytest.mark.parametrize("name", ["default", "strict"])
async def test_calls_that_are_refused_for_their_arguments(place: Place, name: str) -> None:
    expected = {what: answer for what, (_, _, answer) in BY_ARGUMENT.items()}
    calls = [(call, arguments) for call, arguments, _ in BY_ARGUMENT.values()]
    found = dict(zip(expected, await answers(place, calls, seccomp=filter_of(name)), strict=True))
    assert found == expected
    without = dict(zip(expected, await answers(place, calls, seccomp=OPEN), strict=True))
    same = {what for what, answer in without.items() if answer == expected[what]}
    assert same <= set(BEHIND_BY_ARGUMENT)
    assert "ok" not in [without[what] for what in BEHIND_BY_ARGUMENT]


@pytest.mark.parametrize("name", ["default", "strict", "trusted"])
async def test_families_of_sockets(place: Place, name: str) -> None:
    """All there may be, in all types: those within the run alone. Which others a kernel has differs."""
    calls = [("socket", [family, kind, 0]) for family in range(64) for kind in (STREAM, DGRAM, RAW, SEQPACKET)]
    found = await answers(place, calls, seccomp=filter_of(name))
    made = {arguments[0] for (_, arguments), answer in zip(calls, found, strict=True) if answer == "ok"}
    assert made == {1, 2, 10} | ({16} if name == "trusted" else set())
    others = [answer for (_, arguments), answer in zip(calls, found, strict=True) if arguments[0] not in (1, 2, 10, 16)]
    assert set(others) == {"EAFNOSUPPORT"}
    without = await answers(place, calls, seccomp=OPEN)
    assert without.count("ok") > found.count("ok")


async def test_what_is_not_done_but_said_to_be(place: Place) -> None:
    calls: Calls = [("syncfs", [NO_FD]), ("setrlimit", [4, NO_PATH]), ("prlimit64", [0, 4, NO_PATH, 0])]
    calls += [("fadvise64", [NO_FD, 0, 0, 4]), ("sync", [])]
    assert await answers(place, calls) == ["ok"] * 5
    assert (await answers(place, calls, seccomp=OPEN))[:4] == ["EBADF", "EFAULT", "EFAULT", "EBADF"]


async def test_what_strict_refuses_besides_for_its_arguments(place: Place) -> None:
    """A watch of a folder by the older call."""
    calls: Calls = [("fcntl", [NO_FD, 0x402, 0])]
    assert await answers(place, calls, seccomp=filter_of("strict")) == ["EINVAL"]
    assert await answers(place, calls) == ["EBADF"]


KILLING = sorted(call for call, group in DEFAULT.groups.items() if group.answer == "kill" and call in NUMBERS)


async def called(place: Place, call: str, *, seccomp: bytes | None = None) -> Outcome:
    return await place.python(CALL, json.dumps([(NUMBERS[call], NONSENSE)]).encode(), seccomp=seccomp)


@pytest.mark.parametrize("call", KILLING)
async def test_calls_that_end_the_run(place: Place, call: str) -> None:
    assert {profile(name).groups[call].answer for name in ("strict", "trusted")} == {"kill"}
    outcome = await called(place, call)
    assert outcome.security_violation, outcome
    assert (outcome.signal, outcome.stdout, outcome.killed_by) == (signal.SIGKILL, b"", None)
    without = await called(place, call, seccomp=OPEN)
    assert (without.exit_code, without.security_violation) == (0, False)
    assert int(without.stdout) in (errno.EPERM, errno.EFAULT, errno.EINVAL, errno.ENOSYS, errno.EBADF)


def test_what_ends_the_run() -> None:
    assert {"mount", "umount2", "pivot_root", "init_module", "kexec_load", "reboot", "swapon"} <= set(KILLING)


MOUNT = f"libc.syscall({NUMBERS['mount']}, b'none', b'/tmp', b'tmpfs', 0, None)"
HEAD = "import ctypes, os, signal, sys, threading, time\nlibc = ctypes.CDLL(None, use_errno=True)\n"
SOMEWHERE = {
    "a child": f"if os.fork() == 0: {MOUNT}; os._exit(0)\nos.wait()",
    "a child of a child": f"if os.fork() == 0:\n if os.fork() == 0: {MOUNT}\n time.sleep(100)\nos.wait()",
    "an orphan": f"if os.fork() == 0:\n if os.fork() == 0: os.setsid(); {MOUNT}\n os._exit(0)\ntime.sleep(100)",
    "a thread": f"threading.Thread(target=lambda: {MOUNT}).start()\ntime.sleep(100)",
    "many at once": f"for _ in range(20):\n if os.fork() == 0: {MOUNT}\nsignal.pause()",
    "another program": f"os.execv(sys.executable, [sys.executable, '-c', {HEAD + MOUNT!r}])",
    "one that handles signals": (
        "for number in set(range(1, 32)) - {9, 19}: signal.signal(number, lambda *_: None)\n"
        f"signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n{MOUNT}"
    ),
    # Not so much that its limit is met before the child has come to it.
    "a child while much is written": (
        f"import time\nif os.fork() == 0: {MOUNT}\nwhile True: os.write(1, bytes(16)); time.sleep(0.001)"
    ),
}


@pytest.mark.parametrize("who", SOMEWHERE)
async def test_whoever_makes_the_call(place: Place, who: str) -> None:
    """It ends the run as a whole, whatever the program itself does meanwhile."""
    outcome = await place.python(f"{HEAD}{SOMEWHERE[who]}\nprint('went on')")
    assert outcome.security_violation, outcome
    assert b"went on" not in outcome.stdout


FILTER_OF_ITS_OWN = """
program = (ctypes.c_ushort * 4)()
ctypes.memmove(program, bytes.fromhex("0600000000000080"), 8)  # kill the process for any call
pointer = bytes.fromhex("0100" + "00" * 6) + ctypes.addressof(program).to_bytes(8, "little")
libc.prctl(22, 2, ctypes.create_string_buffer(pointer), 0, 0)
"""
SENT = {
    "to itself": "os.kill(os.getpid(), signal.SIGSYS)",
    "from a child": "if os.fork() == 0: os.kill(os.getppid(), signal.SIGSYS); os._exit(0)\nsignal.pause()",
    "by a thread": "threading.Thread(target=lambda: os.kill(os.getpid(), signal.SIGSYS)).start()\nsignal.pause()",
    "looking like the kernel's": (
        "info = (ctypes.c_int * 32)(signal.SIGSYS, 0, 1)\n"  # si_code SYS_SECCOMP
        f"libc.syscall({NUMBERS['rt_sigqueueinfo']}, os.getpid(), signal.SIGSYS, info)\nsignal.pause()"
    ),
}


@pytest.mark.parametrize("how", SENT)
async def test_the_same_signal_from_the_program(place: Place, how: str) -> None:
    """Is no violation: only a call that was made is one."""
    outcome = await place.python(f"{HEAD}{SENT[how]}")
    assert (outcome.signal, outcome.security_violation) == (signal.SIGSYS, False)


async def test_a_filter_of_the_programs_own(place: Place) -> None:
    """Where it may have one: that it kills is no violation either."""
    outcome = await place.python(HEAD + FILTER_OF_ITS_OWN, seccomp=filter_of("trusted"))
    assert (outcome.signal, outcome.security_violation) == (signal.SIGSYS, False)


async def test_the_same_exit_code(place: Place) -> None:
    outcome = await place.bash("exit 159")
    assert (outcome.exit_code, outcome.security_violation) == (159, False)


async def test_the_next_run_is_none_the_worse(place: Place) -> None:
    for _ in range(3):
        assert (await called(place, "mount")).security_violation
        assert await place.seen("print(1)") == "1\n"


X32 = """
#include <stdio.h>
#include <errno.h>
#include <unistd.h>
#include <sys/syscall.h>
int main() {
    long result = syscall(0x40000000 + SYS_mount, 0, 0, 0, 0, 0);
    printf("%ld %d\\n", result, errno);
    return 0;
}
"""


@pytest.mark.skipif(MACHINE != "x86_64", reason="has no x32")
async def test_the_numbers_of_x32(place: Place) -> None:
    outcome = await place.c(X32)
    assert (outcome.stdout, outcome.security_violation) == (b"-1 38\n", False)


async def test_a_filter_is_said_to_be_there(place: Place) -> None:
    status = await place.seen("print(open('/proc/self/status').read())")
    assert "Seccomp:\t2" in status
    assert "seccomp" in place.sandbox.isolation.enforced
