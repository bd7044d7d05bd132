"""What runs inside a sandbox: takes requests over a socket, runs each in namespaces of its own, answers.

Standard library only, any Python >= 3.8: this file is handed to the sandbox's own interpreter.
It is the root user of the sandbox's user namespace and never holds an expected output, a key or
an address. Processes of one run, outermost first:

    init      this process; starts runs one after the other, collects their output, watches limits
    reaper    PID 1 of the run's namespaces; sets them up, starts the program, at the end kills and
              reaps all that is left, collects files. A program that is PID 1 itself would behave
              differently: no default signals, abort() without SIGABRT
    program   the untrusted command, as a user that is neither init's nor the reaper's

A message either way is: length of the header (4 bytes, big endian), header (JSON), then the blobs
whose sizes the header gives. Descriptors of cgroups travel beside the first bytes of a request.
"""

import array
import ctypes
import fcntl
import fnmatch
import json
import os
import resource
import select
import signal
import socket
import stat
import struct
import sys
import time

libc = ctypes.PyDLL(None, use_errno=True)  # PyDLL: the lock of the interpreter must not be given up in clone()

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
RUN_NAMESPACES = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP = 1, 24, 38, 22
SECCOMP_MODE_FILTER = 2
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
SYS_CLONE = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
SYS_KEYCTL, KEYCTL_JOIN_SESSION_KEYRING = {"x86_64": 250, "aarch64": 219}[os.uname().machine], 1
SYS_OPENAT2, SYS_CLOSE_RANGE = 437, 436
CLOSE_RANGE_CLOEXEC = 4
RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH = 0x02, 0x04, 0x08
LAST_CAPABILITY = 63
WORK = "/work"
DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "pts")  # each is a mount that bubblewrap made
PAGE = 4096
MAX_HEADER = 1 << 26
CHUNK = 1 << 20
MAX_WALK = 20000  # entries of the work dir that are looked at when files are collected
STARTED, OVER = b"S", b"O"  # the reaper's words to init: the program runs; nobody of the run is alive


def check(result, what):
    """Raise OSError for a failed call of libc."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def mount(source, target, kind, flags, options=""):
    """Call mount(2); an empty source or kind where the flags need none."""
    check(libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode()), target)


# ---- messages ----


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


def write_all(fd, data):
    """Write all of it, however many writes that takes."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def receive_request(sock):
    """The next request: header, files as (path, mode, content), a descriptor of the stdin, those of cgroups."""
    start, rights, _, _ = sock.recvmsg(4, socket.CMSG_SPACE(16 * 4), socket.MSG_CMSG_CLOEXEC)
    if not start:
        raise EOFError
    fds = array.array("i")
    for level, kind, data in rights:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            fds.frombytes(data[: len(data) - len(data) % fds.itemsize])
    size = struct.unpack(">I", start + receive_exactly(sock, 4 - len(start)))[0]
    header = json.loads(receive_exactly(sock, min(size, MAX_HEADER)))
    files = [(os.fsencode(path), mode, receive_exactly(sock, size)) for path, mode, size in header["files"]]
    stdin = os.memfd_create("stdin", os.MFD_CLOEXEC)
    write_all(stdin, receive_exactly(sock, header["stdin"]))
    os.lseek(stdin, 0, os.SEEK_SET)
    return header, files, stdin, list(fds)


def send(sock, header, blobs=()):
    """Send a message."""
    text = json.dumps(header).encode("ascii")
    sock.sendall(struct.pack(">I", len(text)) + text)
    for blob in blobs:
        sock.sendall(blob)


# ---- the program ----


