"""`policy check` and `policy show`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sandbox_service.cli.main import main
from sandbox_service.contract.data import data_dir
from sandbox_service.policy import load

FOLDER = data_dir("policies")


def test_check_of_those_that_come_along(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["policy", "check", str(FOLDER)]) == 0
    said = capsys.readouterr().out
    for policy in load(FOLDER).values():
        assert f"{policy.name}: digest {policy.digest}" in said


def test_check_of_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["policy", "check", str(FOLDER / "strict.yaml")]) == 0
    assert capsys.readouterr().out.startswith("strict: ")


def test_check_finds_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (FOLDER / "default.yaml").read_text()
    (tmp_path / "default.yaml").write_text(text.replace("  processes: 64\n", "  processes: 300\n"))
    assert main(["policy", "check", str(tmp_path)]) == 1
    assert "defaults.processes 300 is over the cap 256" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["odd: 1\n", "name: [\n", "name: other\nexecutor: x\ndefaults: {}\ncaps: {}\n"])
def test_check_of_what_is_no_policy(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "default.yaml").write_text(text)
    assert main(["policy", "check", str(tmp_path)]) == 1
    assert "default.yaml" in capsys.readouterr().err


def test_check_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["policy", "check", str(tmp_path / "none.yaml")]) == 1
    assert "none.yaml" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["default", "strict", "trusted-fast"])
def test_show(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["policy", "show", name]) == 0
    said, policy = capsys.readouterr().out, load(FOLDER)[name]
    assert policy.digest in said
    assert policy.profile.digest in said
    assert "memory_bytes" in said
    assert "pivot_root" in said


def test_show_for_container_runtimes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["policy", "show", "default", "--oci"]) == 0
    assert json.loads(capsys.readouterr().out)["defaultAction"] == "SCMP_ACT_ERRNO"


def test_show_of_one_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["policy", "show", "odd"]) == 2
    assert "trusted-fast" in capsys.readouterr().err


@pytest.mark.parametrize(("option", "path"), [([], "schema.json"), (["--seccomp"], "seccomp/schema.json")])
def test_schema(option: list[str], path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["policy", "schema", *option]) == 0
    assert capsys.readouterr().out == (FOLDER / path).read_text()
