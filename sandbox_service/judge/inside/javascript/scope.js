"use strict";
// Which names a text declares, and which it wants of somebody else.

const { around, isFunction, isName } = require("./tree.js");

const BLOCKS = /^(Program|BlockStatement|StaticBlock|SwitchStatement|CatchClause|Class(Expression|Declaration))$/;

function isScope({ type }) {
  return BLOCKS.test(type) || /Function|^For/.test(type);
}

/** The names that a pattern declares. */
function* declared(pattern) {
  switch (pattern?.type) {
    case "Identifier":
      yield pattern.name;
      break;
    case "ObjectPattern":
      for (const property of pattern.properties) yield* declared(property.value ?? property.argument);
      break;
    case "ArrayPattern":
      for (const element of pattern.elements) yield* declared(element);
      break;
    case "AssignmentPattern":
      yield* declared(pattern.left);
      break;
    case "RestElement":
      yield* declared(pattern.argument);
  }
}

/** The names that are declared, by the node that is their scope. */
function scopes(nodes) {
  const found = new Map(nodes.filter(isScope).map((node) => [node, new Set()]));
  const add = (scope, names) => {
    for (const name of names) found.get(scope).add(name);
  };
  for (const node of nodes) {
    const block = () => around(node, (each) => found.has(each));
    if (node.type === "VariableDeclaration") {
      const scope = node.kind === "var" ? around(node, (each) => isFunction(each) || each.type === "Program") : block();
      for (const each of node.declarations) add(scope, declared(each.id));
    } else if (node.type === "ImportDeclaration")
      add(
        nodes[0],
        node.specifiers.map((each) => each.local.name),
      );
    else if (node.type === "CatchClause") add(node, declared(node.param));
    else if (isFunction(node)) {
      for (const parameter of node.params) add(node, declared(parameter));
      if (node.id) add(node.type === "FunctionDeclaration" ? block() : node, [node.id.name]);
    } else if (node.type.startsWith("Class") && node.id) {
      add(node.type === "ClassDeclaration" ? block() : node, [node.id.name]);
    }
  }
  return found;
}

/** Whether a name is used as that of a class: made, asked for, built on, or for what it holds. Calling it is not. */
function meansClass(node, { type, callee, operator, right, superClass, object }) {
  if (type === "NewExpression") return callee === node;
  if (type === "MemberExpression") return object === node;
  return (type === "BinaryExpression" && operator === "instanceof" && right === node) || superClass === node;
}

/**
 * The names that a text declares at its top level, those that it uses and does not declare where it uses them, and those
 * that it uses as names of classes.
 */
function names(nodes) {
  const found = scopes(nodes);
  const [free, classes] = [new Set(), new Set()];
  for (const node of nodes) {
    if (node.type === "Identifier" && node.parent) {
      const outer = node.parent.type === "MemberExpression" && node.parent.property === node ? node.parent : node;
      if (meansClass(outer, outer.parent)) classes.add(node.name);
    }
    if (node.type !== "Identifier" || isName(node) || free.has(node.name)) continue;
    if (!around(node, (each) => found.get(each)?.has(node.name))) free.add(node.name);
  }
  free.delete("arguments");
  return { own: found.get(nodes[0]), free, classes };
}

module.exports = { names };
