"""Init as the first process of a container: no capability for walls of its own, which are the runtime's.

It has what it takes to lay files, to become another user and to end everyone else, no more. Runs of a submission come
one after the other; each has a user of its own, and nobody and no file of the one before is there any more. Where more
of a run is left (a used network, objects of System V, files that resist), the answer says so, and the container is not
used again.

The worker talks over standard input and output. While a program runs, words go to and fro besides: what passes through
the program's channel, and how much CPU time the container's control group has counted.
"""

import json
import os
import shutil
import struct
import sys
import time

from .collect import collect, send_file
from .contained_run import ContainedRun
from .kernel import WORK, libc, write_all
from .main import NOTHING, failure
from .message import MAX_HEADER, memory_file, receive_exactly, send
from .root import lay

PR_SET_DUMPABLE = 4
FOLDERS = ((WORK, 0o755), ("/tmp", 0o1777), ("/dev/shm", 0o1777))
TRACES = (
    "/proc/net/dev",
    "/proc/net/snmp",
    "/proc/net/snmp6",
    "/proc/net/tcp",
    "/proc/sysvipc/shm",
    "/proc/sysvipc/sem",
    "/proc/sysvipc/msg",
)
"""They read the same as before a run that left nothing beside files."""
BETWEEN_RUNS = ("feed", "fed", "took", "deaf", "used", "go")
"""Words to a program that has ended meanwhile."""


class Line:
    """Standard input and output as far as a socket is needed; both are moved out of the way of programs."""

    def __init__(self):
        self.reading, self._writing = os.dup(0), os.dup(1)
        for fd in (self.reading, self._writing):
            os.set_blocking(fd, True)  # gVisor makes sockets of the host such that do not wait
        nothing = os.open("/dev/null", os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        os.close(nothing)

    def fileno(self):
        """Where to write."""
        return self._writing

    def recv_into(self, view):
        """As of a socket."""
        return os.readv(self.reading, [view])

    def sendall(self, data):
        """As of a socket."""
        write_all(self._writing, data)

    def receive(self):
        """The next words of the worker: a header, and the bytes that follow it if it says `size`."""
        size = struct.unpack(">I", receive_exactly(self, 4))[0]
        header = json.loads(receive_exactly(self, min(size, MAX_HEADER)))
        return header, receive_exactly(self, header.get("size", 0))


def traces():
    """What tells that a run left something in the container's namespaces."""
    found = []
    for path in TRACES:
        try:
            with open(path, "rb") as file:
                found.append(file.read())
        except OSError:
            found.append(b"")
    return found


def prepare(uid, files):
    """The three folders as a run finds them, and its files."""
    umask = os.umask(0)
    try:
        for folder, mode in FOLDERS:
            os.chmod(folder, mode)
        os.chown(WORK, uid, uid)
        root, made = os.open("/", os.O_PATH | os.O_DIRECTORY), set()
        try:
            for path, mode, content in files:
                lay(root, b"work/" + path, mode, content, uid, made)
        finally:
            os.close(root)
    finally:
        os.umask(umask)


def wipe():
    """Remove all files of a run; False if some resist."""
    try:
        for folder, _ in FOLDERS:
            with os.scandir(folder) as entries:
                for entry in list(entries):
                    if entry.is_dir(follow_symlinks=False):
                        shutil.rmtree(entry.path)
                    else:
                        os.unlink(entry.path)
        return True
    except (OSError, RecursionError):
        return False


class Serving:
    """Init's state between runs."""

    def __init__(self, line):
        self._line, self._fresh = line, traces()
        self._spent = time.process_time()

    def serve(self):
        """Take requests until the worker is gone."""
        while True:
            self._spent = time.process_time()  # from here on the control group counts for the next run
            header, _ = self._line.receive()
            if header["kind"] not in BETWEEN_RUNS:
                files = [
                    (os.fsencode(path), mode, receive_exactly(self._line, size)) for path, mode, size in header["files"]
                ]
                self._run(header, files, receive_exactly(self._line, header["stdin"]))

    def _run(self, request, files, stdin):
        received = time.monotonic()
        try:
            prepare(request["uid"], files)
        except OSError as error:
            return send(self._line, {**NOTHING, **failure("setup", error), "warm": False, "violation": None})
        run = ContainedRun(request, self._line, self._spent)
        run.start(memory_file(stdin))
        answer = run.to_the_end()
        answer["start"] = (run.started or time.monotonic()) - received
        found = self._collect(request, answer)
        answer["files"] = [[path, size] for path, _, size in found]
        answer["clean"] = wipe() and traces() == self._fresh
        if "cpu_before" in answer:
            answer["cpu_before"] = run.ours()
        send(self._line, answer, [run.out.content, run.err.content])
        for _, fd, size in found:
            send_file(self._line.fileno(), fd, size)
            os.close(fd)
        return None

    def _collect(self, request, answer):
        if "stage" in answer:
            return []
        root = os.open("/", os.O_PATH | os.O_DIRECTORY)
        try:
            found, answer["cut"] = collect(root, request["collect"])
        except OSError as error:
            answer.update(failure("setup", error))
            return []
        finally:
            os.close(root)
        return found


def raise_loopback():
    """Bring up `lo` where the runtime has not; without the capability it has to be up already."""
    from .network import raise_loopback as up

    try:
        up()
    except OSError:
        pass


def main():
    """Serve runs until the worker is gone."""
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    line = Line()
    raise_loopback()
    serving = Serving(line)
    send(line, {"hello": 1, "python": sys.version.split()[0]})
    try:
        serving.serve()
    except EOFError:
        pass
