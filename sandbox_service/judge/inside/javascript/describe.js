"use strict";
// Values as data. A value is a *slot*: a JSON string, boolean, null or finite number stands for itself, else an array:
//
//   ["u"]  undefined                     ["n", "NaN" | "Infinity" | "-Infinity" | "-0"]
//   ["b", "-ff"]  bigint, hexadecimal    ["y", "for" | "at" | "own", text]  symbol
//   ["r", 3]  the object number 3 of the message
//
// and an object is a *node* of the message, so that no depth, alias or cycle is a matter of the JSON:
//
//   ["A", length, items, extras, frozen]     array; ["h", 2] among the items are 2 holes
//   ["O", 0 | 1, entries, frozen]            object with the prototype null or Object.prototype; key, slot, key, slot
//   ["M", entries]  ["S", items]             Map, Set
//   ["D", slot]  ["B", slot]                 Date, boxed primitive
//   ["R", source, flags, lastIndex]          RegExp
//   ["T", type, base64]                      typed array, ArrayBuffer, Buffer
//   ["E", type, name, message, hidden, extras, classes]
//                                            error; hidden and extras are entries, classes the program's, below type
//   ["@", ...]                               anything else stays where it is, and has a number
//
// What is not exactly of one of these types is a matter of the world, `host_world.js` or `standins.js`: its `foreign`
// makes the node, its `revive` what stands for it on the other side.

const { types } = require("node:util");
const { TooMuch } = require("./pipe.js");

const MAX_LENGTH = 1 << 22;
const MAX_TEXT = 2000;
const MAX_CLASSES = 20;
const ALL_KEYS_UP_TO = 10_000;

const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError };
const BYTES = {
  ArrayBuffer,
  Buffer,
  BigInt64Array,
  BigUint64Array,
  Float32Array,
  Float64Array,
  Int8Array,
  Int16Array,
  Int32Array,
  Uint8Array,
  Uint8ClampedArray,
  Uint16Array,
  Uint32Array,
};
const ERROR_NAMES = new Map(Object.entries(ERRORS).map(([name, type]) => [type.prototype, name]));
const BYTES_NAMES = new Map(Object.entries(BYTES).map(([name, type]) => [type.prototype, name]));
function entries(object, keys, slot) {
  return keys.flatMap((key) => [key, slot(object[key])]);
}

/** The node of a value that is data; null for what is not. */
function describe(value, slot, world) {
  if (typeof value === "function" || types.isProxy(value)) return null;
  const prototype = Object.getPrototypeOf(value);
  if (types.isNativeError(value)) return describeError(value, slot, world);
  switch (prototype) {
    case Array.prototype:
      return Array.isArray(value) ? describeArray(value, slot) : null;
    case null:
    case Object.prototype:
      return describeObject(value, prototype, slot);
    case Map.prototype:
      return types.isMap(value) ? ["M", [...Map.prototype.entries.call(value)].flat().map(slot)] : null;
    case Set.prototype:
      return types.isSet(value) ? ["S", [...Set.prototype.values.call(value)].map(slot)] : null;
    case Date.prototype:
      return types.isDate(value) ? ["D", slot(Date.prototype.getTime.call(value))] : null;
    case RegExp.prototype:
      return types.isRegExp(value) ? ["R", value.source, value.flags, Number(value.lastIndex)] : null;
  }
  if (types.isBoxedPrimitive(value)) return ["B", slot(value.valueOf())];
  return BYTES_NAMES.has(prototype) ? describeBytes(value, prototype) : null;
}

function describeArray(value, slot) {
  if (value.length > MAX_LENGTH) throw new TooMuch();
  const items = [];
  let holes = 0;
  for (let index = 0; index < value.length; index++) {
    if (Object.hasOwn(value, index)) {
      if (holes) items.push(["h", holes]);
      holes = 0;
      items.push(slot(value[index]));
    } else holes++;
  }
  const named = value.length > ALL_KEYS_UP_TO ? [] : Object.keys(value).filter((key) => !isIndex(key));
  if (named.some((key) => typeof value[key] === "function")) return null;
  return ["A", value.length, items, entries(value, named, slot), frozen(value)];
}

function isIndex(key) {
  return String(key >>> 0) === key;
}

function describeObject(value, prototype, slot) {
  if (types.isArgumentsObject(value) || types.isModuleNamespaceObject(value)) return null;
  const keys = Object.keys(value);
  // With functions it is an object with methods, which have a state that a copy would not share.
  if (keys.some((key) => typeof value[key] === "function")) return null;
  return ["O", prototype ? 1 : 0, entries(value, keys, slot), frozen(value)];
}

function frozen(value) {
  return Object.isFrozen(value) && Reflect.ownKeys(value).length > 0 ? 1 : 0;
}

function describeBytes(value, prototype) {
  const bytes = types.isAnyArrayBuffer(value)
    ? Buffer.from(value)
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return ["T", BYTES_NAMES.get(prototype), bytes.toString("base64")];
}

function describeError(value, slot, world) {
  const classes = [];
  let prototype = Object.getPrototypeOf(value);
  for (; prototype && !ERROR_NAMES.has(prototype); prototype = Object.getPrototypeOf(prototype))
    classes.push(prototype);
  const hidden = ["cause", "errors"].filter((key) => Object.hasOwn(value, key));
  const extras = Object.keys(value).filter(
    (key) => !hidden.includes(key) && key !== "stack" && key !== "message" && typeof value[key] !== "function",
  );
  return [
    "E",
    ERROR_NAMES.get(prototype) ?? "Error",
    String(value.name).slice(0, MAX_TEXT),
    String(value.message).slice(0, MAX_TEXT),
    entries(value, hidden, slot),
    entries(value, extras, slot),
    world.classesOf(classes.slice(0, MAX_CLASSES)),
  ];
}

module.exports = { BYTES, ERRORS, MAX_CLASSES, MAX_LENGTH, MAX_TEXT, describe, entries };
