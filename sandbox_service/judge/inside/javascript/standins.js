"use strict";
// What stands in the test text for what stays beside the solution: functions, instances, promises, iterators. Whatever
// is done to one is a request to the host, and what comes of it is data or another stand-in.

const { need, texts } = require("./check.js");
const { MAX_CLASSES, MAX_TEXT } = require("./describe.js");
const { Instance, Opaque, SELDOM } = require("./instance.js");
const { TooMuch } = require("./pipe.js");

const MAX_THINGS = 100_000;
const MAX_STEPS = 1_000_000;
const OF_FUNCTIONS = new Set("name length prototype call apply bind toString caller arguments".split(" "));
const parent = Object.getPrototypeOf;
const iteration = parent(parent([][Symbol.iterator]()));
const asyncIteration = parent(parent(async function* () {}.prototype));

class World {
  // An object that the solution makes is data: it has no methods.
  dataOnly = true;
  // What a solution must not change, should a test text hand it over: `console`, `Math`.
  kept = new Set(Object.values(Object.getOwnPropertyDescriptors(globalThis)).map(({ value }) => value));

  constructor(peer) {
    this.peer = peer;
    this.things = new Map();
    this.numbers = new WeakMap();
    this.classes = new Map();
    this.named = new Set();
    this.pending = new Map();
    this.own = [];
    this.nodes = new Map();
    this.settled = [];
    this.steps = 0;
  }

  /** The node of a stand-in, or of a function, promise or instance of the test text's. */
  foreign(object, slot) {
    const number = this.numbers.get(object);
    if (number !== undefined) return ["@", "h", number];
    if (typeof object !== "function" && !(object instanceof Promise)) {
      return ["O", 1, Object.keys(object).flatMap((key) => [key, slot(object[key])]), 0];
    }
    if (!this.nodes.has(object)) this.nodes.set(object, this.lend(object));
    return this.nodes.get(object);
  }

  lend(object) {
    const number = this.own.push(object) - 1;
    if (typeof object === "function") return ["@", "e", number, "function", String(object.name), Number(object.length)];
    object.then(
      (value) => this.settled.push([number, true, value]),
      (error) => this.settled.push([number, false, error]),
    );
    return ["@", "e", number, "promise"];
  }

  /** The test text names this, a class perhaps. */
  name(value) {
    if (this.numbers.has(value)) this.named.add(this.numbers.get(value));
  }

  /** What the solution exports, of which the test text means these as classes. */
  exports(classes) {
    const exports = this.ask("exports");
    this.name(exports);
    const keys = this.numbers.has(exports) ? Object.keys(exports) : [];
    for (const key of keys) if (classes.has(key)) this.name(exports[key]);
    return exports;
  }

  /** Classes of the test text's own are unknown to the host. */
  classesOf() {
    return [];
  }

  callback(number) {
    need(Number.isInteger(number) && typeof this.own[number] === "function");
    return this.own[number];
  }

  revive([, side, number, kind, ...rest]) {
    need(Number.isInteger(number));
    if (side === "e") {
      need(number >= 0 && number < this.own.length);
      return this.own[number];
    }
    need(side === "h");
    return this.things.get(number) ?? this.make(number, kind, rest);
  }

  make(number, kind, rest) {
    const makers = { function: this.function, object: this.object, promise: this.promise, iterator: this.iterator };
    need(typeof kind === "string" && Object.hasOwn(makers, kind));
    if (this.things.size >= MAX_THINGS) throw new TooMuch();
    const made = Reflect.apply(makers[kind], this, [number, ...rest]);
    this.things.set(number, made);
    this.numbers.set(made, number);
    return made;
  }

  /** The prototype that stands for that of the first of some classes, each the child of the next. */
  prototypeOf(classes, root) {
    need(Array.isArray(classes) && classes.length <= MAX_CLASSES);
    return classes.reduceRight((above, entry) => {
      need(Array.isArray(entry) && Number.isInteger(entry[0]));
      const prototype = this.class(entry[0], entry[1]).prototype;
      if (prototype !== above && !Object.prototype.isPrototypeOf.call(prototype, above))
        Object.setPrototypeOf(prototype, above);
      return prototype;
    }, root);
  }

  class(number, name) {
    const made = this.things.get(number) ?? this.make(number, "function", [name, 0]);
    need(typeof made === "function");
    return made;
  }

  ask(op, ...values) {
    return this.peer.request(op, values);
  }

  function(number, name, length) {
    texts(name);
    need(name.length <= MAX_TEXT && typeof length === "number");
    const world = this;
    const target = function () {};
    Object.defineProperties(target, {
      name: { value: name, configurable: true },
      length: { value: length, configurable: true },
    });
    const local = (key) =>
      typeof key === "symbol" || OF_FUNCTIONS.has(key) || SELDOM.has(key) || key in Object.prototype;
    const standIn = new Proxy(target, {
      apply: (_, self, values) => world.ask("apply", standIn, self, ...values),
      construct: (_, values) => {
        world.named.add(number);
        return world.ask("construct", standIn, ...values);
      },
      get: (_, key) => (local(key) ? Reflect.get(target, key) : world.ask("get", standIn, key)),
      set: (_, key, value) => !local(key) && world.ask("set", standIn, key, value) === true,
      has: (_, key) => (local(key) ? key in target : world.ask("has", standIn, key) === true),
    });
    target.prototype.constructor = standIn;
    return standIn;
  }

  object(number, classes, opaque) {
    const target = Object.create(this.prototypeOf(classes, Object.prototype));
    const standIn = new Proxy(target, opaque ? new Opaque(number) : new Instance(this, classes, () => standIn));
    return standIn;
  }

  promise(number) {
    return new Promise((resolve, reject) => this.pending.set(number, { resolve, reject }));
  }

  /** A promise of the solution's has come to its end. */
  settle(number, fulfilled, value) {
    const entry = this.pending.get(number);
    need(entry !== undefined);
    this.pending.delete(number);
    if (!fulfilled) this.peer.court.caught(value);
    entry[fulfilled ? "resolve" : "reject"](value);
  }

  iterator(number, tag) {
    texts(tag);
    const iterator = Object.create(tag.startsWith("Async") ? asyncIteration : iteration);
    const methods = tag.endsWith("Generator") ? ["next", "return", "throw"] : ["next"];
    for (const method of methods) {
      const value = (...values) => this.step(iterator, method, values);
      Object.defineProperty(iterator, method, { value, writable: true, configurable: true });
    }
    return Object.defineProperty(iterator, Symbol.toStringTag, { value: tag.slice(0, MAX_TEXT), configurable: true });
  }

  step(iterator, method, values) {
    if (++this.steps > MAX_STEPS)
      this.peer.orderly(() => {
        throw new TooMuch();
      });
    return this.ask("step", iterator, method, ...values);
  }
}

module.exports = { World };
