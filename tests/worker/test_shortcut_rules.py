"""Which programs are given headers that were read beforehand, and from which folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox_service.worker.shortcuts import first_include, is_ours


@pytest.mark.parametrize(
    "text",
    [
        "#include <a>\n",
        "  #  include\t<a>",
        "/**/#include <a> // b",
        "\n//\n/* // \n*/ /***/\r\n#include <a>\n#include <b>",
        "/* #include <b> */\n#include <a>",
    ],
)
def test_the_first_include(text: str) -> None:
    assert first_include(text.encode()) == "a"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        '#include "a"',
        "#define A\n#include <a>",
        "int x;\n#include <a>",
        "// \\\n#include <b>\n#include <a>",
        "/*\n#include <a>",
        "#include_next <a>",
        "#import <a>",
        "#include <a",
        "#include <a\n>",
        "??=include <a>",
        "\\\n#include <a>",
        "/\\\n/ x\n#include <a>",
        "/*" * 100_000,
        "/**/" * 100_000,
        "/" * 100_000,
        " " * 1_000_000,
    ],
    ids=lambda text: repr(text[:40]),
)
def test_no_first_include(text: str) -> None:
    assert first_include(text.encode()) is None


def test_a_folder_that_others_can_write_to_is_not_taken(tmp_path: Path) -> None:
    assert is_ours(tmp_path)
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    assert not is_ours(link)
    for mode in (0o775, 0o757, 0o777):
        tmp_path.chmod(mode)
        assert not is_ours(tmp_path)
