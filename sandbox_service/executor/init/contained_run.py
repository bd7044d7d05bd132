"""One run in a container: its process, its channel, its end. The reaper of all is init itself, which is PID 1."""

import os
import select
import signal
import time

from .contained_program import become_program
from .kernel import CHUNK
from .message import send
from .reaper import WALL, kill_all
from .supervise import Supervision

WINDOW = 1 << 16
"""So many bytes of a channel may be on their way in each direction."""
MOST_IN_A_PIPE = 1 << 20
"""A program may enlarge its end."""
AT_ONCE = 1000
"""So many of the dead are cleared away before the limits are looked at again."""


class Channel:
    """The program's descriptors 3 and 4: what the worker says and hears through them.

    Attributes:
        given: the program's ends, to be closed here once it has them.
        feeding, saying: our ends; `None` once closed.
    """

    def __init__(self, line):
        self._line, self._held, self._ended = line, bytearray(), False
        theirs_in, self.feeding = os.pipe()
        self.saying, theirs_out = os.pipe()
        self.given = [theirs_in, theirs_out]
        self._credit = WINDOW
        os.set_blocking(self.feeding, False)
        os.set_blocking(self.saying, False)

    def interests(self):
        """What to wait for, by descriptor."""
        wanted = {}
        if self.feeding is not None:
            wanted[self.feeding] = select.POLLOUT if self._held else 0
        if self.saying is not None and self._credit:
            wanted[self.saying] = select.POLLIN
        return wanted

    def fed(self, data):
        """Words for the program; none: there will be no more."""
        self._held += data
        self._ended = self._ended or not data
        self.feed()

    def feed(self):
        """Hand on what the pipe takes."""
        if self.feeding is None:
            return None
        count = 0
        try:
            while self._held:
                written = os.write(self.feeding, self._held)
                del self._held[:written]
                count += written
        except BlockingIOError:
            pass
        except BrokenPipeError:
            return self.stop_feeding(tell=True)
        if count:
            send(self._line, {"took": count})
        if self._ended and not self._held:
            self.stop_feeding(tell=False)
        return None

    def stop_feeding(self, tell):
        """Nobody reads any more, or there is nothing more to read."""
        os.close(self.feeding)
        self.feeding = None
        if tell:
            send(self._line, {"deaf": True})

    def said(self):
        """Hand on what the program says, as much as the worker has room for."""
        try:
            data = os.read(self.saying, min(self._credit, WINDOW))
        except BlockingIOError:
            return False
        self._credit -= len(data)
        send(self._line, {"said": len(data)}, [data])
        if not data:
            self.stop_saying()
        return bool(data)

    def took(self, count):
        """The worker has room again."""
        self._credit += count

    def stop_saying(self):
        """Nobody hears it any more, or nobody can say any more."""
        if self.saying is not None:
            os.close(self.saying)
            self.saying = None

    def close(self):
        """Nobody of the run is alive: hand on the last words, for which the worker has room in any case, and close."""
        self._credit += MOST_IN_A_PIPE
        while self.saying is not None and self._credit and self.said():
            pass
        self.stop_saying()
        if self.feeding is not None:
            os.close(self.feeding)
            self.feeding = None


def give(fd, uid):
    """Let a user open a pipe that it was given, such as /dev/stdout; gVisor lets nobody have that."""
    try:
        os.fchown(fd, uid, uid)
    except PermissionError:
        pass


class ContainedRun(Supervision):
    """A run from its start to its end.

    Args:
        request: the header of the request.
        line: to the worker.
        spent: CPU seconds that init itself had used when the control group began to count.
    """

    def __init__(self, request, line, spent):
        self._request, self._line, self._spent = request, line, spent
        self.started = self._killed_by = self._status_of_program = None
        self.warm = False
        self._before = self._own = self._children = 0.0
        self._failure = {}
        self._used = 0.0
        self.channel = Channel(line) if request["channel"] else None

    def start(self, stdin):
        """Start the program; its descriptors are closed here."""
        out_write, err_write, status_write, teller = self._open()
        for fd in (out_write, err_write):
            give(fd, self._request["uid"])
        channel = self.channel.given if self.channel else []
        self._wake, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._wakes = wake
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        moved, self._go = os.pipe()
        self._program = os.fork()
        if self._program == 0:
            os.close(self._go)
            become_program(self._request, [stdin, out_write, err_write], status_write, teller, channel, moved)
        teller.close()
        for fd in (stdin, out_write, err_write, status_write, moved, *channel):
            os.close(fd)
        send(self._line, {"born": True})

    def to_the_end(self):
        """Collect output, pass on the channel and watch the limits until nobody of the run is alive."""
        streams = {self.out.fd: self.out, self.err.fd: self.err}
        waited = dict.fromkeys((*streams, self._status, self._wake, self.watch.fd, self._line.reading), select.POLLIN)
        while self._status_of_program is None:
            poll = select.poll()
            for fd, events in {**waited, **(self.channel.interests() if self.channel else {})}.items():
                poll.register(fd, events)
            for fd, event in poll.poll(self._check_limits()):
                self._attend(fd, event, streams, waited)
        self._end_all()
        return self._answer(self._status_of_program, self._children)

    def _attend(self, fd, event, streams, waited):
        if fd == self._wake:
            os.read(fd, CHUNK)
            self._reap()
        elif fd == self._line.reading:
            self._hear(*self._line.receive())
        elif fd == self.watch.fd:
            del waited[fd]
            if self.watch.look(event):
                waited[self.watch.fd] = select.POLLIN
            elif self.watch.call is not None:
                self._end()
        elif self.channel and fd == self.channel.feeding:
            if event & select.POLLERR:
                self.channel.stop_feeding(tell=True)
            else:
                self.channel.feed()
        elif self.channel and fd == self.channel.saying:
            self.channel.said()
        elif fd in waited and (self._read_status() if fd == self._status else streams[fd].read()) is False:
            del waited[fd]

    def _hear(self, header, data):
        """Words of the worker."""
        kind = header["kind"]
        if kind == "used":
            self._used = header["cpu"] - self.ours()
        elif kind == "go":
            os.write(self._go, b"g")
        elif self.channel is None:
            return
        elif kind == "took":
            self.channel.took(header["count"])
        elif kind == "deaf":
            self.channel.stop_saying()
        elif kind == "feed":
            self.channel.fed(data)
        elif kind == "fed":
            self.channel.fed(b"")

    def ours(self):
        """CPU seconds that the control group has counted and that are not the program's."""
        if not self._request["gvisor"]:
            return 0.0
        return time.process_time() - self._spent + self._own

    def _used_cpu(self):
        return self._used

    def _end(self):
        kill_all()

    def _reap(self):
        """Clear the dead away, and see whether the program is one of them."""
        for _ in range(AT_ONCE):
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG | WALL)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if os.WIFSTOPPED(status):
                continue
            self._children += usage.ru_utime + usage.ru_stime
            if pid == self._program:
                self._status_of_program = status
        os.write(self._wakes, b"x")  # there are more

    def _end_all(self):
        """Kill and wait until init is alone."""
        signal.set_wakeup_fd(-1)
        while True:
            kill_all()
            try:
                _, status, usage = os.wait4(-1, WALL)
            except ChildProcessError:
                break
            if not os.WIFSTOPPED(status):
                self._children += usage.ru_utime + usage.ru_stime
        os.close(self._wake)
        os.close(self._wakes)

    def _answer(self, status, cpu):
        os.close(self._go)
        if self.channel:
            self.channel.close()
        return super()._answer(status, cpu)
