"""The languages that come along, and the commands made of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandbox_service.contract.data import data_dir
from sandbox_service.contract.limits import Limits
from sandbox_service.contract.problem import ProblemError
from sandbox_service.contract.submission import Submission
from sandbox_service.languages import load
from sandbox_service.policy import default_policy
from tests.languages.programs import PROGRAMS

LANGUAGES = load(data_dir("runner_images"))
CPP, PYTHON = LANGUAGES["cpp"], LANGUAGES["python"]
LIMITS, _ = default_policy().resolve(Limits(memory_bytes=64 << 20))
FUNCTION = {"type": "function", "entry_point": "f", "cases": [{"expected": 1}]}


def of(language: str, **fields: Any) -> Submission:
    return Submission.model_validate({"language": language} | fields)


def test_what_comes_along() -> None:
    assert set(LANGUAGES) == {"python", "c", "cpp", "bash", "javascript", "typescript", "java", "go", "rust"}
    assert set(PROGRAMS) == set(LANGUAGES)  # none is left out where all are tried


@pytest.mark.parametrize(
    ("files", "entrypoint", "first"),
    [
        (["main.py", "other.py"], None, "main.py"),
        (["solve.py", "data.txt"], None, "solve.py"),
        (["a.py", "b.py"], "b.py", "b.py"),
        (["odd name"], None, "odd name"),
    ],
)
def test_the_entrypoint(files: list[str], entrypoint: str | None, first: str) -> None:
    submission = of("python", files=dict.fromkeys(files, ""), entrypoint=entrypoint)
    assert PYTHON.entrypoint(submission) == first
    assert PYTHON.run_command(submission, [b"x"], LIMITS) == [b"/usr/bin/python3", first.encode(), b"x"]


def test_an_open_entrypoint_is_refused() -> None:
    with pytest.raises(ProblemError) as caught:
        PYTHON.check(of("python", files={"a.py": "", "b.py": ""}))
    assert caught.value.field == "entrypoint"
    assert "a.py" in caught.value.detail


def test_code_gets_the_usual_name_or_the_one_asked_for() -> None:
    assert PYTHON.entrypoint(of("python", code="")) == "main.py"
    assert PYTHON.entrypoint(of("python", code="", entrypoint="x.py")) == "x.py"


def test_all_sources_are_compiled_unless_one_is_named() -> None:
    files = {"main.cpp": "", "more.cc": "", "more.h": ""}
    assert CPP.sources(of("cpp", files=files)) == ["main.cpp", "more.cc"]
    assert CPP.sources(of("cpp", files=files, entrypoint="more.cc")) == ["more.cc"]


@pytest.mark.parametrize("name", ["-o", "@file", "-"])
def test_no_file_name_is_taken_for_an_option(name: str) -> None:
    command = CPP.compile_command(of("cpp", files={name: ""}, entrypoint=name))
    assert f"./{name}" in command
    assert name not in command[command.index("program") + 1 :]


def test_flags_stand_before_the_sources() -> None:
    command = CPP.compile_command(of("cpp", code="", compile_flags=["-std=c++20", "-pthread"]))
    assert command.index("-std=c++20") < command.index("main.cpp")


def test_a_flag_takes_the_place_of_an_option_of_its_name() -> None:
    command = LANGUAGES["rust"].compile_command(of("rust", code="", compile_flags=["--edition=2024"]))
    assert [word for word in command if word.startswith("--edition")] == ["--edition=2024"]
    assert "--edition=2021" in LANGUAGES["rust"].compile_command(of("rust", code=""))


def test_rust_compiles_one_file_and_typescript_all() -> None:
    files = {"b.rs": "", "main.rs": "", "b.ts": "", "main.ts": ""}
    assert LANGUAGES["rust"].compile_command(of("rust", files=files))[-1] == "main.rs"
    assert LANGUAGES["typescript"].compile_command(of("typescript", files=files, entrypoint="b.ts"))[-2:] == [
        "b.ts",
        "main.ts",
    ]


def test_a_run_is_told_its_memory_and_its_compiled_file() -> None:
    assert b"-Xmx67108864" in LANGUAGES["java"].run_command(of("java", code=""), [], LIMITS)
    typescript = of("typescript", code="", entrypoint="{memory_bytes}/x.y.ts")
    assert LANGUAGES["typescript"].run_command(typescript, [], LIMITS)[-1] == b"out/{memory_bytes}/x.y.js"


@pytest.mark.parametrize(("language", "type"), [("c", "function"), ("cpp", "function"), ("bash", "assertions")])
def test_a_task_that_the_language_cannot_do_is_refused(language: str, type: str) -> None:
    task = {"type": type, "code": "assert True"} if type == "assertions" else FUNCTION
    with pytest.raises(ProblemError) as caught:
        LANGUAGES[language].check(of(language, code="", task=task))
    assert (caught.value.code, caught.value.field) == ("not_offered", "task.type")
    PYTHON.check(of("python", code="", task=task))


@pytest.mark.parametrize("flag", ["-fplugin=x.so", "-O4", "-std=c++17 -O2", "", "@x", "-I/"])
def test_other_flags_are_refused_by_name(flag: str) -> None:
    with pytest.raises(ProblemError) as caught:
        CPP.check(of("cpp", code="", compile_flags=["-O2", flag]))
    assert caught.value.field == "compile_flags.1"
    assert repr(flag) in caught.value.detail


def test_a_bad_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "language.yaml").write_text("id: odd\n")
    with pytest.raises(ValueError, match=r"odd/language\.yaml"):
        load(tmp_path)
