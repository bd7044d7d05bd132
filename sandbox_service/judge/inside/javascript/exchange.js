"use strict";
// Calls and their answers as messages: what is lent with a call comes back with the answer as it is then, into the same
// objects, and an object that is lent again is the same object for the other side.
//
//   call    {roots, nodes, ids}           the values, their objects, an identity for each object (0: it has none)
//   answer  {roots, nodes, ids, base}     base: so many of the call's objects are unchanged, and keep their numbers
//
// An identity is positive where the object is the sender's own, negative where it is a copy of the receiver's.

const { checkDepth, need } = require("./check.js");
const { Packer } = require("./pack.js");
const { Unpacker } = require("./unpack.js");

const LENDABLE = new Set(["A", "O", "M", "S", "D", "R", "T"]);

/** Objects by number, as long as somebody else holds them. */
class Table {
  constructor() {
    this.numbers = new WeakMap();
    this.objects = new Map();
    this.registry = new FinalizationRegistry((number) => {
      if (this.objects.get(number)?.reference.deref() === undefined) this.objects.delete(number);
    });
  }

  set(number, object, kind) {
    this.numbers.set(object, number);
    this.objects.set(number, { reference: new WeakRef(object), kind });
    this.registry.register(object, number);
  }

  /** The object of a number, if it is there and still of that kind. */
  get(number, kind) {
    const entry = this.objects.get(number);
    return entry?.kind === kind ? entry.reference.deref() : undefined;
  }
}

class Exchange {
  constructor(world) {
    this.world = world;
    this.own = new Table();
    this.copies = new Table();
    this.last = 0;
  }

  packer() {
    return new Packer(this.world, (object) => this.copies.numbers.has(object));
  }

  /** A call's message; `objects` are those it lends. */
  call(values) {
    const packer = this.packer();
    const roots = packer.add(values);
    const ids = packer.objects.map((object, index) => this.lend(object, packer.nodes[index][0]));
    return { roots, nodes: packer.nodes, ids, objects: packer.objects };
  }

  /** What a call's message holds: `values`, and the `objects` that it lent. */
  called({ roots, nodes, ids }) {
    const { values, objects } = this.unpack({ roots, nodes, ids, base: 0 }, []);
    return { values, objects, nodes };
  }

  /** The answer's message to a call that was taken in. */
  answer(call, values) {
    const packer = this.packer();
    packer.add(call.values);
    const same = JSON.stringify(packer.nodes) === JSON.stringify(call.nodes);
    const base = same ? packer.nodes.length : 0;
    const roots = packer.add(values);
    const ids = packer.objects.slice(base).map((object) => this.identity(object));
    return { roots, nodes: packer.nodes.slice(base), ids, base };
  }

  /** The values of an answer to a call that was sent. */
  answered(call, message) {
    need(message.base === 0 || message.base === call.objects.length);
    return this.unpack(message, message.base ? call.objects : []).values;
  }

  unpack({ roots, nodes, ids, base }, objects) {
    need([roots, nodes, ids].every(Array.isArray) && ids.length === nodes.length && ids.every(Number.isInteger));
    need(nodes.every(Array.isArray));
    if (this.world.dataOnly) checkDepth(roots, nodes, base);
    const unpacker = new Unpacker(this.world, objects);
    const made = unpacker.add(nodes, (index) => this.existing(ids[index], nodes[index][0]));
    made.forEach((object, index) => this.keep(ids[index], object, nodes[index][0]));
    return { values: roots.map(unpacker.read), objects: made };
  }

  lend(object, kind) {
    const known = this.identity(object);
    if (known || !LENDABLE.has(kind) || this.world.kept?.has(object)) return known;
    this.own.set(++this.last, object, kind);
    return this.last;
  }

  identity(object) {
    return this.own.numbers.get(object) ?? -(this.copies.numbers.get(object) ?? 0);
  }

  existing(id, kind) {
    return id < 0 ? this.own.get(-id, kind) : this.copies.get(id, kind);
  }

  keep(id, object, kind) {
    if (id > 0 && LENDABLE.has(kind) && this.copies.get(id, kind) !== object) this.copies.set(id, object, kind);
  }
}

module.exports = { Exchange };
