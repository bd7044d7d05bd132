"""A reader of a batch that is killed again and again."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import httpx

from tests import whole

COUNT, KILLS = 400, 20


def program(number: int) -> dict[str, object]:
    task = {"type": "stdio", "cases": [{"expected": f"{number}\n" if number % 5 else "other"}]}
    return {"language": "bash", "code": f"echo {number}", "task": task}


def start(url: str, batch: str, file: Path, *most: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.service.reader", url, batch, str(file), *most]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_every_result_is_read_once(tmp_path: Path) -> None:
    """By its cursor, whatever moment it was killed at: between lines or in the middle of one."""
    chance, file = random.Random(3), tmp_path / "lines"
    with whole.up(tmp_path) as service, httpx.Client(base_url=service.url, trust_env=False, timeout=60) as http:
        submissions = [program(number) for number in range(COUNT)]
        batch = http.post("/v1/batches", json={"submissions": submissions}).json()["id"]
        for _ in range(KILLS):
            most = chance.randint(1, COUNT * 1000 // KILLS)  # a line has more than 1000 bytes
            with start(service.url, batch, file, str(most)) as reader:
                assert reader.stdout is not None
                assert reader.stdout.readline() == "enough\n"
                reader.kill()
        assert 0 < len(file.read_bytes().splitlines()) < COUNT
        with start(service.url, batch, file) as reader:
            assert reader.wait(120) == 0
        at_once = http.get(f"/v1/batches/{batch}/results").content
    assert file.read_bytes() == at_once
    lines = [json.loads(line) for line in at_once.splitlines()]
    assert sorted(line["index"] for line in lines) == list(range(COUNT))
    assert len({line["cursor"] for line in lines}) == len({line["id"] for line in lines}) == COUNT
    for line in lines:
        assert line["cases"][0]["stdout"] == f"{line['index']}\n"
        assert line["reward"] == (1.0 if line["index"] % 5 else 0.0)
