"""Every page does what it says: its blocks are run, in order, against a running service."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import whole
from tests.docs.blocks import ROOT, RUN, Block, blocks, pages
from tests.docs.session import SECONDS, Session, expect

MOST_NOT_RUN = 12


@pytest.fixture(scope="module")
def service_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with whole.up(tmp_path_factory.mktemp("up")) as service:
        yield service.url


def installs(page: str) -> bool:
    """Whether a page begins with installing a trainer: such a page has an environment of its own."""
    return any(block.runs and block.text.startswith("pip install") for block in blocks(page))


FOLLOWED = [page for page in pages() if any(block.runs for block in blocks(page))]
INSTALLING = [page for page in FOLLOWED if installs(page)]


@pytest.mark.parametrize("page", [page for page in FOLLOWED if page not in INSTALLING])
def test_page(page: str, service_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_URL", service_url)
    Session(tmp_path, service_url, Path(sys.executable).parent).follow(blocks(page))


@pytest.mark.full
@pytest.mark.parametrize("page", INSTALLING)
def test_page_of_a_trainer(page: str, service_url: str, tmp_path: Path) -> None:
    """As a newcomer: an environment with nothing in it, and a copy of what the repository holds."""
    checkout, environment = tmp_path / "checkout", tmp_path / "environment"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (checkout / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, checkout / name)
    subprocess.run([sys.executable, "-m", "venv", environment], check=True, timeout=SECONDS)
    Session(checkout, service_url, environment / "bin").follow(blocks(page))


def test_few_blocks_are_not_run() -> None:
    every = [block for page in pages() for block in blocks(page) if block.language in RUN and block.title is None]
    left = [f"{block}: {block.reason}" for block in every if not block.runs]
    assert len(left) <= MOST_NOT_RUN, "\n".join(left)
    assert len(every) > 4 * len(left)


@pytest.mark.parametrize(
    ("shown", "printed", "right"),
    [
        ("a\n", "a\n", True),
        ("a\n", "b\n", False),
        ("a\n", "a\nb\n", False),
        ("took ... s\n", "took 0.3 s\n", True),
        ("took ... s\n", "took 0.3\n s\n", False),
        ("a\n...\nz\n", "a\nb\nc\nz\n", True),
        ("a\n...\nz\n", "a\nz\n", True),
        ("a\n...\nz\n", "a\nb\n", False),
        ("1.0 (x)\n", "100 (x)\n", False),
    ],
)
def test_output_is_compared(shown: str, printed: str, right: bool) -> None:
    block = Block("page.md", 1, "text", "Output", shown)
    if right:
        expect(block, printed)
    else:
        with pytest.raises(AssertionError, match="the page shows"):
            expect(block, printed)
