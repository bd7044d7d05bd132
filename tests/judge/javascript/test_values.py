"""What crosses between a solution and the test text arrives as what it is."""

from __future__ import annotations

from tests.judge.javascript.pair import Examined, examine

DATA = """
const make = {
  scalars: () => [undefined, null, true, 1.5, NaN, -0, Infinity, -Infinity, 2n ** 70n, -5n, 'é\\ud800x', ''],
  symbols: () => [Symbol.for('k'), Symbol.iterator],
  holes: () => [1, , 3, , ],
  extras: () => 'abc'.match(/b/),
  map: () => new Map([[1, {a: [2]}], ['x', new Set([1, 2])]]),
  date: () => new Date(5),
  badDate: () => new Date(NaN),
  re: () => /a+b/gi,
  bare: () => Object.assign(Object.create(null), {a: 1}),
  keys: () => JSON.parse('{"__proto__": 5, "constructor": 1, "toString": 2}'),
  bytes: () => [new Uint8Array([1, 2]), Buffer.from('hi'), new Float64Array([1.5]), new BigInt64Array([5n])],
  buffer: () => new Uint8Array([9]).buffer,
  boxed: () => new Number(5),
  frozen: () => Object.freeze([1]),
  error: () => Object.assign(new RangeError('bad', {cause: 1}), {code: 'E1'}),
  several: () => new AggregateError([new Error('x')], 'all'),
};
const get = (name) => make[name]();
const cycle = () => { const a = {n: 1}; a.self = a; a.list = [a, a]; return a; };
const deep = (n) => { let r = []; for (let i = 0; i < n; i++) r = [r]; return r; };
const long = (n) => Array.from({length: n}, (_, i) => i);
const sparse = (n) => { const a = []; a.length = n; return a; };
"""

READ = """
const scalars = [undefined, null, true, 1.5, NaN, -0, Infinity, -Infinity, 2n ** 70n, -5n, 'é\\ud800x', ''];
assert.deepStrictEqual(get('scalars'), scalars);
assert.deepStrictEqual(get('symbols'), [Symbol.for('k'), Symbol.iterator]);
assert.deepStrictEqual(get('holes'), [1, , 3, , ]);
assert(!(1 in get('holes')) && get('holes').length === 4);
assert.deepStrictEqual(get('extras'), 'abc'.match(/b/));
assert.notDeepStrictEqual(get('extras'), ['b']);
assert.deepStrictEqual(get('map'), new Map([[1, {a: [2]}], ['x', new Set([1, 2])]]));
assert.deepStrictEqual(get('date'), new Date(5));
assert(Number.isNaN(get('badDate').getTime()));
assert.deepStrictEqual(get('re'), /a+b/gi);
assert.deepStrictEqual(get('bare'), Object.assign(Object.create(null), {a: 1}));
assert.notDeepStrictEqual(get('bare'), {a: 1});
assert.deepStrictEqual(Object.keys(get('keys')), ['__proto__', 'constructor', 'toString']);
assert(Object.getPrototypeOf(get('keys')) === Object.prototype);
const bytes = [new Uint8Array([1, 2]), Buffer.from('hi'), new Float64Array([1.5]), new BigInt64Array([5n])];
assert.deepStrictEqual(get('bytes'), bytes);
assert.deepStrictEqual(get('buffer'), new Uint8Array([9]).buffer);
assert(get('boxed') == 5 && typeof get('boxed') === 'object');
assert(Object.isFrozen(get('frozen')) && !Object.isFrozen(get('holes')));
assert.deepStrictEqual(get('error'), Object.assign(new RangeError('bad', {cause: 1}), {code: 'E1'}));
assert(get('error').cause === 1 && get('error') instanceof RangeError);
assert(get('several').errors[0].message === 'x');
const c = cycle(); assert(c.self === c && c.list[0] === c && c.list[1] === c);
assert.strictEqual(JSON.stringify(deep(250)).length, 502);
assert.strictEqual(long(300000).length, 300000);
assert.strictEqual(sparse(100000).length, 100000);
"""


def test_much_may_be_lent_at_a_stretch() -> None:
    """What was lent is not kept until the test text pauses."""
    text = """
    const row = (n) => Array.from({length: n}, (_, i) => ({i, text: 'x' + i}));
    for (let i = 0; i < 60; i++) { const a = row(5000); assert(sum(a) === 12497500); assert(a[0].seen === i); }
    const one = {}; assert(keep(one) === false); for (let i = 0; i < 3000; i++) keep({}); assert(keep(one) === true);
    """
    solution = """
    let calls = 0; const kept = new Set();
    const sum = (a) => { a[0].seen = calls++; return a.reduce((s, x) => s + x.i, 0); };
    const keep = (o) => { const had = kept.has(o); kept.add(o); return had; };
    """
    examined = examine(solution, text)
    assert examined.accepted, examined


def failures(examined: Examined) -> list[tuple[str, str]]:
    """The text and the message of each case that failed."""
    return [(examined.plan[case["case"]]["text"], case["message"]) for case in examined.cases if not case["passed"]]


def test_values_come_as_they_are() -> None:
    examined = examine(DATA, READ)
    assert not failures(examined), examined
    assert examined.accepted


