"""Sandboxes that have the programs of another root than the host's."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox_service.contract.run import RunRequest
from sandbox_service.executor import ExecutorError, NamespaceExecutor, image
from tests.executor.place import LIMITS


@pytest.fixture
def root() -> Iterator[Path]:
    """The host's programs under another name, and an /etc of its own; where a sandbox's user can reach it."""
    folder = Path(tempfile.mkdtemp(prefix="root-", dir="/var/tmp"))
    folder.chmod(0o755)
    (folder / "usr").symlink_to("/usr")
    for name in ("bin", "lib", "lib64"):
        (folder / name).symlink_to(f"usr/{name}")
    (folder / "etc").mkdir()
    (folder / image.MARK).write_text("sha256:0123456789abcdef0123456789abcdef\n")
    (folder / "etc" / "services").write_text("of the image\n")
    yield folder
    shutil.rmtree(folder)


async def test_programs_find_that_root_around_them(root: Path) -> None:
    executor = NamespaceExecutor(root=root)
    await executor.start()
    sandbox = await executor.open()
    outcome = await sandbox.run(RunRequest([b"/bin/cat", b"/etc/services"], LIMITS))
    await sandbox.close()
    await executor.stop()
    assert (outcome.exit_code, outcome.stdout) == (0, b"of the image\n")
    assert executor.isolation.image == "image-0123456789abcdef"


async def test_a_root_without_python_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExecutorError, match="python3"):
        await NamespaceExecutor(root=tmp_path).start()


def test_a_root_that_no_image_is_known_of_is_known_by_its_packages(tmp_path: Path) -> None:
    (tmp_path / "var/lib/dpkg").mkdir(parents=True)
    found = []
    for packages in ("some", "others"):
        (tmp_path / "var/lib/dpkg/status").write_text(packages)
        found.append(image.digest(tmp_path))
    assert found[0] != found[1]
    assert all(name.startswith("root-") for name in found)
