"""Test texts as people write them: a right solution passes and a wrong one does not, as if all were one file."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.judge.javascript.pair import examine

RIGHT = """
function add(a, b) { if (typeof a !== 'number') throw new TypeError('not a number'); return a + b; }
class Queue {
  constructor() { this.items = []; }
  enqueue(x) { this.items.push(x); return this; }
  dequeue() { if (!this.items.length) throw new Error('empty'); return this.items.shift(); }
  get length() { return this.items.length; }
}
const group = (a, f) => a.reduce((m, x) => { const k = f(x); (m[k] ??= []).push(x); return m; }, {});
async function fetchAll(urls, get) { return Promise.all(urls.map((u) => get(u))); }
function countdown(n, tick, done) {
  const id = setInterval(() => { tick(n); if (--n < 0) { clearInterval(id); done(); } }, 1);
}
function* range(a, b) { for (let i = a; i < b; i++) yield i; }
"""
WRONG = """
function add(a, b) { return a * b + 1; }
class Queue { enqueue() { return this; } dequeue() { return undefined; } get length() { return 7; } }
const group = () => ({a: []});
async function fetchAll() { return []; }
function countdown(n, tick, done) { setTimeout(done, 1); }
function* range(a, b) { yield a; }
"""
STYLES = {
    "a runner of its own": """
        const assert = require('assert');
        let passed = 0, failed = 0;
        function test(name, fn) {
          try { fn(); passed++; console.log('ok', name); }
          catch (e) { failed++; console.log('not ok', name, e.message); }
        }
        test('adds', () => { assert.strictEqual(add(1, 1), 2); });
        test('throws', () => { assert.throws(() => add('1', 2), TypeError); });
        console.log(`${passed} passed, ${failed} failed`);
        if (failed > 0) process.exit(1);""",
    "a table": """
        const cases = [{in: [1, 2], out: 3}, {in: [-1, 1], out: 0}, {in: [0.1, 0.2], out: 0.3}];
        cases.forEach(({in: [a, b], out}, i) => {
          const got = add(a, b);
          console.assert(Math.abs(got - out) < 1e-9, `case ${i}: got ${got}, want ${out}`);
        });""",
    "a flag": """
        let ok = true;
        const eq = (a, b) => {
          if (JSON.stringify(a) !== JSON.stringify(b)) { ok = false; console.error('FAIL', a, b); }
        };
        eq(add(2, 3), 5); eq(group(['a', 'bb', 'cc'], (s) => s.length), {1: ['a'], 2: ['bb', 'cc']});
        if (!ok) throw new Error('some tests failed');""",
    "an exit code": """
        const results = [add(1, 2) === 3, [...range(0, 3)].join() === '0,1,2'];
        process.exitCode = results.every(Boolean) ? 0 : 1;""",
    "a class": """
        const q = new Queue();
        q.enqueue(1).enqueue({a: 2});
        assert.equal(q.length, 2);
        assert.equal(q.dequeue(), 1);
        assert.deepEqual(q.dequeue(), {a: 2});
        assert.throws(() => q.dequeue(), {message: 'empty'});""",
    "async main": """
        async function main() {
          const got = await fetchAll(['a', 'b'], async (u) => u.toUpperCase());
          assert.deepStrictEqual(got, ['A', 'B']);
          await assert.rejects(fetchAll(['a'], async () => { throw new Error('down'); }), /down/);
        }
        main().catch((e) => { console.error(e); process.exit(1); });""",
    "then": """
        fetchAll([1], (u) => Promise.resolve(u + 1))
          .then((got) => { assert.deepStrictEqual(got, [2]); })
          .catch((e) => { console.error(e); process.exitCode = 1; });""",
    "callbacks": """
        const seen = [];
        countdown(2, (n) => seen.push(n), () => { assert.deepStrictEqual(seen, [2, 1, 0]); });""",
    "suites": """
        describe('add', () => {
          it('adds', () => { expect(add(1, 2)).toBe(3); });
          it('throws', () => { expect(() => add('x', 1)).toThrow(TypeError); });
        });
        describe('range', () => { test.each([[0, 2, [0, 1]], [1, 1, []]])('%i', (a, b, out) => {
          expect([...range(a, b)]).toEqual(out); }); });""",
    "required": """
        const { strict: assert } = require('node:assert');
        assert.equal(add(2, 2), 4);
        assert.deepEqual([...range(1, 4)], [1, 2, 3]);""",
    "a check": """
        function check(candidate) {
          assert.strictEqual(candidate(1, 2), 3);
          for (let i = 0; i < 20; i++) {
            const a = Math.random(), b = Math.random();
            assert.ok(candidate(a, b) === a + b);
          }
        }
        check(add);""",
    "switch and closures": """
        const report = [];
        for (const kind of ['add', 'group']) {
          switch (kind) {
            case 'add': report.push(() => assert.equal(add(5, 5), 10)); break;
            default:
              const halves = () => group([1, 2, 3], (x) => x % 2 ? 'odd' : 'even');
              report.push(() => assert.deepEqual(halves(), {odd: [1, 3], even: [2]}));
          }
        }
        report.forEach((each) => each());""",
    "thrown strings": """
        if (add(1, 1) !== 2) throw 'add is wrong: ' + add(1, 1);
        if (new Queue().length !== 0) throw 'length is wrong';""",
}


@pytest.mark.parametrize("style", STYLES)
def test_styles(style: str, tmp_path: Path) -> None:
    code = STYLES[style]
    right, wrong = examine(RIGHT, code, entry_point="add"), examine(WRONG, code, entry_point="add")
    assert right.accepted, right
    assert wrong.ended
    assert not wrong.accepted, wrong


OWN_FILE = "const assert = require('assert');\n"


@pytest.mark.parametrize("style", [name for name in STYLES if name not in ("a table", "suites")])
def test_node_itself_sees_it_so(style: str, tmp_path: Path) -> None:
    """But for suites, and for `console.assert`, which only prints."""
    for solution, exit_code in ((RIGHT, 0), (WRONG, 1)):
        needs = "" if "assert = " in STYLES[style] or "strict: assert" in STYLES[style] else OWN_FILE
        (tmp_path / "main.js").write_text(needs + solution + STYLES[style])
        run = subprocess.run(["/usr/bin/node", "main.js"], cwd=tmp_path, capture_output=True, check=False)
        assert run.returncode == exit_code, run
