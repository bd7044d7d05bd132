"use strict";
// What a test text may require: node's own modules, with two of ours among them, and the solution by a relative path.

const assert = require("node:assert");
const { MODULE } = require("./sites.js");

// How many values each of these compares; a message follows them. Node makes messages that are as big as the values.
const COMPARED = {
  ok: 1,
  equal: 2,
  notEqual: 2,
  deepEqual: 2,
  notDeepEqual: 2,
  deepStrictEqual: 2,
  notDeepStrictEqual: 2,
  strictEqual: 2,
  notStrictEqual: 2,
  partialDeepStrictEqual: 2,
};
const PLAIN = "the assertion does not hold";

function short(original, compared) {
  return function (...values) {
    if (values.length <= compared || values[compared] === undefined) values[compared] = PLAIN;
    return Reflect.apply(original, this, values);
  };
}

function shortened(module) {
  const made = short(module.ok, 1);
  for (const [name, value] of Object.entries(module)) {
    made[name] = Object.hasOwn(COMPARED, name) ? short(value, COMPARED[name]) : value;
  }
  return made;
}

/** Node's `assert`, which compares as ever, but says little where it does not hold. */
function ourAssert() {
  const made = shortened(assert);
  made.strict = shortened(assert.strict);
  made.strict.strict = made.strict;
  return made;
}

/** The text's `require` and what its imports are made of; `solution()` gives what the solution exports. */
function modules(framework, solution) {
  const ours = ourAssert();
  const get = (name) => {
    if (MODULE.test(name)) return name.endsWith("/strict") ? ours.strict : ours;
    if (name === "node:test") return Object.assign(framework.names.test, framework.names);
    if (/^\.{0,2}\//.test(name)) return solution();
    return require(name);
  };
  const taken = (name, part) => {
    const module = get(name);
    if (part === "*") return module;
    return part === "default" && module.default === undefined ? module : module[part];
  };
  return { assert: ours, require: get, taken };
}

module.exports = { modules };
