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


def test_the_system_calls_of_a_worker_in_a_container(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["policy", "seccomp", "worker"]) == 0
    rules = json.loads(capsys.readouterr().out)["syscalls"]
    let = {
        name for rule in rules if rule["action"] == "SCMP_ACT_ALLOW" and "args" not in rule for name in rule["names"]
    }
    # What a sandbox is made of, and what a sandbox's own filter must be asked about.
    assert let >= {
        "clone",
        "clone3",
        "unshare",
        "mount",
        "pivot_root",
        "umount2",
        "setns",
        "seccomp",
        "init_module",
        "reboot",
    }
    assert not any(rule["action"] == "SCMP_ACT_KILL_PROCESS" for rule in rules)
    assert not let & {"bpf", "keyctl", "add_key", "perf_event_open", "userfaultfd", "io_uring_setup"}


def test_a_list_of_system_calls_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["policy", "seccomp", "odd"]) == 1
    assert "odd" in capsys.readouterr().err
