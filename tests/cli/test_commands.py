"""The commands that talk to a service, on the whole service."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest

from sandbox_service.cli.demo import PROBLEMS
from sandbox_service.cli.main import main
from tests import whole


def test_submit_shows_the_result(service_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, stdin = tmp_path / "twice.py", tmp_path / "in"
    program.write_text("print(int(input()) * 2, '\\x1b[2J')")
    stdin.write_text("21\n")
    assert main(["submit", str(program), "--stdin", str(stdin), "--url", service_url]) == 0
    said = capsys.readouterr().out
    assert "accepted" in said
    assert "42 \\x1b[2J" in said


def test_submit_gives_json_and_a_failing_exit_code(
    service_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "program"
    program.write_text("exit 3")
    assert main(["submit", str(program), "--language", "bash", "--json", "--url", service_url]) == 1
    result = json.loads(capsys.readouterr().out)
    assert (result["verdict"], result["cases"][0]["exit_code"]) == ("runtime_error", 3)
    assert main(["submit", str(program), "--url", service_url]) == 2
    assert "say --language, one of: " in capsys.readouterr().err
    assert main(["submit", str(program), "--language", "klingon", "--url", service_url]) == 1
    assert "klingon" in capsys.readouterr().err


def test_score_writes_results_in_order(service_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "submissions.jsonl", tmp_path / "results.jsonl"
    codes = ["exit 0", "exit 1", "echo fine"]
    path.write_text("".join(json.dumps({"language": "bash", "code": code}) + "\n" for code in codes))
    assert main(["score", str(path), "--out", str(out), "--url", service_url]) == 0
    results = [json.loads(line) for line in out.read_text().splitlines()]
    assert [result["verdict"] for result in results] == ["accepted", "runtime_error", "accepted"]
    said = capsys.readouterr().out
    assert "runtime_error" in said
    assert "0.667" in said


def test_languages(service_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["languages", "--url", service_url]) == 0
    assert "python" in capsys.readouterr().out


def test_nobody_there(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox_service.cli.options.PATIENCE_SECONDS", 0.1)
    assert main(["languages", "--url", "http://127.0.0.1:9"]) == 1
    assert "start a service with `sandbox-service up`" in capsys.readouterr().err


def few_problems() -> list[dict[str, object]]:
    problems = [json.loads(line) for line in PROBLEMS.read_text().splitlines()]
    return [problem for problem in problems if problem["name"] in ("python: sum of a line", "bash: countdown")]


def demo(folder: Path, problems: list[dict[str, object]], url: str) -> int:
    (folder / "problems.jsonl").write_text("".join(json.dumps(problem) + "\n" for problem in problems))
    paths = ["--problems", str(folder / "problems.jsonl"), "--out", str(folder / "results.json")]
    return main(["demo", *paths, "--url", url])


def test_the_demo_fails_if_two_expected_outputs_are_swapped(
    service_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problems = few_problems()
    assert demo(tmp_path, problems, service_url) == 0
    first, second = (problem["submission"]["task"]["cases"][0] for problem in problems)  # type: ignore[index]
    first["expected"], second["expected"] = second["expected"], first["expected"]
    capsys.readouterr()
    assert demo(tmp_path, problems, service_url) == 1
    said = capsys.readouterr().out
    assert said.count("NOT AS KNOWN") == 2
    assert "first reward after" in said
    results = json.loads((tmp_path / "results.json").read_text())
    assert [(result["verdict"], result["known"]["verdict"]) for result in results] == [("wrong_answer", "accepted")] * 2


def test_an_interrupted_demo_leaves_nothing(tmp_path: Path) -> None:
    environment = whole.ENVIRONMENT | {"TMPDIR": str(tmp_path)}
    demo = subprocess.Popen(
        whole.command("demo"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    assert demo.stdout is not None
    while "first reward" not in demo.stdout.readline():
        assert demo.poll() is None
    demo.send_signal(signal.SIGINT)
    _, error = demo.communicate(timeout=60)
    assert demo.returncode == 130
    assert "Traceback" not in error
    assert not list(tmp_path.iterdir())


def test_the_whole_demo_with_a_service_of_its_own(tmp_path: Path) -> None:
    done = whole.run("demo", "--out", str(tmp_path / "results.json"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "every verdict and every reward is the known one" in done.stdout
    results = json.loads((tmp_path / "results.json").read_text())
    assert len(results) == len(PROBLEMS.read_text().splitlines())
