"""What runs inside a sandbox: takes requests over a socket, runs each in namespaces of its own, answers.

Standard library only, any Python >= 3.8: this package is handed to the sandbox's own interpreter.
It is the root user of the sandbox's user namespace and never holds an expected output, a key or
an address. Processes of one run, outermost first:

    init      this process; starts runs one after the other, collects their output, watches limits
    reaper    PID 1 of the run's namespaces; sets them up, starts the program, at the end kills and
              reaps all that is left, collects files. A program that is PID 1 itself would behave
              differently: no default signals, abort() without SIGABRT
    program   the untrusted command, as a user that is neither init's nor the reaper's
"""

import ctypes
import json
import os
import select
import signal
import socket
import struct
import sys
import time

from .kernel import (
    CHUNK,
    MS_BIND,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_RDONLY,
    MS_REMOUNT,
    PAGE,
    check,
    forbid_user_namespaces,
    libc,
    mount,
)
from .message import receive_request, send
from .reaper import STARTED, reap_run
from .watch import Watch

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWPID, CLONE_NEWNET = (
    0x20000,
    0x4000000,
    0x8000000,
    0x20000000,
    0x40000000,
)
RUN_NAMESPACES = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET
SYS_CLONE = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
MAX_TERMINALS = 64
SYS_RT_SIGACTION, LAST_SIGNAL = {"x86_64": 13, "aarch64": 134}[os.uname().machine], 64
DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "pts")  # each is a mount that bubblewrap made


def clone_into_namespaces():
    """Fork into new namespaces, as their PID 1; a raw clone saves the second fork that unshare would need."""
    return check(libc.syscall(SYS_CLONE, ctypes.c_ulong(RUN_NAMESPACES | signal.SIGCHLD), 0, 0, 0, 0), "clone")


class Stream:
    """One output of the program, kept up to its limit, read on beyond it."""

    def __init__(self, fd, limit):
        self.fd, self.limit, self.content, self.cut = fd, limit, bytearray(), False

    def read(self):
        """Read what is there; False at its end, None if there is nothing."""
        try:
            data = os.read(self.fd, CHUNK)
        except BlockingIOError:
            return None
        if not data:
            return False
        room = self.limit - len(self.content)
        self.cut = self.cut or len(data) > room
        self.content += data[:room]
        return True


