"""A root file system for containers, of packages that are installed here: in seconds, and without any network."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

STATUS = Path("/var/lib/dpkg/status")
LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
FOLDERS = ("dev", "etc", "proc", "root", "run", "sys", "tmp", "var/tmp", "work")
CONFIGURATION = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "protocols")
SMALL = ("python3", "bash", "coreutils", "dash", "sed")
LARGE = (
    *SMALL,
    *("bc", "debianutils", "diffutils", "findutils", "g++", "gawk", "gcc", "grep", "gzip", "libc-bin", "mawk", "mold"),
    *("nodejs", "perl-base", "procps", "python3-numpy", "tar", "tzdata", "util-linux"),
)
NOT_NEEDED = re.compile("^/usr/share/(doc|man|locale|info|lintian|icons|bug)/")


def make_root(folder: Path, packages: Iterable[str]) -> Path:
    """Copy packages and all that they depend on into a new folder."""
    for name in FOLDERS:
        (folder / name).mkdir(parents=True)
    for name in LINKS:
        if Path("/", name).is_symlink():
            (folder / name).symlink_to(Path("/", name).readlink())
    for path in _files(_with_dependencies(packages)):
        _copy(path, folder)
    for name in CONFIGURATION:
        source = Path("/etc", name)
        if source.is_dir():
            shutil.copytree(source, folder / "etc" / name, symlinks=True, dirs_exist_ok=True)
        elif source.exists():
            shutil.copy2(source, folder / "etc" / name)
    for link in Path("/usr/bin").iterdir():  # awk, cc: of no package
        if link.is_symlink() and str(link.readlink()).startswith("/etc/alternatives"):
            _copy(str(link), folder)
    (folder / "etc/passwd").write_text("root:x:0:0::/:/bin/sh\nsandbox:x:1000:1000::/work:/bin/sh\n")
    (folder / "etc/group").write_text("root:x:0:\nsandbox:x:1000:\n")
    (folder / "etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")
    _copy(str(STATUS), folder)
    return folder


def _copy(path: str, folder: Path) -> None:
    parent, name = os.path.split(path)
    target = folder / os.path.realpath(parent).lstrip("/") / name
    target.parent.mkdir(parents=True, exist_ok=True)
    if Path(path).is_symlink():
        target.unlink(missing_ok=True)
        target.symlink_to(Path(path).readlink())
    elif Path(path).is_file():
        shutil.copy2(path, target)


def _files(packages: Iterable[str]) -> list[str]:
    listed = subprocess.run(["dpkg", "-L", *packages], check=True, capture_output=True, text=True).stdout
    paths = {line for line in listed.splitlines() if line.startswith("/") and not NOT_NEEDED.match(line)}
    return sorted(path for path in paths if Path(path).is_symlink() or Path(path).is_file())


def _with_dependencies(packages: Iterable[str]) -> list[str]:
    installed, provided = _installed()
    found, wanted = set[str](), [name for name in packages if name in installed]
    while wanted:
        name = wanted.pop()
        name = name if name in installed else provided.get(name, "")
        if name and name not in found:
            found.add(name)
            wanted += installed[name]
    return sorted(found)


def _installed() -> tuple[dict[str, list[str]], dict[str, str]]:
    """Packages with what they depend on, and by what else they are known."""
    depends: dict[str, list[str]] = {}
    provided: dict[str, str] = {}
    for block in STATUS.read_text().split("\n\n"):
        fields = dict(re.findall(r"^([\w-]+): (.*)$", block, re.MULTILINE))
        if "installed" not in fields.get("Status", "").split():
            continue
        listed = f"{fields.get('Depends', '')}, {fields.get('Pre-Depends', '')}"
        choices = [re.sub(r"[\s:(].*", "", one.strip()) for one in re.split("[,|]", listed)]
        depends[fields["Package"]] = [name for name in choices if name]
        for other in fields.get("Provides", "").split(","):
            provided[re.sub(r"[\s(].*", "", other.strip())] = fields["Package"]
    return depends, provided
