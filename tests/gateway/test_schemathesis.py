"""schemathesis, with all its checks, finds nothing wrong with a running gateway."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import os
import sys
from pathlib import Path

import pytest

from sandbox_service import languages
from sandbox_service.gateway.settings import GatewaySettings
from tests.gateway.service import announce, gateway, worker

ROOT = Path(__file__).parents[2]
KEY = "schemathesis"
SECONDS = 1800
ANNOUNCE_SECONDS = 3
REQUEST_SECONDS = 90  # a wait may be 60, and two batches of 10 000 may be before it


MANY = 200


@pytest.mark.parametrize(
    ("examples", "keys"),
    [(10, False), pytest.param(200, False, marks=pytest.mark.full), pytest.param(200, True, marks=pytest.mark.full)],
)
async def test_it_finds_nothing(settings: GatewaySettings, tmp_path: Path, examples: int, keys: bool) -> None:
    if keys:
        settings = _with_key(settings, tmp_path)
    with gateway(settings) as url:
        async with worker(settings.redis_url, settings.queue, slots=16):
            announcing = asyncio.create_task(_announce(settings))
            # Values at every border of the schema take minutes, as do requests that follow each other.
            phases = "examples,fuzzing" if examples < MANY else "examples,coverage,fuzzing,stateful"
            options = ["--max-examples", str(examples), "--phases", phases]
            if examples < MANY:  # these wait for a minute, as long as nobody runs anything
                options += ["--exclude-path-regex", "validate|replay"]
            code, output = await _run(tmp_path, f"{url}/openapi.json", *options)
            announcing.cancel()
    assert code == 0, output


def _with_key(settings: GatewaySettings, folder: Path) -> GatewaySettings:
    """Settings with one key, which schemathesis knows: it then also tries what happens without."""
    digest = hashlib.sha256(KEY.encode()).hexdigest()
    keys = folder / "keys.yaml"
    keys.write_text(f"- {{tenant: a, key_sha256: {digest}, scopes: [submit, read]}}")
    (folder / "schemathesis.toml").write_text(f'[auth.openapi.key]\nbearer = "{KEY}"\n')
    return dataclasses.replace(settings, keys_file=keys)


async def _announce(settings: GatewaySettings) -> None:
    known = languages.load(settings.languages)
    while True:
        await announce(settings.redis_url, settings.queue, *known)
        await asyncio.sleep(ANNOUNCE_SECONDS)


async def _run(folder: Path, *arguments: str) -> tuple[int | None, str]:
    """Run it; its exit code and what it says."""
    child = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("schemathesis"),
        "run",
        *("--checks", "all", "--no-color", "--generation-database", "none"),
        "--suppress-health-check=too_slow",  # the machine may be busy
        *("--request-timeout", str(REQUEST_SECONDS), "--max-response-time", str(REQUEST_SECONDS)),
        *arguments,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "SCHEMATHESIS_HOOKS": "tests.gateway.schemathesis_hooks"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        output, _ = await asyncio.wait_for(child.communicate(), SECONDS)
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    return child.returncode, output.decode()
