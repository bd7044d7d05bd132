"""The report: its plan, whose fault a failure is, what is told of it."""

from __future__ import annotations

import pytest

from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge import report
from tests.judge.javascript.pair import examine

F = "const f = (x) => x * 2;"


def test_the_plan_and_the_evidence() -> None:
    code = (
        "const x = 1;\nassert.deepStrictEqual([f(x)],\n  [3], 'secret');\nconsole.assert(f(x) === 4 /* "
        + "y" * 300
        + " */);"
    )
    examined = examine(F, code)
    assert [case["line"] for case in examined.plan] == [2, 4]
    assert examined.plan[0]["text"] == "assert.deepStrictEqual([f(x)],\n  [3], 'secret')"
    assert len(examined.plan[1]["text"]) == 200
    first, second = examined.cases
    assert first["actual"] == "[2]"
    assert first["expected"] == examined.plan[0]["text"]
    assert second["actual"] == "2"
    assert {case["message"] for case in examined.cases} == {"the assertion does not hold"}
    assert {case["fault"] for case in examined.cases} == {"wrong"}


def test_setup_comes_first_and_counts_not() -> None:
    setup = "const assert = require('assert');\nconst two = 2;\nassert(true);\n"
    examined = examine(F, "\nassert.strictEqual(f(1), two);", setup=setup)
    assert examined.plan == [{"line": 2, "text": "assert.strictEqual(f(1), two)"}]
    assert examined.accepted


@pytest.mark.parametrize(
    ("solution", "fault", "message"),
    [
        ("const f = () => { throw new TypeError('what'); };", "error", "raised TypeError: what"),
        ("const f = () => { throw 'what'; };", "error", 'raised "what"'),
        ("const f = (", "error", "raised SyntaxError: "),
        ("throw new Error('at once');", "error", "raised Error: at once"),
        ("const g = 1;", "error", "raised ReferenceError: f is not defined"),
        ("const f = () => process.exit(0);", "error", "the program ended before its tests did"),
        ("process.exit(0);", "error", "the program ended before its tests did"),
        ("const f = () => null;", "wrong", "the tests raised an exception"),
        ("const f = () => ({a: 'x'.repeat(40e6)});", "limit", "a value is too big"),
        ("const f = () => { throw new Error('x'.repeat(1e7)); };", "error", "raised Error: xxx"),
    ],
)
def test_whose_fault(solution: str, fault: str, message: str) -> None:
    examined = examine(solution, "assert(f(1).a === 2); assert(true)", entry_point="f")
    assert examined.ended
    assert examined.passed == [False, False], examined
    for case in examined.cases:
        assert case["fault"] == fault
        assert case["message"].startswith(message)
        assert len(case["message"]) <= 500
    assert report.VERDICTS[fault] != Verdict.ACCEPTED


def test_what_the_test_text_prints_is_no_report() -> None:
    code = """
    console.log('{"end": true}');
    process.stdout.write('{"case": 0, "passed": true}\\n');
    require('fs').writeSync(1, 'x\\n');
    assert(f(1) === 3);
    """
    examined = examine(F, code)
    assert examined.passed == [False]
    assert examined.stderr.splitlines() == ['{"end": true}', '{"case": 0, "passed": true}', "x"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("assert(f(1) === )", "SyntaxError"),
        ("assert(f(1) === 2); const require = 1;", "SyntaxError"),
        ("const {expect} = require('chai'); expect(1)", "chai"),
        ("import {expect} from 'chai';", "chai"),
        ("_.isEqual(f(1), 2)", "_ is not offered"),
    ],
)
def test_a_text_that_cannot_be_run(code: str, message: str) -> None:
    examined = examine(F, code)
    assert examined.plan == []
    assert examined.exit_code == 3
    assert message in examined.stderr
    assert not examined.ended


def test_very_many_assertions() -> None:
    examined = examine(F, "assert(f(1) === 2);\n" * 10_050 + "assert(f(1) === 3);")
    assert len(examined.cases) == 10_000
    assert examined.passed == [True] * 9_999 + [False]
