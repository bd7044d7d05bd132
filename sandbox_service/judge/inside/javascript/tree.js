"use strict";
// The syntax tree of a test text. Node brings a parser along, for its own use: --expose-internals opens it.

const acorn = require("internal/deps/acorn/acorn/dist/acorn");

const OPTIONS = {
  ecmaVersion: "latest",
  allowHashBang: true,
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
};

function tree(source) {
  try {
    return acorn.parse(source, { ...OPTIONS, sourceType: "script" });
  } catch (error) {
    if (!/^\s*(import|export)\b/m.test(source)) throw error;
    return acorn.parse(source, { ...OPTIONS, sourceType: "module" });
  }
}

function isNode(value) {
  return value !== null && typeof value === "object" && typeof value.type === "string";
}

/** All nodes of a source, the outer before the inner; each knows its `parent`. Throws SyntaxError. */
function parse(source) {
  const nodes = [tree(source)];
  nodes[0].parent = null;
  for (let index = 0; index < nodes.length; index++) {
    const parent = nodes[index];
    for (const [key, value] of Object.entries(parent)) {
      if (key === "parent") continue;
      for (const child of Array.isArray(value) ? value : [value]) {
        // The name of `{a}` is both key and value.
        if (isNode(child) && child.parent === undefined) {
          child.parent = parent;
          nodes.push(child);
        }
      }
    }
  }
  return nodes;
}

/** The innermost node around a node for which `test(node)` holds, or null. */
function around(node, test) {
  let found = node.parent;
  while (found !== null && !test(found)) found = found.parent;
  return found;
}

function isFunction(node) {
  return node.type.includes("Function");
}

/** Is an identifier a name, no reference: `.name`, `{name: 1}`, a label? */
function isName(node) {
  const { parent } = node;
  switch (parent.type) {
    case "MemberExpression":
      return parent.property === node && !parent.computed;
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return parent.key === node && !parent.computed && !parent.shorthand;
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
    case "MetaProperty":
    case "ImportSpecifier":
    case "ExportSpecifier":
      return true;
  }
  return false;
}

/** The words of a text. */
function words(text) {
  return new Set(text.trim().split(/\s+/));
}

module.exports = { around, isFunction, isName, parse, words };
