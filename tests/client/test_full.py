"""A service whose queue is full: a scoring waits as long as it is told to, and loses nothing."""

from __future__ import annotations

from pathlib import Path

import httpx

from sandbox_service import Client
from tests import whole

COUNT, ROOM = 80, 20


def test_a_scoring_waits_for_room(tmp_path: Path) -> None:
    """Longer than its patience: the service is alive, it only has no room."""
    programs = [{"language": "bash", "code": f"sleep 0.1; echo {number}"} for number in range(COUNT)]
    with whole.up(tmp_path, "--max-queued", str(ROOM)) as service:
        with Client(service.url, patience=1.0) as client:
            results = client.score(programs, batch_size=1, in_flight=COUNT)
        metrics = httpx.get(f"{service.url}/metrics", trust_env=False).text
    assert [result.cases[0].stdout for result in results] == [f"{number}\n" for number in range(COUNT)]
    assert any('/v1/batches"' in line and '"429"' in line for line in metrics.splitlines()), metrics
