"use strict";
// What a test text replaces of what it has in common with the solution, so that the solution meets it: `console.log`,
// `Math.random`, `Date.now`, `global.fetch`, `process.env.KEY`.

const { words } = require("./tree.js");

const ROOTS = words("console global globalThis Date Math process");
// Matters of the tests alone.
const OURS = words("console.assert process.exit process.exitCode");

/** The names that lead to a property, from the global object on; null for another expression. */
function path(node) {
  if (node.type === "Identifier") return [node.name];
  if (node.type !== "MemberExpression" || node.computed) return null;
  const above = path(node.object);
  return above && [...above, node.property.name];
}

/** The path of what an assignment replaces for the solution too, or null; the text does not declare `free` names. */
function shared(node, free) {
  if (node.type !== "AssignmentExpression" || node.operator !== "=" || node.left.type !== "MemberExpression")
    return null;
  const names = path(node.left);
  if (!names || !ROOTS.has(names[0]) || !free.has(names[0])) return null;
  const [first, ...rest] = names;
  // A global name of the text's own is none of the solution's business.
  if (first.startsWith("global")) return rest[0] in globalThis ? rest : null;
  return OURS.has(names.join(".")) ? null : names;
}

module.exports = { shared };
