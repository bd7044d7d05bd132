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

// So much is remembered: elements and properties. Weak references would keep all of it until the test text pauses.
const MAX_REMEMBERED = 200_000;

function weight([kind, first, second]) {
  return 1 + (kind === "T" ? second.length / 8 : kind === "A" || kind === "O" ? second.length : (first?.length ?? 0));
}

/** Objects by number, the latest of them. */
class Table {
  constructor() {
    this.numbers = new WeakMap();
    this.objects = new Map();
    this.weight = 0;
    // The numbers in the order in which they came; those before `first` are forgotten.
    this.order = [];
    this.first = 0;
  }

  set(number, object, node) {
    this.numbers.set(object, number);
    this.forget(number);
    this.objects.set(number, { object, kind: node[0], weight: weight(node) });
    this.weight += weight(node);
    this.order.push(number);
    while (this.weight > MAX_REMEMBERED) this.forget(this.order[this.first++]);
    if (this.first > MAX_REMEMBERED) {
      this.order = this.order.slice(this.first);
      this.first = 0;
    }
  }

  forget(number) {
    this.weight -= this.objects.get(number)?.weight ?? 0;
    this.objects.delete(number);
  }

  /** The object of a number, if it is remembered and of that kind. */
  get(number, kind) {
    const entry = this.objects.get(number);
    return entry?.kind === kind ? entry.object : undefined;
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
    const ids = packer.objects.map((object, index) => this.lend(object, packer.nodes[index]));
    return { roots, nodes: packer.nodes, ids, objects: packer.objects };
  }

  /** What a call's message holds: `values`, and the `objects` that it lent. */
  called({ roots, nodes, ids }) {
    return { values: this.unpack({ roots, nodes, ids, base: 0 }, [], new Map()), nodes };
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
    if (message.base) return this.unpack(message, call.objects, new Map());
    const lent = call.nodes.map((node, index) => [call.ids[index], { object: call.objects[index], kind: node[0] }]);
    return this.unpack(message, [], new Map(lent));
  }

  unpack({ roots, nodes, ids, base }, objects, lent) {
    need([roots, nodes, ids].every(Array.isArray) && ids.length === nodes.length && ids.every(Number.isInteger));
    need(nodes.every(Array.isArray));
    if (this.world.dataOnly) checkDepth(roots, nodes, base);
    const unpacker = new Unpacker(this.world, objects);
    const made = unpacker.add(nodes, (index) => this.existing(ids[index], nodes[index][0], lent));
    made.forEach((object, index) => this.keep(ids[index], object, nodes[index]));
    return roots.map(unpacker.read);
  }

  lend(object, node) {
    const known = this.identity(object);
    if (known || !LENDABLE.has(node[0]) || this.world.kept?.has(object)) return known;
    this.own.set(++this.last, object, node);
    return this.last;
  }

  identity(object) {
    return this.own.numbers.get(object) ?? -(this.copies.numbers.get(object) ?? 0);
  }

  existing(id, kind, lent) {
    if (id >= 0) return this.copies.get(id, kind);
    const entry = lent.get(-id);
    return entry?.kind === kind ? entry.object : this.own.get(-id, kind);
  }

  keep(id, object, node) {
    if (id > 0 && LENDABLE.has(node[0]) && this.copies.get(id, node[0]) !== object) this.copies.set(id, object, node);
  }
}

module.exports = { Exchange };