def used_cpu(usage_fd, reaper, before):
    """CPU seconds of the run so far: from its cgroup, else from the processes that are seen, without those before."""
    if usage_fd is not None:
        text = os.pread(usage_fd, PAGE, 0).split()
        return int(text[1]) / 1e6 if text[0] == b"usage_usec" else int(text[0]) / 1e9
    ticks = 0
    own = {os.getpid(), 1}
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) not in own:
            try:
                with open("/proc/%s/stat" % name, "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue
            # Its own and that of children it has waited for; the reaper's own is none of the run's.
            ticks += sum(int(value) for value in fields[13 if int(name) == reaper else 11 : 15])
    return ticks / os.sysconf("SC_CLK_TCK") - before


def supervise(request, reaper, out, err, report, usage_fd, watch):
    """Collect output and watch the limits until nobody of the run is alive: the limit that ended it, its start."""
    poll = select.poll()
    streams = {out.fd: out, err.fd: err}
    for fd in (out.fd, err.fd, report, watch.fd):
        poll.register(fd, select.POLLIN)
    started = killed_by = None
    before, over = 0.0, False
    while not over:
        timeout = None
        if started is not None and killed_by is None:
            wall_left = started + request["wall"] - time.monotonic()
            cpu_left = request["cpu"] - used_cpu(usage_fd, reaper, before)
            killed_by = (
                "cpu" if cpu_left <= 0 else "wall" if wall_left <= 0 else "output" if out.cut or err.cut else None
            )
            if killed_by:
                os.kill(reaper, signal.SIGTERM)
            # No earlier than this can a limit be met, even if the run keeps all cores busy.
            timeout = 1 + 1000 * max(0.0, min(wall_left, cpu_left / request["cores"]))
        for fd, event in poll.poll(timeout):
            if fd == report:
                over = os.read(report, 1) != STARTED  # also where the reaper is no more
                if not over:
                    started, before = time.monotonic(), struct.unpack("d", os.read(report, 8))[0]
            elif fd == watch.fd:
                poll.unregister(fd)
                if watch.look(event):
                    poll.register(watch.fd, select.POLLIN)
                elif watch.call is not None:
                    os.kill(reaper, signal.SIGTERM)
            elif streams[fd].read() is False:
                poll.unregister(fd)
    for stream in streams.values():
        # What is there, not until the end: a descriptor sent into a socket that is itself on its way into a socket
        # outlives all processes, and holds the pipe open for as long as the kernel likes.
        while not stream.cut and stream.read():
            pass
    if killed_by is None and (out.cut or err.cut):
        killed_by = "output"
    return killed_by, started


def read_report(report):
    """The reaper's answer; the files that it names follow it."""
    start = os.read(report, 4)
    if len(start) < 4:
        return {"stage": "setup", "text": "the reaper died", "files": []}
    size, text = struct.unpack(">I", start)[0], b""
    while len(text) < size:
        part = os.read(report, size - len(text))
        if not part:
            raise EOFError
        text += part
    return json.loads(text)


def relay(report, sock, size):
    """Pass on what the reaper sends."""
    while size:
        part = os.read(report, min(size, CHUNK))
        if not part:
            raise EOFError
        sock.sendall(part)
        size -= len(part)


def serve_run(sock, request, files, stdin, fds):
    """Run one request and answer it."""
    received = time.monotonic()
    usage_fd = fds.pop() if request["usage"] else None
    channel, groups = (fds[:2], fds[2:]) if request["channel"] else ([], fds)
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    report_read, report_write = os.pipe()
    listening, teller = socket.socketpair()
    for fd in (out_read, err_read):
        os.set_blocking(fd, False)
    if request["uid"] is not None:
        for fd in (out_write, err_write):
            os.fchown(fd, request["uid"], request["uid"])  # so that the program may open /dev/stdout
    reaper = clone_into_namespaces()
    if reaper == 0:
        for fd in (out_read, err_read, report_read, sock.fileno()):
            os.close(fd)
        listening.close()
        reap_run(request, files, (stdin, out_write, err_write), channel, groups, report_write, teller)
    for fd in [out_write, err_write, report_write, stdin, *fds]:
        os.close(fd)
    teller.close()
    out, err, watch = Stream(out_read, request["output"]), Stream(err_read, request["output"]), Watch(listening)
    killed_by, started = supervise(request, reaper, out, err, report_read, usage_fd, watch)
    watch.close()
    answer = read_report(report_read)
    answer.update(
        killed_by=killed_by,
        violation=watch.call,
        start=(started or time.monotonic()) - received,
        stdout=len(out.content),
        stderr=len(err.content),
    )
    answer.update(stdout_cut=out.cut, stderr_cut=err.cut)
    send(sock, answer, [out.content, err.content])
    relay(report_read, sock, sum(size for _, size in answer["files"]))
    for fd in [out_read, err_read, report_read] + ([usage_fd] if usage_fd is not None else []):
        os.close(fd)
    os.waitpid(reaper, 0)
    free_what_is_in_flight()


def free_what_is_in_flight():
    """Have the kernel look for descriptors that were sent into sockets which are themselves on their way.

    Nobody can receive them any more, but until the next socket is closed they hold what they stand for: also a file,
    and with it all of the run's file system and its memory.
    """
    for end in socket.socketpair():
        end.close()


def close_devices():
    """Make the mounts below /dev read-only: devices can be written to all the same, but keep their times and modes.

    Their times are whoever's may write to them, and those of the terminals' folder also the modes are a program's that
    has init's user: no run leaves anything there for the next. bubblewrap would close them to all use.
    """
    # Each terminal holds memory that is nobody's, and the host has but a few thousand.
    mount("none", "/dev/pts", "", MS_REMOUNT | MS_NOSUID | MS_NOEXEC, "mode=620,ptmxmode=666,max=%d" % MAX_TERMINALS)
    for name in DEVICES:
        flags = os.statvfs("/dev/" + name).f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC)
        mount("none", "/dev/" + name, "", MS_REMOUNT | MS_BIND | MS_RDONLY | flags)


def close_all_but(kept):
    """Close what bubblewrap was given, among it a folder of the host: from there on `..` would lead anywhere."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and int(name) not in kept:
            try:
                os.close(int(name))
            except OSError:  # that of the listing itself
                pass


def forget_signals():
    """Give every signal its default action: what the service was started with, or Python set, is no program's concern.

    By the system call itself: libc keeps two of them for its own.
    """
    for number in range(1, LAST_SIGNAL + 1):
        libc.syscall(SYS_RT_SIGACTION, number, bytes(32), None, 8)


def main():
    """Serve runs until the worker is gone."""
    forget_signals()
    sock = socket.socket(fileno=int(sys.argv[1]))
    close_all_but({sock.fileno(), int(os.path.basename(sys.argv[0]))})  # the latter is this program, for tracebacks
    ranged = sys.argv[2] == "range"
    close_devices()
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    send(sock, {"hello": 1, "python": sys.version.split()[0], "no_user_ns": ranged and forbid_user_namespaces(proc)})
    os.close(proc)
    while True:
        try:
            # Nothing of a request is kept until the next one: programs may be large.
            serve_run(sock, *receive_request(sock))
        except EOFError:
            return
