"""What no linter checks: no Python file is too long, and the lock files hold what pyproject.toml asks for."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
MAX_LINES = 600
PIN = re.compile(r"^([\w.-]+)==([^\s;\\]+)", re.MULTILINE)


def main() -> int:
    """Print what is wrong; the exit code is 1 if anything is."""
    problems = [*long_files(), *unlocked()]
    for problem in problems:
        print(problem, file=sys.stderr)
    return min(len(problems), 1)


def long_files() -> Iterator[str]:
    """Python files with more than `MAX_LINES` lines."""
    listed = subprocess.run(["git", "ls-files", "-z", "*.py"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.exists() and (lines := len(path.read_bytes().splitlines())) > MAX_LINES:
            yield f"{name}: {lines} lines, at most {MAX_LINES}: split it by idea"


def unlocked() -> Iterator[str]:
    """Requirements of pyproject.toml that a lock file lacks, or pins to a version they do not allow."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, groups = pyproject["project"], pyproject["dependency-groups"]
    service = [*project["dependencies"], *project["optional-dependencies"]["service"], *groups["build"]]
    for name, wanted in {"requirements.lock": service, "requirements-dev.lock": [*service, *groups["dev"]]}.items():
        text = (ROOT / name).read_text()
        pins = {canonicalize_name(package): version for package, version in PIN.findall(text)}
        for requirement in map(Requirement, wanted):
            pinned = pins.get(canonicalize_name(requirement.name))
            if pinned is None or not requirement.specifier.contains(pinned, prereleases=True):
                yield f"{name}: {requirement} is pinned to {pinned}: run `make lock`"
        if re.search(r"://|^-|file:", text, re.MULTILINE):
            yield f"{name}: names an address or an option; it must hold names, versions and hashes alone"


if __name__ == "__main__":
    sys.exit(main())
