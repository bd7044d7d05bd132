"""What a checker says by its exit code, and by points."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge.checker import CheckerError, points
from sandbox_service.judge.checker.points import points_of
from sandbox_service.judge.finding import ACCEPTED, Finding
from tests.judge.checker.bench import READ, Bench


@pytest.mark.parametrize(("code", "right"), [(0, True), (1, False), (2, False)])
async def test_right_and_wrong(bench: Bench, code: int, right: bool) -> None:
    finding = await bench.ask(f"import sys; print('found it'); sys.exit({code})")
    rejected = Finding(Verdict.WRONG_ANSWER, "the checker rejects the output", expected="found it")
    assert finding == (ACCEPTED if right else rejected)
    assert len(bench.requests) == 1


@pytest.mark.parametrize("code", [3, 4, 5, 6, 8, 42, 43, 127, 255])
async def test_any_other_code_is_a_failure(bench: Bench, code: int) -> None:
    with pytest.raises(CheckerError, match=f"exit code {code}") as caught:
        await bench.ask(f"import sys; print('secret'); sys.exit({code})")
    assert caught.value.words == "secret"
    assert "secret" not in str(caught.value)
    assert len(bench.requests) == 4  # the output, and three harmless ones


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ("points 0.5 half of it", 0.5),
        ("points 0.25\\nfurther 0.9", 0.25),
        ("points 1", 1.0),
        ("points 0", 0.0),
        ("0.125", 0.125),
        (".5", 0.5),
        ("5e-1", 0.5),
    ],
)
@pytest.mark.parametrize("stream", ["stderr", "stdout"])
async def test_points(bench: Bench, said: str, score: float, stream: str) -> None:
    finding = await bench.ask(f"import sys; print('{said}', file=sys.{stream}); sys.exit(7)")
    assert finding.score == (score if 0 < score < 1 else None)
    assert finding.verdict is (Verdict.ACCEPTED if score == 1 else Verdict.WRONG_ANSWER)


@pytest.mark.parametrize("said", ["", "points", "points 1.5", "points -0.1", "points nan", "inf", "50%", "1/3"])
async def test_no_points_from_0_to_1(bench: Bench, said: str) -> None:
    with pytest.raises(CheckerError, match="points"):
        await bench.ask(f"import sys; print('{said}'); sys.exit(7)")


@pytest.mark.parametrize(
    ("texts", "score"),
    [
        ((b"took 3 s", b"points 0.5"), 0.5),
        ((b"read: points 1 more\npoints 0.5", b""), 0.5),
        ((b"points: 0.5", b"points 1"), 0.5),
        ((b"read 1", b"points=.5"), 0.5),
        ((b"points x1 token2 0.5, 1", b""), 0.5),
        ((b"0.5.", b""), 0.5),
        ((b"(0.5)", b""), 0.5),
        ((b"+0.5", b""), 0.5),
        ((b"nano information 0.5", b""), 0.5),
        ((b"points 1.0.0", b""), None),
        ((b"points -inf 0.5", b""), None),
        ((b"points 1e400", b""), None),
        ((b"points 0x1", b""), None),
        ((b"points \xff\xfe", b"\x00"), None),
    ],
)
def test_where_points_are_looked_for(texts: tuple[bytes, bytes], score: float | None) -> None:
    assert points_of(*texts) == score


@given(st.floats(0, 1), st.binary(max_size=50))
def test_testlib_is_understood_whatever_follows(score: float, words: bytes) -> None:
    """It writes up to ten digits; the message quotes what the solution wrote."""
    assert points_of(b"points %.10f %s" % (score, words), words) == round(score, 10)


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_points_are_never_out_of_bounds(one: bytes, other: bytes) -> None:
    score = points_of(one, other)
    assert score is None or 0.0 <= score <= 1.0


@pytest.mark.parametrize("part", [b"points ", b"9", b".", b"+", b"1e", b"1.", b"\n", b"1/", b" "])
def test_points_are_found_in_linear_time(part: bytes) -> None:
    """No clock: were it quadratic, this would take long."""
    assert points_of(part * (4 << 20), part * (4 << 20)) in (None, 1.0)


def test_the_examples_of_the_documentation_hold() -> None:
    outcome = doctest.testmod(points)
    assert outcome.attempted > 0
    assert outcome.failed == 0


async def test_a_program_is_run_as_main_with_the_three_files(bench: Bench) -> None:
    code = READ + (
        "import __main__, pickle\n"
        "class Own: pass\n"
        "assert (ours, theirs, right) == (b'21', b'41\\xff\\0', b'42')\n"
        "assert sys.argv == ['main.py', 'input.txt', 'output.txt', 'expected.txt'], sys.argv\n"
        "assert __name__ == '__main__' and __main__.__dict__ is globals() and __file__ == 'main.py'\n"
        "assert sys.stdin.read() == '' and isinstance(pickle.loads(pickle.dumps(Own())), Own)\n"
    )
    assert await bench.ask(code, b"41\xff\0") is ACCEPTED
