"use strict";
// The assertions of a test text, each of which is a case, and what their places say of them.
//
// A site is
//   required  it is reached whenever its function runs to its end: it stands under no condition, in no loop
//   once      it is reached once at most: whatever happens later, what was found of it stays
//   scope     the function it stands in, or null
//   mustEnter that function is entered whenever the text runs to its end

const { Returns, Roles, place } = require("./flow.js");
const { around, words } = require("./tree.js");

const MODULE = /^(node:)?assert(\/strict)?$/;
const NO_ASSERTIONS = words("AssertionError CallTracker strict extend hasAssertions assertions soft");

/** The module that an expression requires: `require("assert").strict` gives "assert". */
function required(node) {
  while (node?.type === "MemberExpression") node = node.object;
  const name = node?.type === "CallExpression" && node.callee.name === "require" ? node.arguments[0]?.value : undefined;
  return typeof name === "string" ? name : undefined;
}

/** The names that stand for assertions: of the module, or of one function of it. */
function assertionNames(nodes) {
  const names = new Set(["assert"]);
  for (const node of nodes) {
    if (node.type === "VariableDeclarator" && MODULE.test(required(node.init))) {
      if (node.id.type === "Identifier") names.add(node.id.name);
      for (const each of node.id.properties ?? []) if (each.value?.name) names.add(each.value.name);
    } else if (node.type === "ImportDeclaration" && MODULE.test(node.source.value)) {
      for (const each of node.specifiers) names.add(each.local.name);
    }
  }
  return names;
}

/** What a call asserts with: "console", "expect", or a name for `assert`; undefined if it asserts nothing. */
function assertion(call, names) {
  if (call.type !== "CallExpression" || call.optional) return undefined;
  const { callee } = call;
  if (callee.type === "Identifier") return names.has(callee.name) ? callee.name : undefined;
  if (callee.type !== "MemberExpression" || callee.computed || callee.optional) return undefined;
  if (NO_ASSERTIONS.has(callee.property.name)) return undefined;
  let root = callee.object;
  while (root.type === "MemberExpression") root = root.object;
  if (root.type === "Identifier") {
    const isConsole = root.name === "console" && callee.object === root;
    if (isConsole) return callee.property.name === "assert" ? "console" : undefined;
    return names.has(root.name) ? root.name : undefined;
  }
  if (MODULE.test(required(root))) return "assert";
  return root.type === "CallExpression" && root.callee.name === "expect" ? "expect" : undefined;
}

/** Is it the text's way of saying that this place must not be reached? */
function forbids({ callee, arguments: [first] }) {
  const name = callee.property?.name;
  return name === "fail" || ([undefined, "ok", "assert"].includes(name) && first?.type === "Literal" && !first.value);
}

function catches({ type, callee }) {
  return type === "CallExpression" && /^(throws|rejects|doesNot\w+)$/.test(callee.property?.name);
}

/** In `assert.throws`, and where a function tells by its value whether an assertion held, it is a question. */
function isQuestion(call, { tried, scope }, returns) {
  return (tried && scope !== null && returns.answers(scope)) || around(call, catches) !== null;
}

/** The sites of a text, in the order of the source; `checked`: its function `check` is called by us. */
function sites(nodes, checked) {
  const names = assertionNames(nodes);
  const returns = new Returns(nodes);
  const roles = new Roles(nodes, checked, returns);
  const found = [];
  for (const call of nodes) {
    const by = assertion(call, names);
    const where = by && place(call);
    if (!by || isQuestion(call, where, returns)) continue;
    const { scope, conditional, repeated } = where;
    const required = !conditional && !repeated && !returns.before(call, scope) && !forbids(call);
    found.push({ call, by, required, once: roles.once(where), scope, mustEnter: roles.mustEnter(scope) });
  }
  return found.sort((one, other) => one.call.start - other.call.start);
}

module.exports = { MODULE, required, sites };
