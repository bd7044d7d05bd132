"""What stays beside the solution works from the test text: classes, closures, iterators, callbacks, exceptions."""

from __future__ import annotations

from tests.judge.javascript.pair import examine
from tests.judge.javascript.test_values import failures

SOLUTION = """
class Stack {
  #count = 0;
  static made = 0;
  constructor() { this.items = []; Stack.made++; }
  push(x) { this.items.push(x); this.#count++; return this; }
  pop() { return this.items.pop(); }
  get size() { return this.items.length; }
  static of(...xs) { const s = new Stack(); xs.forEach((x) => s.push(x)); return s; }
  toString() { return `Stack(${this.items})`; }
  [Symbol.iterator]() { return this.items[Symbol.iterator](); }
  toJSON() { return {items: this.items}; }
  valueOf() { return this.items.length; }
}
class Sub extends Stack { peek() { return this.items.at(-1); } }
class Hidden { constructor() { this.v = 3; } double() { return this.v * 2; } toJSON() { return 3; } }
function Old(name) { this.name = name; }
Old.prototype.hello = function () { return 'hello ' + this.name; };
const hidden = () => new Hidden();
function counter() { let n = 0; return {inc() { return ++n; }, get value() { return n; }, reset: () => { n = 0; }}; }
const curry = (f) => function c(...a) { return a.length >= f.length ? f(...a) : (...b) => c(...a, ...b); };
const memoize = (f) => { const m = new Map(); return (n) => { if (!m.has(n)) m.set(n, f(n)); return m.get(n); }; };
function* gen(n) { for (let i = 0; i < n; i++) { const got = yield i; if (got) yield got; } return 'end'; }
function* nat() { let i = 0; for (;;) yield i++; }
const entries = () => new Map([[1, 2]]).entries();
const mapped = (a, f) => a.map((x, i, all) => f(x, i, all));
const reduced = (a, f, init) => a.reduce((acc, x) => f(acc, x), init);
const called = (o) => o.f(2) + o.k;
class MyError extends TypeError { constructor(m) { super(m); this.name = 'MyError'; this.extra = [1]; } }
class Other extends Error {}
function raise(k) {
  if (k === 1) throw new MyError('mine');
  if (k === 2) throw 'text';
  if (k === 3) throw {a: 1};
  if (k === 4) throw new Other('other');
  throw new RangeError('r');
}
let state = 0; const bump = () => ++state;
var top = 7;
module.exports = {onlyExported: () => 'ex'};
"""

CLASSES = """
const s = new Stack(); s.push(1).push(2);
assert.strictEqual(s.size, 2);
assert.strictEqual(s.pop(), 2);
assert.deepStrictEqual(s.items, [1]);
assert(s instanceof Stack && !(s instanceof Sub) && Object.getPrototypeOf(s) === Stack.prototype);
assert.strictEqual(String(s), 'Stack(1)');
assert.strictEqual(`${Stack.of(1, 2)}`, 'Stack(1,2)');
assert.deepStrictEqual([...Stack.of(1, 2)], [1, 2]);
assert.strictEqual(JSON.stringify(Stack.of(5)), '{"items":[5]}');
assert(Stack.of(5, 6) > 1);
assert.deepStrictEqual(Stack.of(1), Stack.of(1));
assert.notDeepStrictEqual(Stack.of(1), Stack.of(2));
assert.notDeepEqual(Stack.of(1), {items: [1]});
assert(Stack.made > 3);
const sub = new Sub(); sub.push(9);
assert(sub instanceof Stack && sub instanceof Sub && sub.constructor === Sub && sub.constructor.name === 'Sub');
assert.strictEqual(sub.peek(), 9);
s.more = [5]; assert.deepStrictEqual(s.more, [5]);
assert('size' in s && !('nope' in s) && s.nope === undefined);
delete s.more; assert(s.more === undefined);
assert.strictEqual(new Old('x').hello(), 'hello x');
assert.strictEqual(hidden().double(), 6);
assert.strictEqual(hidden().v, 3);
const k = counter(); k.inc(); k.inc(); assert.strictEqual(k.value, 2); k.reset();
assert.strictEqual(k.value, 0);
const {inc} = counter(); inc(); assert.strictEqual(inc(), 2);
bump(); bump(); assert.strictEqual(state, 2);
assert.strictEqual(top, 7);
assert.strictEqual(onlyExported(), 'ex');
assert.strictEqual(require('./main').onlyExported(), 'ex');
assert(typeof missing === 'undefined' && typeof gen === 'function');
"""

