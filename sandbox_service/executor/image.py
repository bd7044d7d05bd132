"""What programs find around them, in one word: it stands in every result."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

MARK = Path("etc/sandbox-image")
"""Where `runner_images/export.sh` writes the id of the image that a root file system was taken from."""


def digest(root: Path) -> str:
    """The image that a root file system was taken from; of others a digest of their package database."""
    mark, database = root / MARK, root / "var/lib/dpkg/status"
    if mark.exists():
        return "image-" + mark.read_text().strip().removeprefix("sha256:")[:16]
    content = database.read_bytes() if database.exists() else os.uname().release.encode()
    return ("host-" if root == Path("/") else "root-") + hashlib.sha256(content).hexdigest()[:16]