def become_program(request, stdin, stdout, stderr, groups, status, proc):
    """In the program's process: give everything up, then exec. Never returns."""
    stage = "setup"
    try:
        os.setsid()
        for source, target in ((stdin, 0), (stdout, 1), (stderr, 2)):
            os.dup2(source, target)
        os.chdir(WORK)
        os.umask(0o022)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        # Where the whole machine is short of memory, the program goes first.
        write_at(proc, "self/oom_score_adj", "1000")
        # As init's user still: cgroup v1 wants the joining process to be of the user who opened the file.
        for fd in groups:
            os.write(fd, b"0")
        check(libc.unshare(CLONE_NEWCGROUP), "cgroup namespace")  # /proc/self/cgroup then tells nothing of the host
        drop_privileges(request["uid"], proc)
        set_limits(request["limits"])  # after: a limit of processes counts in the user namespace it was set in
        if request["seccomp"]:
            load_seccomp(bytes.fromhex(request["seccomp"]))
        command = [os.fsencode(item) for item in request["command"]]
        environment = {os.fsencode(key): os.fsencode(value) for key, value in request["environment"].items()}
        usage = resource.getrusage(resource.RUSAGE_SELF)
        stage = "exec"
        libc.syscall(SYS_CLOSE_RANGE, 3, ctypes.c_uint(0xFFFFFFFF), CLOSE_RANGE_CLOEXEC)
        os.write(status, json.dumps({"cpu": usage.ru_utime + usage.ru_stime}).encode() + b"\n")
        os.execve(command[0], command, environment)
    except BaseException as error:
        os.write(
            status,
            json.dumps({"stage": stage, "errno": getattr(error, "errno", None), "text": str(error)}).encode() + b"\n",
        )
    os._exit(127)


def set_limits(limits):
    """Set resource limits, soft and hard, none above what is allowed."""
    for name, value in limits.items():
        number = getattr(resource, "RLIMIT_" + name)
        hard = resource.getrlimit(number)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(number, (value, value))


def drop_privileges(uid, proc):
    """Become the run's own user; without a range of users, an unprivileged one in a further user namespace."""
    for capability in range(LAST_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    if uid is None:
        check(libc.unshare(CLONE_NEWUSER), "user namespace of the run")
        for name, text in (("setgroups", "deny"), ("uid_map", "1000 0 1"), ("gid_map", "1000 0 1")):
            write_at(proc, "self/" + name, text)
        forbid_user_namespaces(proc)
        # The new namespace brought a new bounding set.
        for capability in range(LAST_CAPABILITY + 1):
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    else:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    # A fresh one, with nothing in it: else the service's own, and what earlier runs put there. Some kernels have none.
    libc.syscall(SYS_KEYCTL, KEYCTL_JOIN_SESSION_KEYRING, None)
    header, nothing = struct.pack("Ii", 0x20080522, 0), bytes(24)
    check(libc.capset(header, nothing), "capset")
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")


def load_seccomp(program):
    """Load a filter, given as an array of struct sock_filter (8 bytes each)."""
    buffer = ctypes.create_string_buffer(program, len(program))
    length = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    check(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, length, 0, 0), "seccomp")


# ---- the reaper ----


def reap_run(request, files, stdin, stdout, stderr, groups, report):
    """PID 1 of the run: set up, start the program, wait for its end, leave nothing alive. Never returns."""
    answer, found = {}, []
    try:
        check(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "pdeathsig")
        # SIGTERM is init's word that a limit was met. Blocked, it waits for sigwaitinfo even for PID 1. All others may
        # come from a program that has the reaper's user, and mean nothing.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        proc = prepare(request, files)
        status_read, status_write = os.pipe()
        program = os.fork()
        if program == 0:
            become_program(request, stdin, stdout, stderr, groups, status_write, proc)
        for fd in [stdin, stdout, stderr, status_write, *groups]:
            os.close(fd)  # the ends of the pipes must close with the program's last process
        words = read_words(status_read)
        answer.update(words)
        began = time.monotonic()
        write_all(report, STARTED)
        status = wait_for(program)
        kill_rest()
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        answer["wall"] = time.monotonic() - began
        answer["tree_cpu"] = max(usage.ru_utime + usage.ru_stime - words.get("cpu", 0.0), 0.0)
        answer["status"] = status
        write_all(report, OVER)
        found, answer["cut"] = collect(request["collect"])
    except BaseException as error:
        answer.update(stage="setup", errno=getattr(error, "errno", None), text=repr(error))
        if "status" not in answer:
            write_all(report, OVER)
    answer["files"] = [[path, size] for path, _, size in found]
    text = json.dumps(answer).encode("ascii")
    write_all(report, struct.pack(">I", len(text)) + text)
    for _, fd, size in found:
        send_file(report, fd, size)
    os._exit(0)


