"""One run as init sees it: its output, its limits, its end."""

import marshal
import os
import select
import signal
import socket
import struct
import time

from .kernel import CHUNK, PAGE, cpu_in, group_cpu
from .launcher import Gone
from .program import FAILED, GROUP, RUSAGE, STARTED, WARM, WORDS_OF_START
from .watch import Watch


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


class Supervision:
    """A run from its start to its end.

    Args:
        request: the header of the request.
        launcher: who starts it.
        usage: a descriptor from which the CPU time of the run's group can be read, or `None`.

    Attributes:
        out, err: what it wrote.
        started: when the program started, `None` before.
        warm: whether in a Python that was there already.
    """

    def __init__(self, request, launcher, usage):
        self._request, self._launcher, self._usage = request, launcher, usage
        self.started = self._killed_by = None
        self.warm = False
        self._before = self._own = 0.0  # CPU time of the group and of the program's process before the program started
        self._failure = {}
        self._reaper = launcher.reaper

    def start(self, root, files, stdin, channel):
        """Start the program; all but the root is closed here."""
        out_write, err_write, status_write, teller = self._open()
        if self._request["uid"] is not None:
            for fd in (out_write, err_write):
                os.fchown(fd, self._request["uid"], self._request["uid"])  # so that it may open /dev/stdout
        given = [stdin, out_write, err_write, status_write, teller.detach(), *channel]
        try:
            self._launcher.start(self._request, files, [root, *given])
        finally:
            for fd in given:
                os.close(fd)

    def _open(self):
        """Pipes for both outputs and for words to init, and a socket for the filter's listener: the program's ends."""
        pipes = [os.pipe() for _ in range(3)]
        listening, teller = socket.socketpair()
        self.watch = Watch(listening)
        (out, out_write), (err, err_write), (self._status, status_write) = pipes
        for fd in (out, err):
            os.set_blocking(fd, False)
        self.out, self.err = Stream(out, self._request["output"]), Stream(err, self._request["output"])
        return out_write, err_write, status_write, teller

    def to_the_end(self):
        """Collect output and watch the limits until nobody of the run is alive: what is to be answered.

        Raises:
            Gone: the zygote died.
        """
        poll = select.poll()
        streams = {self.out.fd: self.out, self.err.fd: self.err}
        control = self._launcher.control.fileno()
        for fd in (self.out.fd, self.err.fd, self._status, control, self._launcher.alive, self.watch.fd):
            poll.register(fd, select.POLLIN)
        over = False
        while not over:
            for fd, event in poll.poll(self._check_limits()):
                if fd == control:
                    over = True
                elif fd == self._launcher.alive:
                    raise Gone
                elif fd == self.watch.fd:
                    self._look(poll, event)
                elif (self._read_status() if fd == self._status else streams[fd].read()) is False:
                    poll.unregister(fd)
        return self._answer(*self._launcher.ended())

    def _look(self, poll, event):
        """A word of the filter: end the run for a call that only attacks make."""
        poll.unregister(self.watch.fd)
        if self.watch.look(event):
            poll.register(self.watch.fd, select.POLLIN)
        elif self.watch.call is not None:
            self._end()

    def _end(self):
        """Have everyone of the run killed."""
        os.kill(self._launcher.pid, signal.SIGTERM)

    def _check_limits(self):
        """End the run if it has met one. Gives the milliseconds until one can be met, `None` for ever."""
        if self.started is None or self._killed_by is not None:
            return None
        wall_left = self.started + self._request["wall"] - time.monotonic()
        cpu_left = self._request["cpu"] - self._used_cpu()
        if cpu_left <= 0:
            self._killed_by = "cpu"
        elif wall_left <= 0:
            self._killed_by = "wall"
        elif self.out.cut or self.err.cut:
            self._killed_by = "output"
        if self._killed_by:
            self._end()
        # No earlier than this can a limit be met, even if the run keeps all cores busy.
        return 1 + 1000 * max(0.0, min(wall_left, cpu_left / self._request["cores"]))

    def _read_status(self):
        """Words of the program's process; False when there will be no more."""
        words = os.read(self._status, PAGE)
        if not words:
            return False
        if words[:1] == STARTED:
            self.started = time.monotonic()
            self._read_start(words)
            words = words[WORDS_OF_START:]
        if words[:1] == FAILED:
            self._failure = marshal.loads(words[1:])
        return True

    def _read_start(self, words):
        self.warm = bool(words[WARM])
        seconds, micros, more, more_micros = struct.unpack_from("4l", words, RUSAGE)
        self._own = seconds + more + (micros + more_micros) / 1e6
        group = words[GROUP:WORDS_OF_START].rstrip(b"\0")
        if group:
            self._before = cpu_in(group)

    def _used_cpu(self):
        """CPU seconds of the run so far: of its group, else of the processes that are seen."""
        return self._seen_cpu() - self._own if self._usage is None else group_cpu(self._usage) - self._before

    def _seen_cpu(self):
        ticks, others = 0, {os.getpid(), 1, self._launcher.pid}
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) not in others:
                try:
                    with open("/proc/%s/stat" % name, "rb") as file:
                        fields = file.read().rpartition(b")")[2].split()
                except OSError:
                    continue
                # Its own and that of children it has waited for; the reaper's own is none of the run's.
                ticks += sum(int(value) for value in fields[13 if int(name) == self._reaper else 11 : 15])
        return ticks / os.sysconf("SC_CLK_TCK")

    def _answer(self, status, cpu):
        now = time.monotonic()
        self._close()
        if self._killed_by is None and (self.out.cut or self.err.cut):
            self._killed_by = "output"
        answer = {**self._told(), **self._failure}
        if self.started is None and not self._failure:
            answer.update(stage="lost", text="the program's process died", errno=None)
        if answer.get("stage") in (None, "exec"):
            wall = now - (now if self.started is None else self.started)
            answer.update(status=status, wall=wall, tree_cpu=max(cpu - self._own, 0.0), cpu_before=self._before, cut=[])
        return answer

    def lost(self):
        """What is to be answered where the zygote died, and all of the run with it."""
        self._close()
        return {**self._told(), "stage": "lost", "text": "the zygote died", "errno": None}

    def _told(self):
        return {
            "warm": self.warm,
            "violation": self.watch.call,
            "killed_by": self._killed_by,
            "stdout": len(self.out.content),
            "stderr": len(self.err.content),
            "stdout_cut": self.out.cut,
            "stderr_cut": self.err.cut,
            "files": [],
        }

    def _close(self):
        """Take the last of the output."""
        self.watch.close()
        for stream in (self.out, self.err):
            # What is there, not until the end: a descriptor sent into a socket that is itself on its way into a socket
            # outlives all processes, and holds the pipe open for as long as the kernel likes.
            while not stream.cut and stream.read():
                pass
        os.set_blocking(self._status, False)
        try:  # the end may be seen before these words are
            while self._read_status():
                pass
        except BlockingIOError:
            pass
        for fd in (self.out.fd, self.err.fd, self._status):
            os.close(fd)
