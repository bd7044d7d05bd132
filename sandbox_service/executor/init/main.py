"""What runs inside a sandbox: takes requests over a socket, runs each in namespaces of its own, answers.

Standard library only, any Python >= 3.8: this package is handed to the sandbox's own interpreter.
It is the root user of the sandbox's user namespace and never holds an expected output, a key or
an address. Processes:

    init      this process; lays out the files of a run, collects its output and files, watches its limits
    zygote    bears all programs, in the sandbox's control group; knows nothing of them
    reaper    PID 1 of a run's namespaces. A program that is PID 1 itself would behave differently:
              no default signals, abort() without SIGABRT
    program   the untrusted command, as a user that is neither init's nor the reaper's
"""

import json
import os
import socket
import sys
import time

from .collect import collect, send_file
from .kernel import (
    MS_BIND,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_RDONLY,
    MS_REC,
    MS_REMOUNT,
    forget_signals,
    limit_counts,
    mount,
)
from .launcher import Gone, Launcher
from .message import memory_file, receive_request, send
from .root import make_root
from .supervise import Supervision

MAX_TERMINALS = 64
DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "pts")  # each is a mount that bubblewrap made


class Slot:
    """Init's state between runs.

    Args:
        sock: the socket to the worker.
        environment: of a fresh interpreter.
        preload: name of the set of modules that it has read already.
    """

    def __init__(self, sock, environment, preload):
        self._sock, self._launcher, self._usage = sock, Launcher(environment, preload), None
        self.can_be_warm = self._launcher.can_be_warm

    def serve(self):
        """Take requests until the worker is gone."""
        while True:
            # Nothing of a request is kept until the next one: programs may be large.
            request, files, stdin, fds = receive_request(self._sock)
            if request["kind"] == "join":
                self._join(request, fds)
            elif request["kind"] == "keep":
                self._launcher.keep(stdin, is_filter=request["filter"])
                send(self._sock, {"kept": True})
            else:
                self._run(request, files, stdin, fds)

    def _join(self, request, fds):
        """A control group for the runs from now on."""
        if self._usage is not None:
            os.close(self._usage)
        self._usage = fds[-1] if request["usage"] else None
        self._launcher.join(fds, request["usage"], request["keep_network"], request["idle_reaper"])
        for fd in fds:
            if fd != self._usage:
                os.close(fd)
        send(self._sock, {"joined": True})

    def _run(self, request, files, stdin, channel):
        """Run one request and answer it."""
        received = time.monotonic()
        try:
            root = make_root(request, files)
        except OSError as error:
            for fd in channel:
                os.close(fd)
            return send(self._sock, {**NOTHING, **failure("setup", error)})
        run = Supervision(request, self._launcher, self._usage)
        try:
            run.start(root, files, memory_file(stdin), channel)
            answer = run.to_the_end()
        except Gone:
            answer = run.lost()
        answer["start"] = (run.started or time.monotonic()) - received
        found = []
        if "stage" not in answer:
            try:
                found, answer["cut"] = collect(root, request["collect"])
            except OSError as error:
                answer.update(failure("setup", error))
        answer["files"] = [[path, size] for path, _, size in found]
        send(self._sock, answer, [run.out.content, run.err.content])
        for _, fd, size in found:
            send_file(self._sock.fileno(), fd, size)
            os.close(fd)
        os.close(root)
        free_what_is_in_flight()
        return None


NOTHING = {
    "start": 0.0,
    "killed_by": None,
    "stdout": 0,
    "stderr": 0,
    "stdout_cut": False,
    "stderr_cut": False,
    "files": [],
}


def failure(stage, error):
    """How an answer says that there was no program."""
    return {"stage": stage, "errno": getattr(error, "errno", None), "text": str(error)}


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


def main():
    """Serve runs until the worker is gone."""
    forget_signals()
    sock = socket.socket(fileno=int(sys.argv[1]))
    close_all_but({sock.fileno(), int(os.path.basename(sys.argv[0]))})  # the latter is this program
    ranged = sys.argv[2] == "range"
    mount("none", "/", "", MS_REC | MS_PRIVATE)  # no mount of a run is seen out here
    close_devices()
    slot = Slot(sock, json.loads(sys.argv[3]), sys.argv[4])
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    send(
        sock,
        {
            "hello": 1,
            "python": sys.version.split()[0],
            "warm": slot.can_be_warm,
            "no_user_ns": ranged and limit_counts(proc),
        },
    )
    os.close(proc)
    try:
        slot.serve()
    except EOFError:
        pass
