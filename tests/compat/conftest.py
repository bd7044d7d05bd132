"""A service for the tests of the compatibility endpoints."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import whole


@pytest.fixture(scope="session")
def service_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with whole.up(tmp_path_factory.mktemp("up")) as service:
        yield service.url
