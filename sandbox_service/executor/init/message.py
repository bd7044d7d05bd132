"""Messages from and to the worker, over one socket.

A message either way is: length of the header (4 bytes, big endian), header (JSON), then the blobs
whose sizes the header gives. Descriptors travel beside the first bytes of a request.
"""

import array
import fcntl
import json
import os
import socket
import struct

from .kernel import write_all

MAX_HEADER = 1 << 26


def receive_exactly(sock, size):
    """Read `size` bytes from the socket, in one piece: a program may be large, and is not held twice."""
    data = bytearray(size)
    view = memoryview(data)
    while view:
        count = sock.recv_into(view)
        if not count:
            raise EOFError
        view = view[count:]
    return data


def receive_request(sock):
    """The next request: header, files as (path, mode, content), the standard input, descriptors."""
    start, rights, _, _ = sock.recvmsg(4, socket.CMSG_SPACE(16 * 4), socket.MSG_CMSG_CLOEXEC)
    if not start:
        raise EOFError
    fds = array.array("i")
    for level, kind, data in rights:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            fds.frombytes(data[: len(data) - len(data) % fds.itemsize])
    size = struct.unpack(">I", start + receive_exactly(sock, 4 - len(start)))[0]
    header = json.loads(receive_exactly(sock, min(size, MAX_HEADER)))
    if header["kind"] == "join":
        return header, [], b"", list(fds)
    if header["kind"] == "keep":
        return header, [], receive_exactly(sock, header["size"]), []
    files = [(os.fsencode(path), mode, receive_exactly(sock, size)) for path, mode, size in header["files"]]
    stdin = receive_exactly(sock, header["stdin"])
    return header, files, stdin, list(fds)


def memory_file(content):
    """A descriptor that gives the content and then ends. Nobody can change it."""
    fd = os.memfd_create("stdin", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    write_all(fd, content)
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL)
    reading = os.open("/proc/self/fd/%d" % fd, os.O_RDONLY | os.O_CLOEXEC)
    os.close(fd)
    return reading


def send(sock, header, blobs=()):
    """Send a message."""
    text = json.dumps(header).encode("ascii")
    sock.sendall(struct.pack(">I", len(text)) + text)
    for blob in blobs:
        sock.sendall(blob)
