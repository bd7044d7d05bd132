"use strict";
// How objects of the solution's own behave in the test text.
//
// An instance equals no data, whatever its class says. What the language itself asks an object for (its primitive, its
// JSON, its length) is asked only where the test text names the class; `a.length` may otherwise lie to a test that
// means an array. A Proxy of the solution's tells nothing at all.

// Asked for by the language and by libraries, rarely by test texts.
const SELDOM = new Set(["then", "constructor", "inspect", "asymmetricMatch", "__proto__"]);
const LIKE_ARRAYS = /^(length|\d+)$/;
const CONVERSIONS = new Set(["toJSON", "valueOf", "toLocaleString"]);

/** Handles what is done to an instance of one of the solution's classes, or to an object with methods. */
class Instance {
  constructor(world, classes, standIn) {
    this.world = world;
    this.classes = classes.map(([number]) => number);
    this.standIn = standIn;
  }

  get named() {
    return this.classes.some((number) => this.world.named.has(number));
  }

  ask(op, ...values) {
    return this.world.ask(op, this.standIn(), ...values);
  }

  get(target, key) {
    if (key === Symbol.toStringTag) return "Instance";
    if (key === Symbol.toPrimitive) return (hint) => this.primitive(hint);
    if (key === Symbol.iterator || key === Symbol.asyncIterator) return this.ask("get", key);
    if (typeof key === "symbol" || SELDOM.has(key)) return Reflect.get(target, key);
    if (!this.named && CONVERSIONS.has(key)) return key === "valueOf" ? () => this.standIn() : refuse;
    if (!this.named && LIKE_ARRAYS.test(key)) return undefined;
    return key in Object.prototype && key !== "toString" && !this.named
      ? Reflect.get(target, key)
      : this.ask("get", key);
  }

  primitive(hint) {
    return this.named ? this.ask("primitive", hint) : refuse();
  }

  set(_, key, value) {
    return typeof key === "string" && this.ask("set", key, value) === true;
  }

  has(target, key) {
    return typeof key === "symbol" ? key in target : this.ask("has", key) === true;
  }

  deleteProperty(_, key) {
    return typeof key === "string" && this.ask("delete", key) === true;
  }

  defineProperty() {
    return false;
  }

  preventExtensions() {
    return false;
  }

  ownKeys() {
    const keys = this.ask("keys");
    return Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [];
  }

  getOwnPropertyDescriptor(_, key) {
    if (typeof key === "symbol") return undefined;
    const found = this.ask("own", key);
    if (!Array.isArray(found) || found[0] !== true) return undefined;
    return { value: found[1], writable: true, enumerable: true, configurable: true };
  }
}

function refuse() {
  throw new TypeError("an object of the program's own is no data");
}

/** Handles what is done to a Proxy of the solution's. */
class Opaque {
  constructor(number) {
    this.tag = `Opaque ${number}`;
  }

  get(_, key) {
    if (key === Symbol.toStringTag) return this.tag;
    return key === "then" || (typeof key === "symbol" && key !== Symbol.toPrimitive && key !== Symbol.iterator)
      ? undefined
      : refuse();
  }

  ownKeys() {
    return [];
  }

  has() {
    return false;
  }

  set() {
    return false;
  }

  defineProperty() {
    return false;
  }
}

module.exports = { Instance, Opaque, SELDOM };
