"""A correct program gets the same verdict on a machine whose cores others burn."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from sandbox_service import Client
from tests import whole

COPIES, CLIENTS = 200, 32
PROGRAM = "import time\nwhile time.process_time() < 0.6:\n    pass\nprint('done', {number})\n"


@contextmanager
def burning() -> Iterator[None]:
    """Somebody else keeps every core busy."""
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


@pytest.mark.full
def test_no_correct_program_is_over_time(tmp_path: Path) -> None:
    with whole.up(tmp_path, "--log-level", "WARNING") as up, Client(up.url) as client, burning():

        def verdict(number: int) -> tuple[str, bool]:
            task = {"type": "stdio", "cases": [{"expected": f"done {number}"}]}
            code = PROGRAM.format(number=number)
            id = client.submit({"language": "python", "code": code, "task": task, "limits": {"cpu_seconds": 1}})
            result = client.result(id)
            return str(result.verdict), result.rejudged

        with ThreadPoolExecutor(CLIENTS) as clients:
            verdicts = Counter(clients.map(verdict, range(COPIES)))
    print(dict(verdicts))
    assert {name for name, _ in verdicts} == {"accepted"}, verdicts
