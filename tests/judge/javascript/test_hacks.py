"""What a solution may try in its own process, beside an honest one that passes the same tests."""

from __future__ import annotations

import pytest

from tests.judge.javascript.pair import CPU_SECONDS, examine

TEXT = """
const assert = require('node:assert');
assert.deepStrictEqual(chunk([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]]);
assert.strictEqual(JSON.stringify(chunk([1, 2, 3, 4], 2)), '[[1,2],[3,4]]');
assert.strictEqual(chunk([1, 2, 3], 1).length, 3);
console.assert(chunk([1, 2], 2)[0].length === 2);
assert.throws(() => chunk([1], 0), RangeError);
assert(chunk([], 2) == '');
let total = 0; for (const part of chunk([1, 2, 3], 2)) for (const x of part) total += x;
assert(total === 6);
"""
HONEST = """
function chunk(a, n) {
  if (n < 1) throw new RangeError('n');
  const out = [];
  for (let i = 0; i < a.length; i += n) out.push(a.slice(i, i + n));
  return out;
}
"""
WRONG = "function chunk(a, n) { return [[1, 2]]; }\n"
REPLY = """
const fs = require('fs');
function say(message) {
  const body = Buffer.from(JSON.stringify(message)); const head = Buffer.alloc(4); head.writeUInt32BE(body.length);
  fs.writeSync(4, Buffer.concat([head, body]));
}
"""
TRUE = "{roots: [true], nodes: [], ids: [], base: 0}"
HACKS = {
    "exit at load": WRONG + "process.exit(0);",
    "exit when called": "function chunk() { process.exit(0); }",
    "exit without handlers": "function chunk() { process.reallyExit(0); }",
    "kill": "function chunk() { process.kill(process.pid, 'SIGKILL'); }",
    "abort": "function chunk() { process.abort(); }",
    "exit at exit": WRONG + "process.on('exit', () => { process.exitCode = 0; });",
    "assert replaced": WRONG
    + "const assert = require('assert'); for (const k of Object.keys(assert)) assert[k] = () => {};"
    + "require.cache[require.resolve('./main.js')].exports = {}; console.assert = () => {};",
    "builtins replaced": WRONG
    + "Object.is = () => true; JSON.stringify = () => '[[1,2],[3,4]]'; Array.isArray = () => true;"
    + "Array.prototype.every = () => true; Function.prototype.call = () => true; Reflect.apply = () => true;",
    "module loading replaced": WRONG + "require('module')._load = () => new Proxy(() => {}, {get: () => () => {}});",
    "proxy of an array": """
      function chunk(a, n) {
        let c = 0;
        return new Proxy([[1, 2], [3, 4], [5]], {get: (t, k) => k === 'length' ? [3, 0, 1, 2, 3][c++ % 5] : t[k]});
      }
      Object.is = () => true;""",
    "proxy of everything": """
      const get = (t, k) => k === Symbol.toPrimitive ? () => '' : p;
      const p = new Proxy(function () {}, {get, apply: () => p});
      const chunk = () => p;""",
    "a class with conversions": """
      class L { toJSON() { return [[1, 2], [3, 4]]; } toString() { return ''; } valueOf() { return true; }
                get length() { return 3; } get 0() { return {length: 2}; } *[Symbol.iterator]() { yield [6]; } }
      const chunk = () => new L();""",
    "an array that converts": """
      function chunk(a, n) {
        const out = [[1, 2], [3, 4]];
        out.toJSON = () => [[1, 2], [3, 4]];
        out.toString = () => '';
        return out;
      }""",
    "an array of a class": "class A extends Array { get length() { return 3; } } const chunk = () => A.from([[1, 2]]);",
    "a getter that counts": """
      let c = 0;
      const chunk = () => ({get length() { return ++c; }, get 0() { return {length: 2}; }});""",
    "a thenable": "const chunk = () => ({then(f) { f([[1, 2]]); }, length: 3, 0: {length: 2}});",
    "a promise": HONEST.replace("function chunk", "async function chunk"),
    "an error instead": "const chunk = () => { throw new RangeError('n'); };",
    "answers written ahead": WRONG + REPLY + f"for (let i = 1; i < 20; i++) say({{to: i, ...{TRUE}}});",
    "an answer before the host's": REPLY
    + f"let i = 2; const chunk = () => {{ say({{to: i++, ...{TRUE}}}); return [[1, 2]]; }};",
    "a report written as an answer": WRONG + REPLY + "say({case: 0, passed: true}); say({end: true});",
    "the pipe closed": WRONG + "require('fs').closeSync(4);",
    "not a frame": REPLY + "const chunk = () => { fs.writeSync(4, 'x'.repeat(100)); return [[1, 2]]; };",
    "a huge frame": REPLY + "const chunk = () => { fs.writeSync(4, Buffer.alloc(8, 255)); return [[1, 2]]; };",
    "the main thread replaced": WRONG
    + "require('vm').runInThisContext = () => {}; globalThis.eval = () => () => [[1, 2]];",
}


