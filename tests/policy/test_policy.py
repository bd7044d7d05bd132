"""Policies: defaults fill what a request leaves open, caps hold always, and the message names what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox_service.contract.limits import CompileLimits, Limits
from sandbox_service.contract.problem import ProblemError
from sandbox_service.policy import default_policy, load

DEFAULT = default_policy()


def test_defaults() -> None:
    run, compiler = DEFAULT.resolve(Limits())
    assert (run.cpu_seconds, run.wall_seconds, run.memory_bytes) == (10.0, 25.0, 256 << 20)
    assert (run.processes, run.open_files, run.inodes, run.output_bytes) == (64, 256, 4096, 1 << 20)
    assert run.stack_bytes == run.memory_bytes
    assert (compiler.cpu_seconds, compiler.wall_seconds, compiler.memory_bytes) == (30.0, 60.0, 1 << 30)


@pytest.mark.parametrize(
    ("asked", "wall"),
    [
        (Limits(cpu_seconds=2.0), 9.0),
        (Limits(cpu_seconds=60.0), 120.0),  # 5 + 2 x 60 is over the cap: the cap
        (Limits(cpu_seconds=2.0, wall_seconds=3.0), 3.0),
        (Limits(wall_seconds=1.0), 1.0),
    ],
)
def test_wall_time_follows_cpu_time(asked: Limits, wall: float) -> None:
    assert DEFAULT.resolve(asked)[0].wall_seconds == wall


def test_a_compiler_given_cpu_time_gets_wall_time_to_match() -> None:
    _, compiler = DEFAULT.resolve(Limits(compile=CompileLimits(cpu_seconds=2.0)))
    assert (compiler.cpu_seconds, compiler.wall_seconds) == (2.0, 9.0)


def test_a_stack_of_its_own() -> None:
    run, compiler = DEFAULT.resolve(Limits(stack_bytes=8 << 20))
    assert run.stack_bytes == 8 << 20
    assert compiler.stack_bytes == compiler.memory_bytes


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        (Limits(cpu_seconds=60.1), "limits.cpu_seconds"),
        (Limits(memory_bytes=(1 << 30) + 1), "limits.memory_bytes"),
        (Limits(output_bytes=(4 << 20) + 1), "limits.output_bytes"),
        (Limits(processes=257), "limits.processes"),
        (Limits(compile=CompileLimits(memory_bytes=(2 << 30) + 1)), "limits.compile.memory_bytes"),
    ],
)
def test_over_a_cap(asked: Limits, field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        DEFAULT.resolve(asked)
    assert caught.value.field == field
    assert "policy default" in caught.value.detail


@pytest.mark.parametrize(
    ("text", "why"),
    [("name: default\nexecutor: namespace\ndefaults: {}\ncaps: {}\nodd: 1\n", "odd"), ("name: [\n", "default.yaml")],
)
def test_a_bad_file_is_named(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "default.yaml").write_text(text)
    with pytest.raises(ValueError, match=why):
        load(tmp_path)


def test_a_folder_without_a_default(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"default\.yaml"):
        load(tmp_path)


BARE = "name: default\nexecutor: namespace\ndefaults: {}\ncaps: {}\n"


def test_what_the_program_gave_may_be_shown_unless_a_policy_says_otherwise(tmp_path: Path) -> None:
    assert DEFAULT.reveal == "actual"
    for text, reveal in (("", "actual"), ("reveal: nothing\n", "nothing"), ("reveal: expected\n", "expected")):
        (tmp_path / "default.yaml").write_text(BARE + text)
        assert load(tmp_path)["default"].reveal == reveal


@pytest.mark.parametrize("value", ["everything", "null", "true", "''"])
def test_what_cannot_be_shown(tmp_path: Path, value: str) -> None:
    (tmp_path / "default.yaml").write_text(f"{BARE}reveal: {value}\n")
    with pytest.raises(ValueError, match="reveal"):
        load(tmp_path)


def test_another_text_is_another_digest(tmp_path: Path) -> None:
    text = "name: default\nexecutor: namespace\ndefaults: {}\ncaps: {}\n"
    (tmp_path / "default.yaml").write_text(text)
    first = load(tmp_path)["default"].digest
    (tmp_path / "default.yaml").write_text(text + "# changed\n")
    assert load(tmp_path)["default"].digest != first
