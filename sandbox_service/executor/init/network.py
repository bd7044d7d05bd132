"""The network namespace in which the runs of a sandbox are: nothing but `lo`, prepared once, exchanged when used."""

import _socket
import fcntl
import os
import struct

from .kernel import CLONE_NEWNET, unshare

SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
COUNTERS = ("dev", "snmp", "snmp6")
"""All that went through `lo`, and what was sent although there was no way."""
MOST = 16384


class Network:
    """The namespace of this process and of those that it bears."""

    def __init__(self):
        self._fds = []
        self.renew()

    def renew(self):
        """Move into a fresh one."""
        for fd in self._fds:
            os.close(fd)
        unshare(CLONE_NEWNET)
        raise_loopback()
        self._fds = [
            os.open("/proc/self/net/" + name, os.O_RDONLY | os.O_CLOEXEC)
            for name in ("sockstat", *COUNTERS)
            if os.path.exists("/proc/self/net/" + name)
        ]
        self._fresh = self._traces()

    def _traces(self):
        """What tells of use. Of `sockstat` only how many sockets there are is this namespace's own."""
        sockets, *counters = [os.pread(fd, MOST, 0) for fd in self._fds]
        return [sockets.split(b"\n", 1)[0], *counters]

    @property
    def used(self):
        """Whether a run sent anything, or left a socket; without either nothing of it is to be seen."""
        return self._traces() != self._fresh


def raise_loopback():
    """Bring up `lo`, the only interface."""
    sock = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
    interface = struct.pack("16sH14x", b"lo", 0)
    flags = struct.unpack("16sH14x", fcntl.ioctl(sock, SIOCGIFFLAGS, interface))[1]
    fcntl.ioctl(sock, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))
    sock.close()
