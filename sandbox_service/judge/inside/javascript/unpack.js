"use strict";
// Values made of the slots and nodes of a message; `describe.js` says what these are. Nothing here trusts the message.

const { need, texts } = require("./check.js");
const { BYTES, ERRORS, MAX_CLASSES, MAX_LENGTH, MAX_TEXT } = require("./describe.js");
const { Disturbed, TooMuch } = require("./pipe.js");

const NUMBERS = { NaN, Infinity, "-Infinity": -Infinity, "-0": -0 };

/** Give an object a property, whatever its prototype says of the name; a getter of its own stays. */
function put(object, key, value) {
  if (!(key in object)) object[key] = value;
  else if (Object.getOwnPropertyDescriptor(object, key)?.get === undefined) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  }
}

function hide(object, key, value) {
  Object.defineProperty(object, key, { value, writable: true, enumerable: false, configurable: true });
}

function pairs(list, each) {
  need(Array.isArray(list) && list.length % 2 === 0);
  for (let index = 0; index < list.length; index += 2) each(list[index], list[index + 1]);
}

function regExp(source, flags) {
  texts(source, flags);
  try {
    return new RegExp(source, flags);
  } catch {
    throw new Disturbed();
  }
}

function bytes(type, text) {
  texts(type, text);
  need(Object.hasOwn(BYTES, type));
  const buffer = Buffer.from(text, "base64");
  if (type === "Buffer") return buffer;
  const space = buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.length);
  if (type === "ArrayBuffer") return space;
  need(space.byteLength % BYTES[type].BYTES_PER_ELEMENT === 0);
  return new BYTES[type](space);
}

/** Lay bytes into a typed array or the like; its size is its own. */
function overwrite(object, text) {
  const view = ArrayBuffer.isView(object);
  const target = view ? new Uint8Array(object.buffer, object.byteOffset, object.byteLength) : new Uint8Array(object);
  target.set(Buffer.from(text, "base64").subarray(0, target.length));
}

/** Makes values; `objects` are those that slots already refer to, by number. Throws Disturbed and TooMuch. */
class Unpacker {
  constructor(world, objects = []) {
    this.world = world;
    this.objects = [...objects];
    this.space = MAX_LENGTH;
    this.read = this.read.bind(this);
  }

  /** Take in a message's nodes. `existing(index)` is the object that a node is to be laid into, if there is one. */
  add(nodes, existing) {
    need(Array.isArray(nodes) && nodes.every(Array.isArray));
    const laid = nodes.map((_, index) => existing(index));
    const made = nodes.map((node, index) => laid[index] ?? this.blank(node));
    for (const object of made) this.objects.push(object);
    nodes.forEach((node, index) => this.fill(made[index], node, laid[index] === undefined));
    return made;
  }

  /** The value of a slot. */
  read(slot) {
    if (!Array.isArray(slot)) {
      need(slot === null || ["string", "boolean", "number"].includes(typeof slot));
      return slot;
    }
    const [tag, content, text] = slot;
    switch (tag) {
      case "u":
        return undefined;
      case "n":
        need(Object.hasOwn(NUMBERS, content));
        return NUMBERS[content];
      case "b":
        need(typeof content === "string" && /^-?[0-9a-f]+$/.test(content));
        return content[0] === "-" ? -BigInt("0x" + content.slice(1)) : BigInt("0x" + content);
      case "r":
        need(Number.isInteger(content) && content >= 0 && content < this.objects.length);
        return this.objects[content];
      case "y":
        return this.symbol(content, text);
    }
    throw new Disturbed();
  }

  symbol(kind, text) {
    texts(text);
    if (kind === "own") return Symbol(text);
    if (kind === "for") return Symbol.for(text);
    need(kind === "at" && typeof Symbol[text] === "symbol");
    return Symbol[text];
  }

  /** A new object of a node's kind; what may refer to other objects is laid into it later. */
  blank(node) {
    const [kind, first, second] = node;
    switch (kind) {
      case "A":
        return [];
      case "O":
        return first ? {} : Object.create(null);
      case "M":
        return new Map();
      case "S":
        return new Set();
      case "D":
        return new Date(NaN);
      case "R":
        return regExp(first, second);
      case "B":
        return this.boxed(first);
      case "T":
        return bytes(first, second);
      case "E":
        return this.error(node);
      case "@":
        return this.world.revive(node);
    }
    throw new Disturbed();
  }

  boxed(slot) {
    need(slot !== null && !(Array.isArray(slot) && ["u", "r"].includes(slot[0])));
    return Object(this.read(slot));
  }

  error([, type, name, message, , , classes]) {
    texts(type, name, message);
    need(Object.hasOwn(ERRORS, type) && name.length <= MAX_TEXT && message.length <= MAX_TEXT);
    need(Array.isArray(classes) && classes.length <= MAX_CLASSES);
    const error = type === "AggregateError" ? new AggregateError([], message) : new ERRORS[type](message);
    if (classes.length) Object.setPrototypeOf(error, this.world.prototypeOf(classes, ERRORS[type].prototype));
    if (error.name !== name) hide(error, "name", name);
    hide(error, "stack", `${name}: ${message}`);
    return error;
  }

  fill(object, node, isNew) {
    const [kind, first, second, third] = node;
    if (!isNew && !Object.isExtensible(object)) return undefined;
    switch (kind) {
      case "A":
        return this.fillArray(object, node, isNew);
      case "O":
        return this.fillObject(object, second, third, isNew);
      case "M":
        object.clear();
        return pairs(first, (key, value) => object.set(this.read(key), this.read(value)));
      case "S":
        need(Array.isArray(first));
        object.clear();
        return first.forEach((slot) => object.add(this.read(slot)));
      case "D":
        need(typeof this.read(first) === "number");
        return object.setTime(this.read(first));
      case "T":
        texts(second);
        return isNew || overwrite(object, second);
      case "R":
        need(typeof third === "number");
        return (object.lastIndex = third);
      case "E":
        pairs(node[4], (key, value) => {
          texts(key);
          hide(object, key, this.read(value));
        });
        return this.put(object, node[5], true);
    }
    return undefined;
  }

  fillArray(array, [, length, items, extras, frozen], isNew) {
    need(Number.isInteger(length) && length >= 0 && Array.isArray(items));
    if ((this.space -= length) < 0) throw new TooMuch();
    array.length = 0;
    let index = 0;
    for (const slot of items) {
      if (Array.isArray(slot) && slot[0] === "h") {
        need(Number.isInteger(slot[1]) && slot[1] > 0);
        index += slot[1];
      } else if (index < length) array[index++] = this.read(slot);
      else throw new Disturbed();
    }
    need(index <= length);
    array.length = length;
    this.put(array, extras, isNew);
    if (frozen) Object.freeze(array);
  }

  fillObject(object, list, frozen, isNew) {
    need(Array.isArray(list));
    if (!isNew) {
      const kept = new Set(list.filter((_, index) => index % 2 === 0));
      for (const key of Object.keys(object)) if (!kept.has(key)) Reflect.deleteProperty(object, key);
    }
    this.put(object, list, isNew);
    if (frozen) Object.freeze(object);
  }

  /** Give an object named properties. A new one gets no functions where the world says that data has no methods. */
  put(object, list, isNew) {
    pairs(list, (key, slot) => {
      const value = this.read(slot);
      texts(key);
      need(!(isNew && this.world.dataOnly && typeof value === "function"));
      put(object, key, value);
    });
  }
}

module.exports = { Unpacker };
