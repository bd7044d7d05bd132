"use strict";
// What stays where it is and is known by a number: functions, promises, iterators and instances of the solution's,
// which the examiner asks for, and functions and promises of the test text's, which the solution may call and await.
//
//   ["@", "h", number]                                     of the solution's, known already
//   ["@", "h", number, "function", name, length]
//   ["@", "h", number, "object", classes, opaque]          classes: numbers and names of constructors; opaque: a Proxy
//   ["@", "h", number, "promise"]   ["@", "h", number, "iterator", tag]
//   ["@", "e", number, "function", name, length]   ["@", "e", number, "promise"]        of the test text's

const { types } = require("node:util");
const { MAX_CLASSES } = require("./describe.js");

const parent = Object.getPrototypeOf;
const iterators = [parent(parent([][Symbol.iterator]())), parent(parent(async function* () {}.prototype))];
const tag = Object.prototype.toString;

class HostWorld {
  /** `call(number, values)` calls a function of the test text's; `settle(number, fulfilled, value)` of promises. */
  constructor(call, settle) {
    this.call = call;
    this.tellSettled = settle;
    this.things = [];
    this.numbers = new Map();
    this.told = new Set();
    this.theirs = new Map();
    this.nodes = new WeakMap();
  }

  foreign(object) {
    if (this.nodes.has(object)) return this.nodes.get(object);
    const number = this.number(object);
    if (this.told.has(number)) return ["@", "h", number];
    this.told.add(number);
    return ["@", "h", number, ...this.kind(object, number)];
  }

  number(object) {
    if (!this.numbers.has(object)) this.numbers.set(object, this.things.push(object) - 1);
    return this.numbers.get(object);
  }

  kind(object, number) {
    if (typeof object === "function") return ["function", String(object.name), Number(object.length)];
    if (types.isProxy(object)) return ["object", [], 1];
    if (types.isPromise(object)) {
      Reflect.apply(Promise.prototype.then, object, [
        (value) => this.tellSettled(number, true, value),
        (error) => this.tellSettled(number, false, error),
      ]);
      return ["promise"];
    }
    if (iterators.some((each) => Object.prototype.isPrototypeOf.call(each, object))) {
      return ["iterator", tag.call(object).slice(8, -1)];
    }
    const chain = [];
    for (let each = parent(object); each && each !== Object.prototype; each = parent(each)) chain.push(each);
    return ["object", this.classesOf(chain.slice(0, MAX_CLASSES)), 0];
  }

  /** The constructors of prototypes, as numbers and names. */
  classesOf(prototypes) {
    return prototypes
      .map((prototype) => Object.getOwnPropertyDescriptor(prototype, "constructor")?.value)
      .filter((constructor) => typeof constructor === "function")
      .map((constructor) => [this.number(constructor), String(constructor.name)]);
  }

  revive(node) {
    const [, side, number, kind, name, length] = node;
    if (side === "h") return this.things[number];
    if (!this.theirs.has(number)) {
      const made = kind === "promise" ? this.promise() : { thing: this.callback(number, name, length) };
      this.theirs.set(number, made);
      this.nodes.set(made.thing, node);
    }
    return this.theirs.get(number).thing;
  }

  callback(number, name, length) {
    const callback = (...values) => this.call(number, values);
    return Object.defineProperties(callback, { name: { value: name }, length: { value: length } });
  }

  promise() {
    const entry = {};
    entry.thing = new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }));
    return entry;
  }

  /** A promise of the test text's has come to its end. */
  settle(number, fulfilled, value) {
    this.theirs.get(number)?.[fulfilled ? "resolve" : "reject"](value);
  }
}

module.exports = { HostWorld };