MUTATE = """
const sort = (a) => { a.sort((x, y) => x - y); return a; };
function change(o) {
  o.x.push(4); delete o.gone; o.m.set('k', o.x); o.s.add(2); o.d.setTime(9); o.added = [1]; return o.x;
}
const same = (a, b) => a === b;
const kept = new Set();
const keep = (o) => { const had = kept.has(o); kept.add(o); return had; };
const bytes = (a, b) => { a.sort(); b.write('yo'); return a; };
const last = () => [...kept].at(-1);
const move = (p) => { p.x += 1; };
const early = (a) => { a.push(1); throw new Error('after all'); };
const read = (o) => JSON.stringify(o);
const setUp = (o) => { o.done = true; o.twice = (x) => 2 * x; o.log('x'); return o; };
"""

MUTATED = """
const a = [3, 1, 2];
assert.strictEqual(sort(a), a);
assert.deepStrictEqual(a, [1, 2, 3]);
const o = {x: [1], gone: 1, m: new Map(), s: new Set(), d: new Date(1)}; const x = o.x;
assert.strictEqual(change(o), x);
assert.deepStrictEqual(o, {x: [1, 4], m: new Map([['k', [1, 4]]]), s: new Set([2]), d: new Date(9), added: [1]});
assert.strictEqual(o.m.get('k'), x);
const u = new Uint16Array([3, 1, 2]), v = Buffer.from('hi');
assert(bytes(u, v) === u && u.join() === '1,2,3' && v.toString() === 'yo');
const p = {}; assert(same(p, p) && !same(p, {}));
assert(keep(p) === false && keep(p) === true);
assert.strictEqual(last(), p);
class Point { constructor(x) { this.x = x; } get twice() { return this.x * 2; } }
const q = new Point(1); move(q); assert(q.x === 2 && q.twice === 4 && q instanceof Point);
const b = []; assert.throws(() => early(b)); assert.deepStrictEqual(b, [1]);
const log = []; const w = {log: (x) => log.push(x)};
assert(setUp(w) === w && w.done && w.twice(2) === 4 && log[0] === 'x' && typeof w.log === 'function');
const f = Object.freeze([2, 1]); assert.throws(() => sort(f), TypeError); assert.deepStrictEqual(f, [2, 1]);
assert.strictEqual(read({a: undefined, b: [NaN], c: {d: 'é'}}), '{"b":[null],"c":{"d":"é"}}');
"""


def test_arguments_are_lent_and_come_back_changed() -> None:
    examined = examine('"use strict";' + MUTATE, MUTATED)
    assert not failures(examined), examined
    assert examined.accepted


ANY = """
let seed = 7;
const random = (n) => { seed = (seed * 1103515245 + 12345) % 2 ** 31; return Math.floor(seed / 2 ** 31 * n); };
const texts = ['', 'a', 'é', '\\ud800', '\\u{1f600}', '__proto__', 'constructor', '0', 'x'.repeat(300)];
const numbers = [0, -0, 1, -1.5, 1e308, 5e-324, NaN, Infinity, -Infinity, 2 ** 53, 0n, -(2n ** 90n)];
const scalars = [...numbers, null, undefined, true, false];
const pick = (list) => list[random(list.length)];
function any(depth, made) {
  const list = (n) => Array.from({length: random(n)}, () => any(depth - 1, made));
  if (depth === 0 || random(3) === 0) return random(2) ? pick(scalars) : pick(texts);
  if (made.length && random(8) === 0) return pick(made);
  const value = [
    () => [],
    () => { const a = []; a.length = random(9); return a; },
    () => ({}),
    () => Object.create(null),
    () => new Map(),
    () => new Set(),
    () => new Date(pick([0, 1e12])),
    () => new RegExp(pick(['a', '[^b]+', '\\\\/']), pick(['', 'g', 'im'])),
    () => new (pick([Uint8Array, Int16Array, Float32Array, BigInt64Array]))(random(5)),
    () => Object.assign(new (pick([Error, TypeError, RangeError]))(pick(texts)), {code: random(9)}),
  ][random(10)]();
  made.push(value);
  if (Array.isArray(value)) for (const item of list(5)) value[random(9)] = item;
  else if (value instanceof Map) for (const item of list(4)) value.set(any(0, made), item);
  else if (value instanceof Set) for (const item of list(4)) value.add(item);
  else if ([Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    for (const item of list(5)) Object.defineProperty(value, pick(texts) + random(3),
      {value: item, enumerable: true, writable: true, configurable: true});
  }
  return value;
}
for (let i = 0; i < 400; i++) {
  const start = seed;
  const value = any(4, []);
  seed = start;
  const before = any(4, []);
  assert.deepStrictEqual(clone(value), structuredClone(value));
  assert.deepStrictEqual(same(value), before);
  assert(Object.is(same(value), value));
  assert.deepStrictEqual(value, before);
}
"""


def test_any_value_there_and_back() -> None:
    solution = "const same = (x) => x; const clone = (x) => structuredClone(x);"
    examined = examine(solution, ANY)
    assert not failures(examined), examined
    assert examined.accepted