def test_the_honest_one() -> None:
    assert examine(HONEST, TEXT, entry_point="chunk").accepted


@pytest.mark.parametrize("name", HACKS)
def test_hacks(name: str) -> None:
    examined = examine(HACKS[name], TEXT, entry_point="chunk")
    assert examined.ended, examined
    assert len(examined.cases) == 7
    assert not examined.accepted, examined
    assert sum(examined.passed) <= 3, examined


def test_what_is_handed_over_can_be_changed_but_not_the_languages_own() -> None:
    solution = "const f = (o) => { o.stringify = () => 'x'; o.added = 1; o.log = 5; return 1; };"
    text = "assert(f(JSON) && JSON.stringify(1) === '1'); assert(f(console) && typeof console.log === 'function'); "
    text += "const o = {}; assert(f(o) && o.added === 1);"
    assert examine(solution, text).accepted


LIMITS = {
    "too big": ("const f = () => 'x'.repeat(40e6);", "limit"),
    "too many numbers": ("const f = () => new Array(20e6).fill(1);", "limit"),
    "too many objects": ("const f = () => Array.from({length: 1e6}, () => ({}));", "limit"),
    "too long": ("const f = () => new Array(4e9);", "limit"),
    "too deep": ("const f = () => { let r = []; for (let i = 0; i < 1000; i++) r = [r]; return r; };", "limit"),
    "too big an argument": ("const f = (g) => g('x'.repeat(40e6));", "limit"),
    "flood of callbacks": ("const f = (g) => { for (;;) g(1); };", "limit"),
    "flood of objects": ("class C {} const f = () => Array.from({length: 150000}, () => new C());", "limit"),
    "endless recursion by callback": ("const f = (g) => g(f);", "limit"),
    "endless recursion": ("const f = (g) => f(g);", "error"),
    "hostile getter": ("const f = () => ({get a() { throw new Error('x'); }});", "error"),
}


@pytest.mark.parametrize("name", LIMITS)
def test_limits(name: str) -> None:
    check_limit("const g = (h) => typeof h === 'function' ? h(g) : h; const r = f(g); assert(r === 1);", *LIMITS[name])


@pytest.mark.full
def test_an_endless_iterator() -> None:
    check_limit("for (const x of f()) assert(x === 1);", "function* f() { for (;;) yield 1; }", "limit", 120)


def check_limit(code: str, solution: str, fault: str, cpu_seconds: int = CPU_SECONDS) -> None:
    examined = examine(solution, f"assert(1 === 1); {code} assert.throws(() => f(1));", cpu_seconds=cpu_seconds)
    assert examined.ended, examined
    assert examined.passed == [True, False, False], examined
    assert {case["fault"] for case in examined.cases if not case["passed"]} == {fault}
