"use strict";
// Slots and nodes made of values: see `describe.js`.

const { describe, entries } = require("./describe.js");

const WELL_KNOWN = new Map(
  Object.getOwnPropertyNames(Symbol)
    .filter((name) => typeof Symbol[name] === "symbol")
    .map((name) => [Symbol[name], name]),
);

function number(value) {
  return Number.isFinite(value) && !Object.is(value, -0) ? value : ["n", Object.is(value, -0) ? "-0" : String(value)];
}

function symbol(value) {
  if (WELL_KNOWN.has(value)) return ["y", "at", WELL_KNOWN.get(value)];
  const key = Symbol.keyFor(value);
  return key === undefined ? ["y", "own", value.description ?? ""] : ["y", "for", key];
}

/** Makes slots and nodes of values; each object of a message once. `isCopy(object)`: it is a copy of the receiver's. */
class Packer {
  constructor(world, isCopy) {
    this.world = world;
    this.isCopy = isCopy;
    this.numbers = new Map();
    this.objects = [];
    this.nodes = [];
    this.slot = this.slot.bind(this);
  }

  /** The slots of values. Throws TooMuch, and what a getter of the solution throws. */
  add(values) {
    const slots = values.map(this.slot);
    while (this.nodes.length < this.objects.length) {
      const object = this.objects[this.nodes.length];
      this.nodes.push(describe(object, this.slot, this.world) ?? this.foreign(object));
    }
    return slots;
  }

  foreign(object) {
    // The receiver's own object goes back, with whatever it was given.
    if (this.isCopy(object)) return ["O", 1, entries(object, Object.keys(object), this.slot), 0];
    return this.world.foreign(object, this.slot);
  }

  slot(value) {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        return number(value);
      case "undefined":
        return ["u"];
      case "bigint":
        return ["b", value.toString(16)];
      case "symbol":
        return symbol(value);
    }
    if (value === null) return null;
    if (!this.numbers.has(value)) this.numbers.set(value, this.objects.push(value) - 1);
    return ["r", this.numbers.get(value)];
  }
}

module.exports = { Packer };
