"""Which command is run, and how errors are told."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox_service.cli.main import COMMANDS, main


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    for argv in ([], ["--help"], ["help"]):
        assert main(argv) == 0
        said = capsys.readouterr().out
        assert all(f"\n  {name} " in said for name in COMMANDS)


def test_help_is_instant() -> None:
    """Nothing that takes time is imported for it, nor for a command's own help."""
    code = """
import sys
from sandbox_service.cli.main import COMMANDS, main
assert main(["--help"]) == 0
for name in COMMANDS.keys():
    try: main([name, "--help"])
    except SystemExit as end: assert end.code == 0
heavy = {"httpx", "pydantic", "rich", "fastapi", "uvicorn", "redis", "yaml", "asyncio.subprocess"} & sys.modules.keys()
assert not heavy - {"asyncio.subprocess"}, heavy
"""
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL, timeout=60)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip()[0].isdigit()


def test_every_command_but_the_unknown_one_can_be_loaded(capsys: pytest.CaptureFixture[str]) -> None:
    for name in COMMANDS:
        with pytest.raises(SystemExit) as end:
            main([name, "--no-such-option"])
        assert end.value.code == 2
        assert f"sandbox-service {name}" in capsys.readouterr().err
    assert main(["no-such-command"]) == 2
    assert "no-such-command" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["gateway"], 2, "set SANDBOX_REDIS_URL"),
        (["worker"], 2, "set SANDBOX_REDIS_URL"),
        (["up", "--host", "0.0.0.0"], 2, "keys"),
        (["up", "--keys", "/no/such/file"], 1, "/no/such/file: No such file or directory"),
        (["score", "/no/such/file"], 1, "/no/such/file: No such file or directory"),
        (["submit", "/no/such/file"], 1, "/no/such/file: No such file or directory"),
        (["demo", "--problems", "/no/such/file"], 1, "/no/such/file: No such file or directory"),
    ],
)
def test_expected_errors_are_one_line(
    argv: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SANDBOX_REDIS_URL", raising=False)
    assert main(argv) == code
    error = capsys.readouterr().err
    assert error.startswith(f"sandbox-service {argv[0]}: ")
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "argv", [["up", "--port", "70000"], ["up", "--workers", "0"], ["score", "x", "--in-flight", "-1"]]
)
def test_options_out_of_range(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(argv)
    assert end.value.code == 2
    assert "is no" in capsys.readouterr().err


def test_a_port_in_use(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    monkeypatch.delenv("SANDBOX_REDIS_URL", raising=False)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["up", "--port", str(port), "--data-dir", str(tmp_path)]) == 1
    assert f"cannot listen on 127.0.0.1, port {port}: Address already in use" in capsys.readouterr().err


def test_a_file_with_a_wrong_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "submissions.jsonl"
    for line, why in (("{", "not valid JSON"), ("[]", "a submission is a JSON object"), ('{"x": NaN}', "finite")):
        path.write_text(f'{{"language": "python"}}\n\n{line}\n')
        assert main(["score", str(path)]) == 1
        error = capsys.readouterr().err
        assert "line 3" in error
        assert why in error
    path.write_text("\n")
    assert main(["score", str(path)]) == 1
    assert "holds no submission" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["up", "gateway", "worker"])
def test_a_redis_that_does_not_answer(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDBOX_REDIS_URL", "redis://127.0.0.1:9")
    assert main([name]) == 1
    assert "the Redis that SANDBOX_REDIS_URL names does not answer: " in capsys.readouterr().err
    monkeypatch.setenv("SANDBOX_REDIS_URL", "http://127.0.0.1")
    assert main([name]) == 2
    assert "no URL of a Redis" in capsys.readouterr().err


def test_openapi(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["openapi"]) == 0
    assert "/v1/submissions" in json.loads(capsys.readouterr().out)["paths"]
