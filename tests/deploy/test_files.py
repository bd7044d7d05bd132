"""What the files of a deployment must never lose."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
IMAGES = sorted((ROOT / "runner_images").glob("*/Dockerfile"))


@pytest.mark.parametrize("name", ["valkey", "gateway", "worker"])
def test_every_service_is_an_ordinary_user_with_nothing_to_gain(name: str) -> None:
    service = SERVICES[name]
    assert (service["user"], service["read_only"], service["cap_drop"]) == ("1000:1000", True, ["ALL"])
    assert "no-new-privileges:true" in service["security_opt"]
    assert not service.keys() & {"privileged", "cap_add", "devices", "pid", "network_mode"}
    assert "docker.sock" not in str(service)
    assert service["healthcheck"]


def test_only_the_worker_has_other_walls_than_docker_s_own() -> None:
    usual = ["no-new-privileges:true"]
    assert [name for name, service in SERVICES.items() if service["security_opt"] != usual] == ["worker"]


def test_the_queue_is_reached_by_no_one_else_and_its_password_stands_nowhere() -> None:
    assert COMPOSE["networks"]["queue"] == {"internal": True}
    assert SERVICES["valkey"]["networks"] == SERVICES["worker"]["networks"] == ["queue"]
    assert "ports" not in SERVICES["valkey"]
    assert "@" not in SERVICES["worker"]["environment"]["SANDBOX_REDIS_URL"]


@pytest.mark.parametrize(
    "path", sorted((ROOT / "runner_images").glob("*/Dockerfile")), ids=lambda path: path.parent.name
)
def test_an_image_names_what_it_is_made_of_and_has_what_init_needs(path: Path) -> None:
    text = path.read_text()
    assert "ARG BASE_IMAGE=debian:bookworm-slim\n" in text
    assert re.search(r"apt-get install -y --no-install-recommends python3\b", text)
    assert f"LABEL sandbox-service.image={path.parent.name}\n" in text


def test_there_is_an_image_for_every_one_that_is_built() -> None:
    names = re.search(r"names=\((base .*)\)", (ROOT / "runner_images" / "build.sh").read_text())
    assert names
    assert sorted(names[1].split()) == sorted(
        path.parent.name for path in (ROOT / "runner_images").glob("*/Dockerfile")
    )