def prepare(request, files):
    """The run's own mounts: one file system for /work, /tmp and /dev/shm, so that one quota holds for all.

    Gives a descriptor of a /proc that can be written to.
    """
    mount("none", "/", "", MS_REC | MS_PRIVATE)
    uid = request["uid"] or 0
    # What the program brings does not count into what it may write.
    size = request["disk"] + sum(-(-len(content) // PAGE) * PAGE for _, _, content in files)
    inodes = request["inodes"] + 8 + sum(path.count(b"/") + 1 for path, _, _ in files)
    mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=%d,nr_inodes=%d,mode=0755" % (size, inodes))
    for name, mode in (("work", 0o755), ("shm", 0o1777), ("tmp", 0o1777)):
        os.mkdir("/tmp/" + name)
        os.chmod("/tmp/" + name, mode)
    os.chown("/tmp/work", uid, uid)
    mount("/tmp/work", WORK, "", MS_BIND)
    mount("/tmp/shm", "/dev/shm", "", MS_BIND)
    mount("/tmp/tmp", "/tmp", "", MS_BIND)
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    if request["uid"] is None:
        # What is the reaper's in there would be the program's too.
        mount("proc", "/proc", "proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)
    for path, mode, content in files:
        lay(path, mode, content, uid)
    raise_loopback()
    return proc


def write_at(folder, path, text):
    """Write to a file below a folder that is given by its descriptor."""
    with open(path, "w", opener=lambda path, flags: os.open(path, flags, dir_fd=folder)) as file:
        file.write(text)


def lay(path, mode, content, uid):
    """Write one file of the request; the work dir is still empty of anything foreign."""
    parts = path.split(b"/")
    for end in range(1, len(parts)):
        folder = WORK.encode() + b"/" + b"/".join(parts[:end])
        if not os.path.isdir(folder):
            os.mkdir(folder, 0o755)
            os.chown(folder, uid, uid)
    full = WORK.encode() + b"/" + path
    fd = os.open(full, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        write_all(fd, content)
        os.fchown(fd, uid, uid)
    finally:
        os.close(fd)


def raise_loopback():
    """Bring up `lo`, the only interface of the run's network namespace."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        interface = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(sock, SIOCGIFFLAGS, interface))[1]
        fcntl.ioctl(sock, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))


def read_words(fd):
    """What the program's process said before its exec closed the pipe."""
    text = b""
    while True:
        part = os.read(fd, PAGE)
        if not part:
            break
        text += part
    os.close(fd)
    words = {}
    for line in text.splitlines():
        words.update(json.loads(line))
    return words


def wait_for(program):
    """The program's wait status; all others that end meanwhile are reaped too. SIGTERM ends the waiting by force."""
    while True:
        if signal.sigwaitinfo([signal.SIGCHLD, signal.SIGTERM]).si_signo == signal.SIGTERM:
            kill_all()
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == program:
                return status
            if pid == 0:
                break


def kill_all():
    """Kill every other process of the PID namespace."""
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass


def kill_rest():
    """Kill and reap until nobody is left; only so is the CPU time of orphans known exactly."""
    while True:
        kill_all()
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


# ---- files that are handed back ----


class OpenHow(ctypes.Structure):
    """struct open_how of openat2(2)."""

    _fields_ = [("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64)]


def open_beneath(root, path):
    """Open a file below a folder without following any link on the way."""
    how = OpenHow(
        os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC,
        0,
        RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    )
    return check(
        libc.syscall(SYS_OPENAT2, root, ctypes.c_char_p(path), ctypes.byref(how), ctypes.sizeof(how)), "openat2"
    )


def walk(root):
    """The paths of regular files below a folder, links not followed, a bounded number of entries."""
    folders, seen = [b""], 0
    while folders:
        folder = folders.pop()
        try:
            fd = root if not folder else open_beneath(root, folder)
        except OSError:
            continue
        try:
            with os.scandir(fd) as entries:
                for entry in entries:
                    seen += 1
                    if seen > MAX_WALK:
                        return
                    path = folder + b"/" * bool(folder) + os.fsencode(entry.name)
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(path)
                    elif entry.is_file(follow_symlinks=False):
                        yield path
        finally:
            if fd != root:
                os.close(fd)


def collect(wanted):
    """Regular files of the work dir that match the globs, up to the caps: (path, descriptor, size), and names cut."""
    found, cut, total = [], [], 0
    if not wanted["globs"]:
        return found, cut
    globs = [os.fsencode(glob) for glob in wanted["globs"]]
    root = os.open(WORK, os.O_RDONLY | os.O_DIRECTORY)
    for path in sorted(walk(root)):
        if not any(fnmatch.fnmatchcase(path, glob) for glob in globs):
            continue
        try:
            fd = open_beneath(root, path)
        except OSError:
            continue
        status = os.fstat(fd)
        size = status.st_size
        if not stat.S_ISREG(status.st_mode):
            os.close(fd)
        elif len(found) >= wanted["count"] or size > wanted["each"] or total + size > wanted["total"]:
            os.close(fd)
            cut.append(os.fsdecode(path))
        else:
            total += size
            found.append((os.fsdecode(path), fd, size))
    return found, cut[:100]


def send_file(report, fd, size):
    """Send all of a file, which nobody changes any more; never all of it in memory, as it may be a large program."""
    offset = 0
    while offset < size:
        sent = os.sendfile(report, fd, offset, size - offset)
        if not sent:
            raise EOFError
        offset += sent


# ---- init ----


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


def used_cpu(usage_fd, reaper):
    """CPU seconds of the run so far: from its cgroup, else from the processes that are seen."""
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
    return ticks / os.sysconf("SC_CLK_TCK")


def supervise(request, reaper, out, err, report, usage_fd):
    """Collect output and watch the limits until nobody of the run is alive: the limit that ended it, its start."""
    poll = select.poll()
    streams = {out.fd: out, err.fd: err}
    for fd in (out.fd, err.fd, report):
        poll.register(fd, select.POLLIN)
    started = killed_by = None
    over = False
    while not over:
        timeout = None
        if started is not None and killed_by is None:
            wall_left = started + request["wall"] - time.monotonic()
            cpu_left = request["cpu"] - used_cpu(usage_fd, reaper)
            killed_by = (
                "cpu" if cpu_left <= 0 else "wall" if wall_left <= 0 else "output" if out.cut or err.cut else None
            )
            if killed_by:
                os.kill(reaper, signal.SIGTERM)
            # No earlier than this can a limit be met, even if the run keeps all cores busy.
            timeout = 1 + 1000 * max(0.0, min(wall_left, cpu_left / request["cores"]))
        for fd, _ in poll.poll(timeout):
            if fd == report:
                word = os.read(report, 1)
                started = time.monotonic() if word == STARTED else started
                over = word != STARTED  # also where the reaper is no more
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
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    report_read, report_write = os.pipe()
    for fd in (out_read, err_read):
        os.set_blocking(fd, False)
    if request["uid"] is not None:
        for fd in (out_write, err_write):
            os.fchown(fd, request["uid"], request["uid"])  # so that the program may open /dev/stdout
    reaper = clone_into_namespaces()
    if reaper == 0:
        for fd in (out_read, err_read, report_read, sock.fileno()):
            os.close(fd)
        reap_run(request, files, stdin, out_write, err_write, fds, report_write)
    for fd in [out_write, err_write, report_write, stdin, *fds]:
        os.close(fd)
    out, err = Stream(out_read, request["output"]), Stream(err_read, request["output"])
    killed_by, started = supervise(request, reaper, out, err, report_read, usage_fd)
    answer = read_report(report_read)
    answer.update(
        killed_by=killed_by,
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


def close_devices():
    """Make the mounts below /dev read-only: devices can be written to all the same, but keep their times and modes.

    Their times are whoever's may write to them, and those of the terminals' folder also the modes are a program's that
    has init's user: no run leaves anything there for the next. bubblewrap would close them to all use.
    """
    for name in DEVICES:
        flags = os.statvfs("/dev/" + name).f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC)
        mount("none", "/dev/" + name, "", MS_REMOUNT | MS_BIND | MS_RDONLY | flags)


def forbid_user_namespaces(proc):
    """Programs need none; the count is this user namespace's own. Best effort: a wall behind others."""
    try:
        write_at(proc, "sys/user/max_user_namespaces", "0")
        return True
    except OSError:
        return False


def main():
    """Serve runs until the worker is gone."""
    sock = socket.socket(fileno=int(sys.argv[1]))
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


if __name__ == "__main__":
    main()
