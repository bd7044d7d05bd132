"""User-mode Linux: another kernel as a process of this host, on the host's files, with control groups v2 alone."""

from __future__ import annotations

import json
import os
import signal
import site
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PROGRAM = "linux.uml"
SECONDS = 120
USER_ID = 4711


def boot(folder: Path, runs: list[dict[str, Any]]) -> str:
    """Have the driver do these runs in there, as root and as a user; gives what the kernel said.

    Args:
        folder: where `root.jsonl` and `delegated.jsonl` then are, and what went wrong in `.log`.
        runs: what to run.
    """
    (folder / "runs.json").write_text(json.dumps(runs))
    for name in ("root", "delegated"):
        for suffix in (".jsonl", ".log"):
            (folder / name).with_suffix(suffix).touch()
    library = folder / "xstate.so"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", library, HERE / "xstate.c"], check=True)
    settings = {
        "SHARED": folder,
        "SERVICE": HERE.parent.parent,
        "PACKAGES": site.getsitepackages()[0],
        "PYTHON": os.path.realpath(sys.executable),
        "USER_ID": USER_ID,
    }
    command = [
        PROGRAM,
        "mem=1G",
        "root=/dev/root",
        "rootfstype=hostfs",
        "rootflags=/",
        "ro",
        f"init={HERE / 'init.sh'}",
    ]
    command += ["con=null", "con0=null,fd:1", "quiet", *(f"{name}={value}" for name, value in settings.items())]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "LD_PRELOAD": str(library)},
        start_new_session=True,  # its processes are ours to end, however many they are
    )
    try:
        return process.communicate(timeout=SECONDS)[0].decode("utf-8", "replace")
    except BaseException as error:
        os.killpg(process.pid, signal.SIGKILL)
        said = process.communicate()[0].decode("utf-8", "replace")
        if not isinstance(error, subprocess.TimeoutExpired):
            raise
        return f"{said}\nended after {SECONDS} s"
