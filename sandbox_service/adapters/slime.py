"""slime: `--custom-rm-path sandbox_service.adapters.slime.reward`.

Written by the signature that slime documents; slime is on no package index, and no test runs it.
For what we failed `SandboxError` is raised: slime has no missing reward, and stops rather than learn from a wrong one.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sandbox_service.adapters import _core
from sandbox_service.client import AsyncClient, SandboxError

PATIENCE_SECONDS = 600.0


async def reward(args: Any, sample: Any, **_others: Any) -> float:
    """The reward of `sample.response`; `sample.label` holds the tests, in a notation of `ground_truth`.

    Raises:
        SandboxError: there is none.
    """
    (result,) = await _core.results(_client(), [_core.wanted(sample.response, sample.label)])
    if result.reward is None:
        raise SandboxError(_core.why(result))
    return result.reward


@cache
def _client() -> AsyncClient:
    """The service that `SANDBOX_URL` and `SANDBOX_KEY` name."""
    return AsyncClient(patience=PATIENCE_SECONDS)
