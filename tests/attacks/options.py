"""Attacks by options of calls that programs need: what the kernel has in there for few, and finds or loads for them."""

from __future__ import annotations

from tests.attacks.calls import by_call
from tests.executor.filters import NUMBERS as N

# A size that no machine has would be answered by the kernel alone; one it has is not reserved, so there need be none.
HUGE, UNRESERVED, OWN = 0x40000, 0x4000, 0x22
TCP = "one = socket.socket()\n"
MODULE = "reached(done >= 0 or ctypes.get_errno() == errno.ENOPKG)\n"
"""The kernel went to look for a module of its own, whether there was one or not."""
OPTIONS = [
    by_call(
        "huge pages that the host has set aside",
        "pages of the host",
        f"reached(call({N['mmap']}, 0, 2 << 20, 3, {HUGE | UNRESERVED | OWN}, -1, 0) != -1)",
    ),
    by_call(
        "huge pages, asked for beside bits that the kernel drops",
        "pages of the host",
        f"reached(call({N['mmap']}, 0, 2 << 20, 3, 1 << 40 | {HUGE | UNRESERVED | OWN}, -1, 0) != -1)",
    ),
    by_call(
        "huge pages, as a file without a name",
        "pages of the host",
        f"reached(call({N['memfd_create']}, b'huge', 4))",
    ),
    by_call(
        "a bridge of the host's kernel",
        "modules of the kernel",
        TCP + f"done = call({N['ioctl']}, one.fileno(), 0x8940, ctypes.create_string_buffer(64))\n" + MODULE,
    ),
    by_call(
        "a network within a network",
        "modules of the kernel",
        TCP + f"done = call({N['ioctl']}, one.fileno(), 0x8982, ctypes.create_string_buffer(64))\n" + MODULE,
    ),
    by_call(
        "signed connections",
        "modules of the kernel",
        TCP
        + "key = struct.pack('HHI120xBBHi80s', 2, 0, 0x0100007F, 0, 0, 3, 0, b'key')\n"
        + f"reached(call({N['setsockopt']}, one.fileno(), 6, 14, key, len(key)))",
    ),
    by_call(
        "packets that the kernel takes to be another protocol's",
        "modules of the kernel",
        "one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        f"reached(call({N['setsockopt']}, one.fileno(), 17, 100, struct.pack('i', 2), 4))",
    ),
    by_call(
        "its crash looked at by a helper of the host",
        "helpers of the kernel",
        f"call({N['setrlimit']}, 4, struct.pack('QQ', 0, 0))\n"
        "import resource\nreached(resource.getrlimit(resource.RLIMIT_CORE) == (0, 0))",
    ),
    by_call(
        "the same helper by the newer call",
        "helpers of the kernel",
        f"call({N['prlimit64']}, 0, 4, struct.pack('QQ', 0, 0), None)\n"
        "import resource\nreached(resource.getrlimit(resource.RLIMIT_CORE) == (0, 0))",
    ),
]
SHARED = """
import glob
for path in glob.glob("/usr/lib/python3*/pydoc_data/*.py") + glob.glob("/usr/share/zoneinfo/*"):
    try:
        fd, page = os.open(path, os.O_RDONLY), bytearray(4096)
        os.pread(fd, 1 << 20, 0)
        os.preadv(fd, [page], 0, os.RWF_NOWAIT)  # it is in memory
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    except OSError:
        continue
    try:
        os.preadv(fd, [page], 0, os.RWF_NOWAIT)
    except BlockingIOError:
        print("REACHED")
        break
"""
ATTACKS = [*OPTIONS, by_call("files of the host thrown out of its memory", "host load", SHARED)]
