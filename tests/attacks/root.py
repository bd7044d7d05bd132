"""Attacks that want what only the root user of the sandbox's namespace may do: mounts, namespaces, memory."""

from __future__ import annotations

from tests.attacks.attack import Attack, Off
from tests.attacks.calls import HEAD, USER, by_call
from tests.executor.filters import NUMBERS as N

ROOT = Off(
    seccomp=True,
    init=(
        USER,
        ("program", '        self._add("capset", CAPABILITIES, NO_CAPABILITIES)\n', ""),
        ("zygote", "        drop_bounding_set()\n", ""),
    ),
)
"""A program that is, with all its rights, the user to whom the sandbox belongs."""


def tries(what: str) -> str:
    """Python that has reached something if nothing is raised."""
    return f"try: reached(bool({what}))\nexcept OSError as error: print(errno.errorcode[error.errno])"


MOUNTS = [
    by_call("a file system by the new calls", "mounts", f"reached(call({N['fsopen']}, b'tmpfs', 0))", ROOT),
    by_call("a copy of the mounts below a folder", "mounts", f"reached(call({N['open_tree']}, -100, b'/', 1))", ROOT),
    by_call(
        "the root made writable",
        "mounts",
        f"call({N['mount']}, b'', b'/', b'', 0x1020, None)\n" + tries("os.mkdir('/mine') is None"),
        ROOT,
    ),
    by_call(
        "the same by an attribute of the mount",
        "mounts",
        "attributes = ctypes.create_string_buffer(struct.pack('QQQQ', 0, 1, 0, 0))\n"
        f"call({N['mount_setattr']}, -100, b'/', 0, attributes, 32)\n" + tries("os.mkdir('/yours') is None"),
        ROOT,
    ),
    by_call(
        "what covers /proc, taken off",
        "mounts",
        f"call({N['umount2']}, b'/proc/cmdline', 2)\n" + tries("open('/proc/cmdline').read()"),
        ROOT,
    ),
    by_call(
        "a folder of its own over the system's programs",
        "mounts",
        "os.makedirs('bin')\nopen('bin/mine', 'w').close()\n"
        f"call({N['mount']}, b'/work/bin', b'/usr/bin', b'', 0x1000, None)\n" + tries("os.stat('/usr/bin/mine')"),
        ROOT,
    ),
    by_call("another root", "mounts", f"reached(call({N['chroot']}, b'/usr'))", ROOT),
    by_call(
        "the host's control groups, mounted",
        "mounts",
        f"reached(call({N['mount']}, b'none', b'/tmp', b'cgroup2', 0, None))",
        ROOT,
    ),
]
NAMESPACES = [
    by_call(
        "into the mounts of who watches",
        "namespaces of others",
        "try: fd = os.open('/proc/1/ns/mnt', os.O_RDONLY)\nexcept OSError as error: print(error)\n"
        f"else: reached(call({N['setns']}, fd, 0))",
        ROOT,
    ),
    by_call(
        "the same by a descriptor of the process",
        "namespaces of others",
        f"reached(call({N['setns']}, os.pidfd_open(1), 0x20000))",
        ROOT,
    ),
    by_call("a clock of its own", "namespaces of others", f"reached(call({N['unshare']}, 0x80))", ROOT),
    by_call("another name for the machine", "namespaces of others", "reached(libc.sethostname(b'mine', 4))", ROOT),
]
WATCHERS = [
    by_call("the memory of who watches", "processes of who watches", tries("open('/proc/1/mem', 'r+b')"), ROOT),
    by_call("the file system of who watches", "processes of who watches", tries("os.listdir('/proc/1/root/')"), ROOT),
    by_call("the descriptors of who watches", "processes of who watches", tries("os.listdir('/proc/1/fd')"), ROOT),
    by_call(
        "stepping through who watches",
        "processes of who watches",
        f"reached(call({N['ptrace']}, 0x4206, 1, 0, 0))",
        ROOT,
    ),
    by_call(
        "limits for who watches",
        "processes of who watches",
        f"one = ctypes.create_string_buffer(struct.pack('QQ', 1, 1))\nreached(call({N['prlimit64']}, 1, 0, one, None))",
        ROOT,
    ),
    by_call(
        "who watches slowed down",
        "processes of who watches",
        f"reached(call({N['setpriority']}, 0, 1, 19))",
        ROOT,
    ),
    by_call(
        "who watches kept from all but one processor",
        "processes of who watches",
        tries("os.sched_setaffinity(1, {0}) is None"),
        ROOT,
    ),
    by_call(
        "who watches last in the queue for disks",
        "processes of who watches",
        f"reached(call({N['ioprio_set']}, 1, 1, 3 << 13))",
        ROOT,
    ),
    by_call(
        "who watches scheduled only when nobody else wants to",
        "processes of who watches",
        tries("os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)) is None"),
        ROOT,
    ),
]
RIGHTS = [
    by_call("packets of its own making", "rights", tries("socket.socket(2, socket.SOCK_RAW, 1)"), ROOT),
    by_call(
        "a program that brings rights",
        "rights",
        "open('program', 'w').close()\n"
        + tries(
            "os.setxattr('program', 'security.capability', struct.pack('<5I', 0x2000001, 1 << 21, 0, 0, 0)) is None"
        ),
        ROOT,
    ),
    by_call(
        "a setting of the network, for the next run",
        "rights",
        tries("open('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'w').write('0')"),
        ROOT,
    ),
    Attack(
        "the end of all of the run, by a reboot",
        "rights",
        HEAD + f"if os.fork() == 0: call({N['reboot']}, -18751827, 672274793, 0x4321FEDC, None)\ntime.sleep(5)",
        ROOT,
        fails_us=True,
    ),
    Attack(
        "anything else that can be written to",
        "rights",
        "import os\nown = ('/work', '/tmp', '/dev', '/proc')\n"
        "for folder, folders, files in os.walk('/'):\n"
        " folders[:] = [name for name in folders if not os.path.join(folder, name).startswith(own)]\n"
        " for name in ('', *files):\n"
        "  path = os.path.join(folder, name)\n"
        "  if os.access(path, os.W_OK) and not os.path.islink(path): print('REACHED', path)",
        Off(init=(USER,), outer=(("--remount-ro", "/"),)),
        long=True,
    ),
]
ATTACKS = [*MOUNTS, *NAMESPACES, *WATCHERS, *RIGHTS]
