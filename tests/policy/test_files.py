"""The policies that come with the service, their schemas, and what a policy is made of."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import pytest
import yaml

from sandbox_service.contract.data import data_dir
from sandbox_service.policy import Policy, load, load_file
from sandbox_service.policy.check import SCHEMAS, mistakes, schema
from sandbox_service.policy.seccomp import default_bpf

FOLDER = data_dir("policies")
OWN = "name: own\nexecutor: namespace\nseccomp: {}\ndefaults: {{}}\ncaps: {{}}\n"


@pytest.mark.parametrize("path", SCHEMAS, ids=str)
def test_schemas_are_those_of_the_models(path: Path) -> None:
    """If not: `sandbox-service policy schema [--seccomp]` prints them."""
    assert json.loads((FOLDER / path).read_text()) == schema(path)


@pytest.mark.parametrize("path", SCHEMAS, ids=str)
def test_files_hold_to_their_schemas(path: Path) -> None:
    validator = jsonschema_rs.validator_for(schema(path))
    files = list((FOLDER / path).parent.glob("*.yaml"))
    assert len(files) >= 3
    for file in files:
        validator.validate(yaml.safe_load(file.read_text()))
    with pytest.raises(jsonschema_rs.ValidationError):
        validator.validate({"odd": 1})


def test_those_that_come_along() -> None:
    policies = load(FOLDER)
    assert list(policies) == ["default", "docker", "gvisor", "oci", "strict", "trusted-fast"]
    assert [mistake for policy in policies.values() for mistake in mistakes(policy)] == []
    usual, others = ["default", "docker", "gvisor", "oci"], {"strict": "strict", "trusted-fast": "trusted"}
    assert {name: policies[name].seccomp for name in policies} == dict.fromkeys(usual, "default") | others
    assert [name for name in policies if policies[name].isolation == "strict"] == ["strict"]
    assert len({policy.digest for policy in policies.values()}) == len(policies)
    assert len({policy.filter for policy in policies.values()}) == 3
    assert policies["default"].filter == default_bpf()


def own(folder: Path, seccomp: str) -> Policy:
    (folder / "own.yaml").write_text(OWN.format(seccomp))
    return load_file(folder / "own.yaml")


def test_the_digest_covers_the_filter(tmp_path: Path) -> None:
    (tmp_path / "seccomp").mkdir()
    source = tmp_path / "seccomp" / "mine.yaml"
    source.write_text("otherwise: ENOSYS\ngroups: []\n")
    before = own(tmp_path, "mine")
    source.write_text("otherwise: EPERM\ngroups: []\n")
    after = own(tmp_path, "mine")
    assert before.digest != after.digest
    assert before.filter != after.filter


def test_filters_beside_it_come_before_ours(tmp_path: Path) -> None:
    ours = own(tmp_path, "default")
    (tmp_path / "seccomp").mkdir()
    (tmp_path / "seccomp" / "default.yaml").write_text("otherwise: ENOSYS\ngroups: []\n")
    assert own(tmp_path, "default").filter != ours.filter


def test_a_filter_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="missing"):
        own(tmp_path, "missing")


@pytest.mark.parametrize("name", ["../default", "/etc/passwd", "a b", ""])
def test_a_filter_is_named_and_no_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="seccomp"):
        own(tmp_path, repr(name))


def test_mistakes(tmp_path: Path) -> None:
    text = (FOLDER / "default.yaml").read_text()
    path = tmp_path / "default.yaml"
    path.write_text(text.replace("  processes: 64\n", "  processes: 300\n").replace("  inodes: 16384\n", ""))
    assert sorted(mistakes(load_file(path))) == [
        "caps.compile.inodes is missing",
        "caps.inodes is missing",
        "defaults.compile.processes 300 is over the cap 256",
        "defaults.processes 300 is over the cap 256",
    ]
    path.write_text(text.replace("  cpu_seconds: 10.0\n", ""))
    assert list(mistakes(load_file(path))) == ["defaults.cpu_seconds is missing"]
