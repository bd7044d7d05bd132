"use strict";
// A small `expect`, as far as the usual test texts want it.

const assert = require("node:assert");

function holds(action) {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

/** Without what is undefined, which `toEqual` does not look at. */
function defined(value) {
  if (Array.isArray(value)) return value.map(defined);
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, defined(item)]),
  );
}

const same = (one, other) => holds(() => assert.deepStrictEqual(one, other));
const equal = (one, other) => same(defined(one), defined(other));

function throws(action, wanted) {
  let error;
  try {
    action();
    return false;
  } catch (caught) {
    error = caught;
  }
  const message = String(error?.message ?? error);
  if (wanted === undefined) return true;
  if (typeof wanted === "string") return message.includes(wanted);
  if (wanted instanceof RegExp) return wanted.test(message);
  return typeof wanted === "function" ? error instanceof wanted : message === wanted.message;
}

const has = (object, path) =>
  String(path)
    .split(".")
    .every((key) => object !== null && object !== undefined && key in Object(object) && ((object = object[key]), true));
const at = (object, path) =>
  String(path)
    .split(".")
    .reduce((value, key) => value?.[key], object);

const MATCHERS = {
  toBe: Object.is,
  toEqual: equal,
  toStrictEqual: same,
  toBeCloseTo: (value, wanted, digits = 2) => value === wanted || Math.abs(value - wanted) < 10 ** -digits / 2,
  toBeTruthy: Boolean,
  toBeFalsy: (value) => !value,
  toBeNull: (value) => value === null,
  toBeUndefined: (value) => value === undefined,
  toBeDefined: (value) => value !== undefined,
  toBeNaN: Number.isNaN,
  toBeGreaterThan: (value, wanted) => value > wanted,
  toBeGreaterThanOrEqual: (value, wanted) => value >= wanted,
  toBeLessThan: (value, wanted) => value < wanted,
  toBeLessThanOrEqual: (value, wanted) => value <= wanted,
  toBeInstanceOf: (value, wanted) => value instanceof wanted,
  toContain: (value, wanted) => (typeof value === "string" ? value.includes(wanted) : [...value].includes(wanted)),
  toContainEqual: (value, wanted) => [...value].some((item) => equal(item, wanted)),
  toHaveLength: (value, wanted) => value.length === wanted,
  toHaveProperty: (value, path, ...wanted) =>
    has(value, path) && (wanted.length === 0 || equal(at(value, path), wanted[0])),
  toMatch: (value, wanted) => (typeof wanted === "string" ? value.includes(wanted) : wanted.test(value)),
  toThrow: throws,
  toThrowError: throws,
};

function judged(matcher, value, wanted, negated) {
  if (Boolean(matcher(value, ...wanted)) === negated) throw new Error("the expectation does not hold");
}

async function rejected(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("the promise was not rejected");
}

/** `expect(value).not.toBe(2)`, `await expect(promise).rejects.toThrow()` */
function expect(value) {
  const made = { not: {}, resolves: { not: {} }, rejects: { not: {} } };
  for (const [name, matcher] of Object.entries(MATCHERS)) {
    for (const [object, negated] of [
      [made, false],
      [made.not, true],
    ]) {
      object[name] = (...wanted) => judged(matcher, value, wanted, negated);
    }
    for (const [object, negated] of [
      [made.resolves, false],
      [made.resolves.not, true],
    ]) {
      object[name] = async (...wanted) => judged(matcher, await value, wanted, negated);
    }
    for (const [object, negated] of [
      [made.rejects, false],
      [made.rejects.not, true],
    ]) {
      object[name] = async (...wanted) => {
        const error = await rejected(typeof value === "function" ? value() : value);
        judged(
          matcher,
          matcher === throws
            ? () => {
                throw error;
              }
            : error,
          wanted,
          negated,
        );
      };
    }
  }
  return made;
}

module.exports = { expect };
