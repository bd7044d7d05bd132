"""The filter of system calls, and how a call that it kills for is known.

A run that is killed by the kernel looks just like one that sent itself SIGSYS, and where a descendant is killed the
program may not even notice. So such a call is held up by the kernel until init, who listens to the filter, has heard
of it; init then ends the whole run. While nobody listens any more, the kernel answers that there is no such call.
"""

import _socket
import ctypes
import fcntl
import os
import select
import struct

from .kernel import address_of, check, libc

SYS_SECCOMP = {"x86_64": 317, "aarch64": 277}[os.uname().machine]
SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER = 1, 8
SECCOMP_IOCTL_NOTIF_RECV, NOTIFICATION_BYTES = 0xC0502100, 80
NUMBER_AT = 16  # of the call, in struct seccomp_notif


def described(program):
    """A filter, given as an array of struct sock_filter (8 bytes each), as the kernel takes it; keep that, too."""
    return struct.pack("HxxxxxxP", len(program) // 8, address_of(program))


def load_seccomp(program, teller):
    """Load a filter and hand on who listens to it."""
    flag = ctypes.c_ulong(SECCOMP_FILTER_FLAG_NEW_LISTENER)
    listener = check(libc.syscall(SYS_SECCOMP, SECCOMP_SET_MODE_FILTER, flag, described(program)), "seccomp")
    rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("i", listener))]
    teller.sendmsg([b"L"], rights)
    os.close(listener)


class Letter:
    """A message of one byte that hands on a descriptor.

    Attributes:
        fd: the address of the number of that.
        head: the address of the message, as sendmsg(2) takes it.
    """

    def __init__(self):
        word, rights = ctypes.create_string_buffer(b"L", 1), ctypes.create_string_buffer(_socket.CMSG_SPACE(4) + 8)
        struct.pack_into("Nii", rights, 0, _socket.CMSG_LEN(4), _socket.SOL_SOCKET, _socket.SCM_RIGHTS)
        piece = struct.pack("PN", ctypes.addressof(word), 1)
        parts = (0, 0, address_of(piece), 1, ctypes.addressof(rights), _socket.CMSG_SPACE(4), 0)
        head = struct.pack("PIxxxxPNPNixxxx", *parts)
        self._kept = word, rights, piece, head
        self.fd, self.head = ctypes.addressof(rights) + _socket.CMSG_LEN(0), address_of(head)


class Watch:
    """Init's end: `fd` is what to wait for, `call` the number of the call that the run is to be ended for."""

    def __init__(self, sock):
        self._sock, self.fd, self.call = sock, sock.fileno(), None

    def look(self, event):
        """Take what poll found there; whether there is more to wait for, perhaps at another `fd`."""
        if self._sock:
            _, rights, _, _ = self._sock.recvmsg(1, _socket.CMSG_SPACE(4), _socket.MSG_CMSG_CLOEXEC)
            self.close()
            self.fd = struct.unpack("i", rights[0][2][:4])[0] if rights else None
            return self.fd is not None
        if not event & select.POLLIN:
            return False  # everyone is dead who could make a call
        notification = bytearray(NOTIFICATION_BYTES)
        try:
            fcntl.ioctl(self.fd, SECCOMP_IOCTL_NOTIF_RECV, notification)
        except FileNotFoundError:  # who made the call was killed meanwhile
            return True
        self.call = struct.unpack_from("i", notification, NUMBER_AT)[0]
        return False

    def close(self):
        """Close what is still open. A call that is held up would then go on, so not before nobody is alive."""
        if self._sock:
            self._sock.close()
            self._sock = None
        elif self.fd is not None:
            os.close(self.fd)
        self.fd = None
