"use strict";
// Whether places of a text are reached: always, never, or more than once.

const { around, isFunction, isName, words } = require("./tree.js");

const REPEATING = words(`
  every filter find findIndex findLast flatMap forEach map reduce reduceRight some sort each beforeEach afterEach`);
// What calls a function it is given once, sooner or later.
const RUNNERS = words(`
  Promise after afterAll before beforeAll context describe it queueMicrotask setImmediate setTimeout specify suite test
  then`);
const LOOP_PARTS = ["body", "test", "update"];

/** How a node stands in the function around it. */
function place(node) {
  const found = { conditional: false, repeated: false, tried: false, scope: around(node, isFunction) };
  for (let child = node; child.parent !== found.scope; child = child.parent) {
    const { parent } = child;
    if (/^(If|Conditional)/.test(parent.type)) found.conditional ||= child !== parent.test;
    else if (parent.type === "LogicalExpression") found.conditional ||= child === parent.right;
    else if (/^(SwitchCase|CatchClause)$/.test(parent.type)) found.conditional = true;
    else if (/^(For|While|DoWhile)/.test(parent.type)) {
      found.repeated ||= LOOP_PARTS.some((part) => parent[part] === child);
    } else if (parent.type === "TryStatement") found.tried ||= child === parent.block && parent.handler !== null;
  }
  return found;
}

/** The returns of functions, without those of functions in them. */
class Returns {
  constructor(nodes) {
    this.found = new Map();
    for (const node of nodes) {
      if (node.type !== "ReturnStatement") continue;
      const scope = around(node, isFunction);
      if (!this.found.has(scope)) this.found.set(scope, []);
      this.found.get(scope).push(node);
    }
  }

  /** Does one of a function's returns give a value? */
  answers(scope) {
    return (this.found.get(scope) ?? []).some((each) => each.argument);
  }

  /** May a function have ended before it comes to a place in it? */
  before(place, scope) {
    return (this.found.get(scope) ?? []).some((each) => each.end < place.start);
  }
}

/** Says of functions how they come to be called. */
class Roles {
  constructor(nodes, checked, returns) {
    this.checked = checked;
    this.returns = returns;
    this.uses = new Map();
    this.known = new Map();
    this.needed = new Map();
    for (const node of nodes) {
      const isDeclared = node.parent?.id === node || node.parent?.params?.includes(node);
      if (node.type !== "Identifier" || isDeclared || isName(node)) continue;
      if (!this.uses.has(node.name)) this.uses.set(node.name, []);
      this.uses.get(node.name).push(node);
    }
  }

  /** Its `kind`, "once", "repeated", "handler", "callback" or "other", or the `name` under which it is declared. */
  role(scope) {
    const { parent } = scope;
    if (scope.type === "FunctionDeclaration") return { name: scope.id?.name };
    if (parent.type === "VariableDeclarator") return { name: parent.id.name };
    if (!/^(Call|New)Expression$/.test(parent.type)) return { kind: "other" };
    if (parent.callee === scope) return { kind: "once" };
    const name = parent.callee.property?.name ?? parent.callee.name;
    if (REPEATING.has(name)) return { kind: "repeated" };
    if (RUNNERS.has(name)) return { kind: "once" };
    return { kind: name === "catch" ? "handler" : "callback" };
  }

  /** Is a place reached once at most? */
  once({ repeated, scope }) {
    if (repeated || scope === null) return !repeated;
    if (!this.known.has(scope)) {
      this.known.set(scope, false); // as seen from inside: it calls itself
      this.known.set(scope, this.runsOnce(scope));
    }
    return this.known.get(scope);
  }

  runsOnce(scope) {
    const { kind, name } = this.role(scope);
    const uses = this.uses.get(name) ?? [];
    if (kind === "once") return this.once(place(scope));
    if (name === "check" && this.checked) return uses.length === 0;
    const [use] = uses;
    const called = uses.length === 1 && use.parent.type === "CallExpression" && use.parent.callee === use;
    return called && this.once(place(use));
  }

  /** Must a function have been entered when the text has run to its end? */
  mustEnter(scope) {
    if (scope === null) return true;
    if (!this.needed.has(scope)) {
      this.needed.set(scope, false); // as seen from inside
      this.needed.set(scope, this.isNeeded(scope));
    }
    return this.needed.get(scope);
  }

  isNeeded(scope) {
    const { kind, name } = this.role(scope);
    if (name === "check" && this.checked) return true;
    if (kind !== undefined) return ["once", "callback"].includes(kind) && this.mustReach(scope);
    const uses = this.uses.get(name) ?? [];
    return uses.some(
      (use) => [use.parent.callee, ...(use.parent.arguments ?? [])].includes(use) && this.mustReach(use),
    );
  }

  /** Must a place have been reached when the text has run to its end? */
  mustReach(node) {
    const { conditional, repeated, scope } = place(node);
    return !conditional && !repeated && !this.returns.before(node, scope) && this.mustEnter(scope);
  }
}

module.exports = { Returns, Roles, place };