CALLS = """
assert.strictEqual(curry((a, b, c) => a + b + c)(1)(2)(3), 6);
const fib = memoize((n) => n < 2 ? n : fib(n - 1) + fib(n - 2)); assert.strictEqual(fib(200) > 1e41, true);
assert.deepStrictEqual([...gen(3)], [0, 1, 2]);
const g = gen(2); g.next(); assert.deepStrictEqual(g.next('q'), {value: 'q', done: false});
assert.deepStrictEqual(g.return(4), {value: 4, done: true});
const first = []; for (const i of nat()) { if (i > 3) break; first.push(i); }
assert.deepStrictEqual(first, [0, 1, 2, 3]);
assert.strictEqual(Object.prototype.toString.call(nat()), '[object Generator]');
assert.deepStrictEqual([...entries()], [[1, 2]]);
assert.deepStrictEqual(mapped([1, 2], (x, i, all) => [x, i, all.length]), [[1, 0, 2], [2, 1, 2]]);
assert.deepStrictEqual(reduced([1, 2], (acc, x) => { acc.push(x * 2); return acc; }, []), [2, 4]);
assert.strictEqual(called({f: (x) => x + 1, k: 3}), 6);
assert.throws(() => { mapped([1], () => { throw new SyntaxError('ours'); }); }, SyntaxError);
assert.throws(() => raise(1), TypeError);
assert.throws(() => raise(1), MyError);
assert.throws(() => raise(1), {name: 'MyError', message: 'mine', extra: [1]});
assert.throws(() => raise(5), /^RangeError: r$/);
try { raise(1) } catch (e) { assert(e instanceof MyError && e.constructor === MyError && e instanceof Error) }
try { raise(2) } catch (e) { assert.strictEqual(e, 'text') }
try { raise(3) } catch (e) { assert.deepStrictEqual(e, {a: 1}) }
try { raise(4) } catch (e) { assert(e.constructor.name === 'Other' && e.name === 'Error' && e.message === 'other') }
"""


COMMON = """
function triangle(n) { for (let i = 1; i <= n; i++) console.log('*'.repeat(i)); }
const roll = () => 1 + Math.floor(Math.random() * 6);
const now = () => Date.now();
const load = async (u) => (await (await fetch(u)).json()).name;
const mode = () => process.env.MODE;
const out = (s) => process.stdout.write(s);
"""

REPLACED = """
const logs = []; const old = console.log; console.log = (...a) => logs.push(a.join(' '));
triangle(3); console.log = old; triangle(1);
assert.deepStrictEqual(logs, ['*', '**', '***']);
Math.random = () => 0.5; assert.strictEqual(roll(), 4);
Date.now = () => 7; assert.strictEqual(now(), 7);
global.fetch = async (url) => ({ json: async () => ({ name: url }) });
assert.strictEqual(await load('u'), 'u');
process.env.MODE = 'x'; assert.strictEqual(mode(), 'x');
const w = []; process.stdout.write = (s) => { w.push(s); return true; };
assert(out('q')); assert.deepStrictEqual(w, ['q']);
global.mine = 5; assert(mine === 5);
"""


def test_what_the_text_replaces_of_what_they_have_in_common() -> None:
    examined = examine(COMMON, REPLACED)
    assert not failures(examined), examined
    assert examined.accepted


def test_classes_and_names() -> None:
    examined = examine(SOLUTION, CLASSES)
    assert not failures(examined), examined
    assert examined.accepted


def test_functions_iterators_exceptions() -> None:
    examined = examine(SOLUTION, CALLS)
    assert not failures(examined), examined
    assert examined.accepted


def test_a_class_that_the_text_does_not_name_tells_no_lies() -> None:
    lies = """
    class Liar {
      toJSON() { return 2; } valueOf() { return 2; } toString() { return '2'; } [Symbol.toPrimitive]() { return 2; }
      get length() { return 2; } get 0() { return 2; } then(f) { f(2); }
    }
    const f = () => new Liar();
    """
    text = """
    const r = f();
    assert.notDeepStrictEqual(r, {length: 2});
    assert.strictEqual(JSON.stringify(r), '2');
    assert(r == 2);
    assert(`${r}` === '2');
    assert(+r === 2);
    assert(r.length === 2);
    assert(r[0] === 2);
    assert(await r === 2);
    assert.deepEqual(r, 2);
    """
    examined = examine(lies, text)
    assert examined.ended
    assert examined.passed == [True] + [False] * 8, examined
    named = examine(lies, text.replace("const r = f()", "const r = new Liar()").replace("r, 2", "+r, 2"))
    assert named.passed == [True] * 7 + [False, True], named
