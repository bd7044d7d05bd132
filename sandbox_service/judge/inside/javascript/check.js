"use strict";
// What a message must be like.

const { Disturbed, TooMuch } = require("./pipe.js");

const MAX_DEPTH = 300;

/** Throws Disturbed unless the condition holds. */
function need(condition) {
  if (!condition) throw new Disturbed();
}

function texts(...values) {
  need(values.every((value) => typeof value === "string"));
}

/** Throws TooMuch where an object, the first of which is number `base`, is too many references away from all roots. */
function checkDepth(roots, nodes, base) {
  if (nodes.length <= MAX_DEPTH) return;
  const seen = new Set();
  let level = [roots];
  for (let depth = 0; level.length; depth++) {
    if (depth > MAX_DEPTH) throw new TooMuch();
    const next = [];
    for (const slots of level) {
      for (const slot of slots) {
        const index = Array.isArray(slot) && slot[0] === "r" ? slot[1] - base : -1;
        if (!(index >= 0 && index < nodes.length) || seen.has(index)) continue;
        seen.add(index);
        for (const part of nodes[index]) if (Array.isArray(part)) next.push(part);
      }
    }
    level = next;
  }
}

module.exports = { checkDepth, need, texts };
