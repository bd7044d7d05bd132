"""How cases are counted, and when they pass."""

from __future__ import annotations

import pytest

from tests.judge.javascript.pair import examine

F = "const f = (x) => x * 2;"
RAISES_AT_2 = "const f = (x) => { if (x === 2) throw new RangeError('two'); return x * 2; };"

REPLACED = """
console.assert = (c, ...m) => { if (!c) { throw new Error('assertion failed ' + m.join(' ')); } };
const testF = () => {
  console.assert(f(1) === 2)
  console.assert(
    f(2) === 5
  )
  console.assert(f(3) === 6)
}
testF()
"""
PREDICATE = """
const __a = require("node:assert");
const _ = {isEqual: (a, b) => { try { __a.deepStrictEqual(a, b); return true } catch (e) { return false } }};
function compare(one, other) { return _.isEqual(one, other) }
var x0 = f(1); var v0 = %s;
if (!compare(x0, v0)) { throw 'Error at 1th assert statement. Value = ' + JSON.stringify(x) }
"""
CHECK = """
const check = (candidate) => {
  assert.strictEqual(candidate(1), 2);
  assert.strictEqual(candidate(2), 4);
  assert.strictEqual(candidate(3), 7);
}
"""
CASES = [
    ("a failed one does not stop the next", F, "assert(f(1) === 3); assert(f(1) === 2);", "-+"),
    ("native console.assert", F, "console.assert(f(1) === 3); console.assert(f(1) === 2, 'x');", "-+"),
    ("a replaced console.assert", F, REPLACED, "+-+"),
    (
        "console.assert that only counts",
        F,
        "let n = 0; console.assert = (c) => { if (!c) n++; }; console.assert(f(1) === 3)",
        "-",
    ),
    (
        "an assert of the text's own",
        F,
        "function assert(c) { if (!c) throw new Error(); } assert(f(1) === 2); assert(f(1) === 3)",
        "+-",
    ),
    ("no assertion: one case", F, PREDICATE % 2, "+"),
    ("no assertion: it fails by an exception", F, PREDICATE % 3, "-"),
    ("no assertion and no call", F, "const x = 1;", "-"),
    ("process.exit(1)", F, "if (f(1) !== 3) process.exit(1);", "-"),
    ("process.exit(0)", F, "if (f(1) === 2) process.exit(0);", "+"),
    ("process.exitCode", F, "if (f(1) !== 3) process.exitCode = 2;", "-"),
    ("in a loop it counts once", F, "for (const x of [1, 2, 3]) assert(f(x) === 2 * x); assert(f(1) === 2)", "++"),
    ("and must never fail", F, "for (const x of [1, 2, 3]) assert(f(x) !== 4); assert(f(1) === 2)", "-+"),
    (
        "in a helper it counts once",
        F,
        "const eq = (a, b) => assert.equal(a, b); eq(f(1), 2); eq(f(2), 5); eq(f(3), 6)",
        "-",
    ),
    ("an exception fails the rest", RAISES_AT_2, "assert(f(1) === 2); assert(f(2) === 4); assert(f(3) === 6);", "+--"),
    ("and the last one if it comes last", RAISES_AT_2, "assert(f(1) === 2); assert(f(3) === 6); f(2);", "+-"),
    (
        "and what is repeated",
        RAISES_AT_2,
        "const eq = (a, b) => { assert.equal(a, b); }; eq(f(1), 2); eq(f(2), 4);",
        "-",
    ),
    ("and what is in a loop", RAISES_AT_2, "assert(f(3) === 6); for (const x of [1, 2]) assert(f(x) === 2 * x);", "+-"),
    ("check is called by us", F, CHECK, "++-"),
    ("or by the text", F, CHECK + "check(f);", "++-"),
    ("an exception in check", RAISES_AT_2, CHECK, "+--"),
    ("candidate", F, "assert(candidate(1) === 2)", "+"),
    ("under a condition", F, "if (f(1) === 3) assert(f(2) === 4); assert(f(1) === 2)", "++"),
    ("only under a condition", F, "if (f(1) === 3) assert(f(2) === 4);", "-"),
    ("fail is not reached", F, "try { f(1); } catch (e) { assert.fail('x'); } assert(f(1) === 2)", "++"),
    ("fail is reached", F, "try { f(1); assert.fail('x'); } catch (e) { assert(e instanceof RangeError); }", "-+"),
    (
        "fail where it must throw",
        RAISES_AT_2,
        "try { f(2); assert.fail('x'); } catch (e) { assert(e instanceof RangeError); }",
        "++",
    ),
    (
        "an exception that is only printed",
        RAISES_AT_2,
        "try { assert(f(2) === 4) } catch (e) { console.log(e) } assert(f(1) === 2)",
        "-+",
    ),
    ("a helper that is never called", F, "function near(a, b) { assert(a - b < 1) } assert(f(1) === 2)", "++"),
    (
        "a callback that is never called",
        "const f = (x, done) => x * 2;",
        "f(1, (r) => { assert(r === 2) }); assert(f(1) === 2)",
        "-+",
    ),
    (
        "assert.throws",
        RAISES_AT_2,
        "assert.throws(() => f(2), RangeError); assert.throws(() => f(2), TypeError); assert.throws(() => f(1))",
        "+--",
    ),
    ("aliases", F, "const {strictEqual: same, ok} = require('assert'); same(f(1), 3); ok(f(1))", "-+"),
    (
        "strict",
        F,
        "const a = require('assert').strict; a.equal(f(1), '2'); require('assert/strict').equal(f(1), 2)",
        "-+",
    ),
    ("loose", F, "assert.equal(f(1), '2'); assert.deepEqual([f(1)], ['2'])", "++"),
    (
        "imports",
        F,
        "import a, {deepEqual as d} from 'node:assert';\nimport * as u from 'util';\n"
        "a(f(1) === 2); d(f(1), 3); a(u.isDeepStrictEqual(f(1), 2))",
        "+-+",
    ),
    (
        "written oddly",
        F,
        "assert /* x */ .strictEqual(\n f(1)\n, 2); (assert)(f(1) === 2); assert['ok'](f(1) === 2)",
        "+",
    ),
    ("written oddly, and wrong", F, "assert(f(1) === 2); (assert)(f(1) === 3)", "-"),
    ("strict mode", F, "'use strict'; assert.throws(() => { undeclared = 1; }); assert(f(1) === 2)", "++"),
    ("globals of the text's own", F, "wanted = 2; assert(f(1) === wanted)", "+"),
    ("an inner name hides the solution's", F, "{ const f = () => 9; assert(f() === 9); } assert(f(1) === 2)", "++"),
    ("typeof", F, "if (typeof g === 'undefined') { assert(f(1) === 2) }", "+"),
    ("a name that is missing", F, "assert(f(1) === 2); assert(g(1) === 2)", "+-"),
    ("console.assert by another name", F, "const {assert: a} = console; a(f(1) === 2); a(f(1) === 3)", "-"),
    ("console.assert as assert", F, "const {assert} = console; assert(f(1) === 2); assert(f(1) === 3)", "+-"),
    ("at the exit", F, "process.on('exit', () => { assert(f(1) === 2); assert(f(1) === 3); })", "+-"),
    ("before the exit", F, "process.once('beforeExit', () => { setTimeout(() => assert(f(1) === 2), 2); })", "+"),
    ("exit in a callback", "const f = (g) => g(1);", "assert(f); f((x) => process.exit(0)); f(1)", "+"),
    (
        "an interval",
        F,
        "let n = 0; const t = setInterval(() => { assert(f(n) === 2 * n); if (++n > 3) clearInterval(t); }, 1)",
        "+",
    ),
    (
        "an exception that a helper's caller swallows",
        RAISES_AT_2,
        "const t = () => assert(f(2) === 4); [t].forEach((t) => { try { t() } catch {} }); assert(f(1) === 2)",
        "-+",
    ),
    (
        "a function that an exception kept from running",
        RAISES_AT_2,
        "function t() { assert(f(1) === 2); } try { f(2); t(); } catch {} assert(f(1) === 2)",
        "-+",
    ),
    ("a hash bang", F, "#!/usr/bin/env node\nassert(f(1) === 2)", "+"),
    ("in a parameter", F, "function t(x = assert(f(1) === 2)) {} t();", "+"),
    ("require.main", F, "if (require.main === module) assert(f(1) === 2)", "+"),
]


@pytest.mark.parametrize(
    ("solution", "code", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_cases(solution: str, code: str, expected: str) -> None:
    examined = examine(solution, code, entry_point="f")
    assert "".join("-+"[passed] for passed in examined.passed) == expected, examined
    assert examined.ended
    assert examined.exit_code == 0
