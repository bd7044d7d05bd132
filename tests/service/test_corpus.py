"""The rows of the acceptance corpus that this version can take, where the corpus is there."""

from __future__ import annotations

import secrets

import pytest

from tests.service import corpus, host
from tests.service.conftest import Target

pytestmark = pytest.mark.skipif(not corpus.FOLDER.is_dir(), reason="the acceptance corpus is not here")


@pytest.mark.parametrize(("group", "least"), [("attacks", 25), ("hacks", 6), ("reports", 25)])
def test_corpus(target: Target, group: str, least: int) -> None:
    before = host.busy_then_idle(target.up, target.client)
    others = {name: secrets.token_hex(16) for name in ("EXPECTED_TOKEN", "NEIGHBOUR_TOKEN")}
    tokens = {"HOST_SECRET_TOKEN": target.token, "ENV_TOKEN": target.token, **others}
    empty = target.secret.parent / "empty"
    empty.mkdir(exist_ok=True)
    values = {
        "HOST_SECRET_PATH": str(target.secret),
        "HOST_MARKER_PATH": str(target.secret),
        "HOST_MARKER_DIR": str(empty),
        "REDIS_PORT": str(target.trap.port),
        "SERVICE_PORT": str(target.port),
        **tokens,
        **{f"{name}_A": token[:16] for name, token in tokens.items()},
        **{f"{name}_B": token[16:] for name, token in tokens.items()},
    }
    rows = corpus.rows(group, values)
    assert len(rows) >= least
    results = target.client.score([row.submission for row in rows])
    faults = {row.id: found for row, result in zip(rows, results, strict=True) if (found := list(row.faults(result)))}
    assert not faults
    assert not [row.id for row, result in zip(rows, results, strict=True) if target.token in result.model_dump_json()]
    assert target.trap.visits == []
    assert list(empty.iterdir()) == []
    host.wait_until_no_more(target.up, before)
