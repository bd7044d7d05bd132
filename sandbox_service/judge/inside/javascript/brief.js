"use strict";
// A short text of a value, for people. The value may be huge and deep; nothing of it is called.

const { types } = require("node:util");

const MAX_TEXT = 200;
const MAX_ITEMS = 8;
const MAX_DEPTH = 3;

function primitive(value) {
  if (typeof value === "string") return JSON.stringify(value.slice(0, MAX_TEXT));
  if (typeof value === "bigint") return value.toString(16).length > MAX_TEXT ? "a huge bigint" : `${value}n`;
  return Object.is(value, -0) ? "-0" : String(value);
}

function list(items, size, depth, show) {
  const shown = [];
  for (const item of items) {
    if (shown.length === MAX_ITEMS) break;
    shown.push(depth < MAX_DEPTH ? show(item) : "...");
  }
  return shown.join(", ") + (size > MAX_ITEMS ? ", ..." : "");
}

function text(value, depth) {
  const show = (item) => text(item, depth + 1);
  if (typeof value === "function") return "a function";
  if (value === null || typeof value !== "object") return primitive(value);
  if (types.isProxy(value)) return "an object";
  if (Array.isArray(value)) return `[${list(value.slice(0, MAX_ITEMS + 1), value.length, depth, show)}]`;
  if (types.isMap(value))
    return `Map {${list(value, value.size, depth, ([key, item]) => `${show(key)} => ${show(item)}`)}}`;
  if (types.isSet(value)) return `Set {${list(value, value.size, depth, show)}}`;
  if (types.isTypedArray(value)) return `[${list(value.subarray(0, MAX_ITEMS), value.length, depth, show)}]`;
  if (types.isDate(value)) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (types.isNativeError(value)) return `an error, ${primitive(String(value.message))}`;
  if (types.isRegExp(value)) return `/${value.source.slice(0, MAX_TEXT)}/${value.flags}`;
  if (types.isPromise(value)) return "a promise";
  const keys = Object.keys(value);
  return `{${list(keys, keys.length, depth, (key) => `${primitive(key)}: ${show(value[key])}`)}}`;
}

/** At most 200 characters. */
function brief(value) {
  try {
    return text(value, 0).slice(0, MAX_TEXT);
  } catch {
    return "a value that cannot be shown";
  }
}

module.exports = { brief };
