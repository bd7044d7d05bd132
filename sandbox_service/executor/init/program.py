"""The program's process, from its fork to its exec: everything that it must not have is given up here."""

import ctypes
import fcntl
import json
import os
import resource
import signal
import struct

from .kernel import CLONE_NEWCGROUP, CLONE_NEWUSER, WORK, check, forbid_user_namespaces, libc, write_at
from .watch import load_seccomp

PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38
SYS_CLOSE_RANGE, CLOSE_RANGE_CLOEXEC = 436, 4
SYS_KEYCTL, KEYCTL_JOIN_SESSION_KEYRING = {"x86_64": 250, "aarch64": 219}[os.uname().machine], 1
LAST_CAPABILITY = 63
ABOVE_CHANNEL = 64


def become_program(request, streams, channel, groups, status, proc, teller):
    """In the program's process: give everything up, then exec. Never returns."""
    stage = "setup"
    try:
        os.setsid()
        for target, source in enumerate(streams):
            os.dup2(source, target)
        # Out of the way of the numbers that the program expects.
        channel = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, ABOVE_CHANNEL) for fd in channel]
        status = fcntl.fcntl(status, fcntl.F_DUPFD_CLOEXEC, ABOVE_CHANNEL)
        os.chdir(WORK)
        os.umask(0o022)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        # Where the whole machine is short of memory, the program goes first.
        write_at(proc, "self/oom_score_adj", "1000")
        # As init's user still: cgroup v1 wants the joining process to be of the user who opened the file.
        for fd in groups:
            os.write(fd, b"0")
        check(libc.unshare(CLONE_NEWCGROUP), "cgroup namespace")  # /proc/self/cgroup then tells nothing of the host
        drop_privileges(request["uid"], proc)
        set_limits(request["limits"])  # after: a limit of processes counts in the user namespace it was set in
        load_seccomp(bytes.fromhex(request["seccomp"]), teller)
        command = [os.fsencode(item) for item in request["command"]]
        environment = {os.fsencode(key): os.fsencode(value) for key, value in request["environment"].items()}
        usage = resource.getrusage(resource.RUSAGE_SELF)
        stage = "exec"
        libc.syscall(SYS_CLOSE_RANGE, 3, ctypes.c_uint(0xFFFFFFFF), CLOSE_RANGE_CLOEXEC)
        for target, source in enumerate(channel, 3):
            os.dup2(source, target)
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
