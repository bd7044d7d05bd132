"""What strangers' programs print cannot steer the terminal."""

from __future__ import annotations

from sandbox_service.cli.screen import number, visible


def test_control_characters_become_escapes() -> None:
    assert visible("a\x1b[2Jb\x07\r\n\tc") == "a\\x1b[2Jb\\x07\\r\n\tc"
    assert visible("\x9b31m\u202eabc\ud800") == "\\x9b31m\\u202eabc\\ud800"
    visible("\ud800é✓").encode()


def test_numbers() -> None:
    assert [number(None), number(0.5, " s"), number(2.0), number(1 / 3)] == ["-", "0.5 s", "2", "0.333"]
