"""open-r1's own code against the Piston endpoint."""

from __future__ import annotations

import json
import os

import pytest

from tests.client.server import Answer, Seen, answer, serving
from tests.trainers import environments

SCORES = {
    "right": 1.0,
    "one of three": 1 / 3,
    "compiles not": -0.1,
    "late": 0.0,
    "python": 1.0,
    "checker": 1.0,
    "checker says no": 0.0,
}


@pytest.mark.full
def test_open_r1_piston_client_and_codeforces_scoring(service_url: str) -> None:
    """What it sends is also sent by `tests/compat/test_piston.py`, which needs no checkout."""
    checkout = os.environ.get("OPEN_R1")
    if not checkout:
        pytest.skip("open-r1 is on no package index: let OPEN_R1 name a checkout of its repository")

    def trouble(seen: Seen) -> Answer:
        return answer(200, []) if seen.method == "GET" else answer(500, {"message": "away"})

    with serving(trouble) as (away, seen):
        printed = environments.run("open_r1", "open_r1_piston.py", checkout, service_url, away)
    scores, runtimes = [json.loads(line) for line in printed.splitlines() if line[0] in "{["]
    assert scores == pytest.approx(SCORES)
    assert {"c++17", "cf_python3"} <= set(runtimes)
    assert len([one for one in seen if one.method == "POST"]) >= 2, "what we failed is asked again"
