"""Finding the program in what a model wrote."""

from __future__ import annotations

import pytest

from sandbox_service.contract.data import data_dir
from sandbox_service.languages import extract, load

PYTHON = load(data_dir("runner_images"))["python"]


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("Here:\n```python\nprint(1)\n```\nDone.", "print(1)\n"),
        ("```py\na\n```\n```python\nb\n```", "b\n"),
        ("```python\na\n```\n```\nb\n```", "a\n"),  # the language's before the last
        ("```\na\n```\ntext\n```\nb\n```", "b\n"),
        ("```text\na\n```", "a\n"),
        ("```python\nnever closed", "never closed"),
        ("~~~python\na\n```\nb\n~~~", "a\n```\nb\n"),
        ("````python\n```\ninner\n```\n````", "```\ninner\n```\n"),
        ("   ```Python title=x\na\n   ```", "a\n"),
        ("```{.python}\na\n```", "a\n"),
        ("```python\r\na\r\n```\r\n", "a\r\n"),
        ("no block, `inline`", None),
        ("    ```python\n    indented code\n", None),
        ("", None),
    ],
)
def test_fenced(text: str, program: str | None) -> None:
    assert extract(text.encode(), PYTHON, "fenced") == (None if program is None else program.encode())


def test_fenced_or_all() -> None:
    assert extract(b"print(1)", PYTHON, "fenced_or_all") == b"print(1)"
    assert extract(b"```\nprint(1)\n```", PYTHON, "fenced_or_all") == b"print(1)\n"


def test_bytes_that_are_no_text_stay_as_they_are() -> None:
    assert extract(b"```python\n\xff\x00\n```", PYTHON, "fenced") == b"\xff\x00\n"
