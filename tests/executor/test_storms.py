"""Programs that make processes faster than anyone can look: the limits hold, the reaper keeps up, nobody is left."""

from __future__ import annotations

import pytest

from tests.executor.filters import filter_of
from tests.executor.place import Place

HEAD = """
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>
void *nothing(void *x) { return 0; }
int start(void) { return syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0); }
"""
RENEWED = "for (int i = 0; i < 40; i++) if (!fork()) { setsid(); for (;;) if (fork() > 0) _exit(0); }"
REAPERS = "for (int i = 0; i < 20; i++) if (!fork()) for (;;) if (!start()) _exit(7);"
ENDLESS = {
    "double forks": "for (int i = 0; i < 8; i++) if (!fork()) for (;;) if (!fork()) { fork(); _exit(0); }",
    "orphans that renew themselves": RENEWED,
    "vforks": "for (int i = 0; i < 40; i++) if (!fork()) for (;;) if (!vfork()) _exit(0);",
    "children of the reaper": REAPERS,
    "threads": "pthread_t t; for (;;) if (!pthread_create(&t, 0, nothing, 0)) pthread_detach(t);",
    "stopped ones": "for (int i = 0; i < 20; i++) if (!fork()) for (;;); raise(SIGSTOP);",
}


@pytest.mark.parametrize("body", ENDLESS.values(), ids=ENDLESS)
async def test_endless(place: Place, body: str) -> None:
    outcome = await place.c(f"{HEAD}int main() {{ {body} for (;;) pause(); }}", cpu_seconds=0.5)
    assert (outcome.killed_by, outcome.signal) == ("cpu", 9)


SUDDEN = {
    "orphans that renew themselves": RENEWED,
    "a child that holds its parent": "for (int i = 0; i < 20; i++) if (!fork()) if (!vfork()) for (;;) pause();",
    "children of the reaper": REAPERS,
}


@pytest.mark.parametrize("body", SUDDEN.values(), ids=SUDDEN)
async def test_a_program_that_ends_in_the_middle_of_it(place: Place, body: str) -> None:
    outcome = await place.c(f"{HEAD}int main() {{ {body} usleep(50000); _exit(3); }}")
    assert (outcome.exit_code, outcome.killed_by) == (3, None)


@pytest.mark.parametrize("name", ["default", "trusted"])
async def test_a_tracer_that_holds_the_end_back(place: Place, name: str) -> None:
    """Who is traced is not gone for its parent before the tracer has looked: the wall limit ends that.

    Under `default` nobody can trace.
    """
    body = (
        "int p = getpid(); if (!fork()) { setsid(); ptrace(PTRACE_SEIZE, p, 0, 0); for (;;) pause(); } usleep(100000);"
    )
    source = f"{HEAD}int main() {{ {body} return 0; }}"
    outcome = await place.c(source, wall_seconds=1.0, seccomp=filter_of(name))
    assert outcome.killed_by in ((None, "wall") if name == "trusted" else (None,))
