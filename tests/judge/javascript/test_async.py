"""Promises, timers and late callbacks, on both sides; and tests written for a framework."""

from __future__ import annotations

import pytest

from tests.judge.javascript.pair import examine
from tests.judge.javascript.test_values import failures

SOLUTION = """
async function later(x) { await null; return {x}; }
const fail = async () => { throw new TypeError('late'); };
const delay = (ms, v) => new Promise((r) => setTimeout(r, ms, v));
async function* agen() { yield 1; await delay(2); yield 2; }
const twice = async (f) => (await f(1)) + (await f(2));
const settled = async (p) => { try { return ['yes', await p]; } catch (e) { return ['no', e.message]; } };
function debounce(f, ms) { let t; return (...a) => { clearTimeout(t); t = setTimeout(() => f(...a), ms); }; }
function callback(x, done) { setTimeout(() => done(null, x * 2), 1); }
const never = () => new Promise(() => {});
const {EventEmitter} = require('events');
class Clock extends EventEmitter { start() { setTimeout(() => this.emit('tick', 5), 1); } }
"""

HONEST = """
assert.deepStrictEqual(await later(2), {x: 2});
assert(later(2) instanceof Promise);
assert.deepStrictEqual(await Promise.all([delay(3, 'a'), delay(1, 'b')]), ['a', 'b']);
assert.strictEqual(await Promise.race([delay(500, 'a'), delay(1, 'b')]), 'b');
assert.strictEqual(await Promise.race([never(), new Promise((r) => setTimeout(r, 5, 'ours'))]), 'ours');
await assert.rejects(fail(), TypeError);
await assert.rejects(fail, {message: 'late'});
await assert.doesNotReject(later(1));
assert.rejects(fail());
const seen = []; for await (const v of agen()) seen.push(v); assert.deepStrictEqual(seen, [1, 2]);
assert.strictEqual(await twice(async (n) => { await new Promise((r) => setTimeout(r, 1)); return n * 10; }), 30);
assert.deepStrictEqual(await settled(Promise.resolve([1])), ['yes', [1]]);
assert.deepStrictEqual(await settled(Promise.reject(new Error('x'))), ['no', 'x']);
const calls = []; const d = debounce((q) => calls.push(q), 5); d(1); d(2);
await new Promise((r) => setTimeout(r, 60)); assert.deepStrictEqual(calls, [2]);
assert.strictEqual(await new Promise((yes, no) => callback(4, (e, r) => e ? no(e) : yes(r))), 8);
callback(5, (e, r) => { assert.strictEqual(r, 10); });
later(3).then((r) => { assert.strictEqual(r.x, 3); }).catch((e) => assert.fail(e));
const clock = new Clock(); clock.on('tick', (n) => assert.strictEqual(n, 5)); clock.start();
setTimeout(() => { assert(true); }, 5);
"""

FAILING = [
    ("never settled", "const f = () => new Promise(() => {});", "assert((await f()) === 1); assert(f);", "--"),
    (
        "never settled in a function",
        "const f = () => new Promise(() => {});",
        "assert(f); async function g() { assert((await f()) === 1); } g();",
        "+-",
    ),
    (
        "never settled for then",
        "const f = () => new Promise(() => {});",
        "assert(f); f().then((r) => { assert(r === 1) })",
        "+-",
    ),
    ("never called back", "const f = (done) => {};", "assert(f); f((r) => { assert(r === 1) })", "+-"),
    (
        "called back wrongly",
        "const f = (done) => setTimeout(done, 1, 2);",
        "assert(f); f((r) => { assert(r === 1) })",
        "+-",
    ),
    ("a rejection that nobody handles", "const f = async () => { throw new Error('x'); };", "f(); assert(f);", "-"),
    ("rejects does not", "const f = async () => 1;", "await assert.rejects(f()); assert(f);", "-+"),
    ("and nobody awaits it", "const f = async () => 1;", "assert.rejects(f()); assert(f);", "-+"),
    (
        "a timer that throws",
        "const f = () => 1;",
        "setTimeout(() => { throw new Error(f()); }, 2); assert(f() === 1)",
        "-",
    ),
    (
        "the solution dies late",
        "const f = (done) => { setTimeout(() => process.exit(0), 5); };",
        "f(() => {}); assert(f);",
        "-",
    ),
    (
        "the solution crashes late",
        "const f = (done) => { setTimeout(() => nope, 5); };",
        "f(() => {}); assert(f);",
        "-",
    ),
]

FRAMEWORK = """
const {describe, it} = require('node:test');
const log = [];
beforeAll(() => log.push('all'));
describe('f', () => {
  beforeEach(() => log.push('each'));
  it('doubles', () => { expect(f(1)).toBe(2); expect(f(2)).toEqual(4); });
  it('fails', () => { expect(f(1)).toBe(3); expect(f(1)).not.toBe(3); });
  it('throws', () => { expect(() => f(-1)).toThrow('neg'); expect(() => f(-1)).toThrow(RangeError); });
  it('crashes', () => { expect(f(-1)).toBe(1); });
  it('is async', async () => {
    await expect(g(1)).resolves.toEqual({a: 1});
    await expect(g(-1)).rejects.toThrow(/late/);
  });
  it('has a callback', (done) => { setTimeout(() => { expect(f(3)).toBe(6); done(); }, 2); });
  it.skip('is skipped', () => { expect(f(1)).toBe(2); });
  it.each([[1, 2], [2, 4]])('each', (x, y) => { assert.strictEqual(f(x), y); });
  test('others', () => {
    expect(f(0.05)).toBeCloseTo(0.1);
    expect([f(1)]).toContain(2);
    expect({a: {b: f(1)}}).toHaveProperty('a.b', 2);
  });
});
describe('hooks', () => { it('ran', () => { assert.deepStrictEqual(log.slice(0, 2), ['all', 'each']); }); });
"""


def test_async() -> None:
    examined = examine(SOLUTION, HONEST)
    assert not failures(examined), examined
    assert examined.accepted


@pytest.mark.parametrize(
    ("solution", "code", "expected"), [case[1:] for case in FAILING], ids=[case[0] for case in FAILING]
)
def test_what_does_not_come_to_its_end_fails(solution: str, code: str, expected: str) -> None:
    examined = examine(solution, code)
    assert "".join("-+"[passed] for passed in examined.passed) == expected, examined
    assert examined.ended


def test_a_framework() -> None:
    solution = """
    const f = (x) => { if (x < 0) throw new RangeError('negative'); return x * 2; };
    const g = async (x) => { if (x < 0) throw new Error('late'); return {a: x, b: undefined}; };
    """
    examined = examine(solution, FRAMEWORK)
    assert examined.ended
    failed = {examined.plan[case["case"]]["text"]: case["fault"] for case in examined.cases if not case["passed"]}
    assert failed == {
        "expect(f(1)).toBe(3)": "wrong",
        "expect(f(-1)).toBe(1)": "error",
        "expect(f(1)).toBe(2)": "error",
        "assert.strictEqual(f(x), y)": "error",
    }, examined
