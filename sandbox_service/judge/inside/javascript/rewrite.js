"use strict";
// A test text as it is run: each assertion goes by a function of ours, functions with assertions say that they are
// entered, and imports are calls. Lines stay what they are.
//
//   assert.equal(f(1), 2)    =>  $case(0, assert, "equal", f(1), 2)
//   function check(f) { }    =>  function check(f) { $enter(0); }
//   import {a as b} from "m" =>  const b = $import("m", "a");
//   Math.random = () => 0.5  =>  Math.random = $share(["Math","random"], () => 0.5)

const { shared } = require("./share.js");

/** Replaces parts of a source, keeping its lines. */
class Edits {
  constructor(source) {
    this.source = source;
    this.edits = [];
  }

  replace(start, end, text) {
    const lines = this.source.slice(start, end).split("\n").length - text.split("\n").length;
    this.edits.push({ start, end, text: text + "\n".repeat(Math.max(lines, 0)) });
  }

  get text() {
    let [text, at] = ["", 0];
    for (const edit of this.edits.sort((one, other) => one.start - other.start || one.end - other.end)) {
      text += this.source.slice(at, edit.start) + edit.text;
      at = edit.end;
    }
    return text + this.source.slice(at);
  }
}

/** Let an assertion go by `$case(number, object, "name", ...values)`; false where it is written too oddly for that. */
function throughCase(edits, { call }, number) {
  const { callee } = call;
  const from = (callee.object ?? callee).end;
  const between = /^\s*(?:\.\s*([\w$]+)\s*)?\(/.exec(edits.source.slice(from, call.end));
  if (!between || between[1] !== callee.property?.name || from < callee.start) return false;
  const name = callee.property ? `, ${JSON.stringify(callee.property.name)}` : ", null";
  edits.replace(callee.start, callee.start, `$case(${number}, `);
  edits.replace(from, from + between[0].length, call.arguments.length ? `${name}, ` : name);
  return true;
}

/** Let a function say that it is entered. */
function throughEntry(edits, { body }, number) {
  if (body.type === "BlockStatement") {
    const first = body.body.find((statement) => !statement.directive);
    const at = first ? first.start : body.end - 1;
    edits.replace(at, at, `$enter(${number});`);
  } else {
    edits.replace(body.start, body.start, `($enter(${number}), `);
    edits.replace(body.end, body.end, ")");
  }
}

function throughShare(edits, { start, end }, path) {
  edits.replace(start, start, `$share(${JSON.stringify(path)}, `);
  edits.replace(end, end, ")");
}

function imports(edits, node) {
  const module = JSON.stringify(node.source.value);
  const names = node.specifiers.map(({ type, local, imported }) => {
    const name =
      type === "ImportDefaultSpecifier"
        ? "default"
        : type === "ImportSpecifier"
          ? (imported.name ?? imported.value)
          : "*";
    return `${local.name} = $import(${module}, ${JSON.stringify(name)})`;
  });
  edits.replace(node.start, node.end, names.length ? `const ${names.join(", ")};` : ";");
}

function exported(edits, node) {
  if (node.declaration) edits.replace(node.start, node.declaration.start, "");
  else edits.replace(node.start, node.end, ";");
}

/** The source to run, and the sites that it tells of, each with the number of its function in `entry`. */
function rewrite(source, nodes, found, free) {
  const edits = new Edits(source);
  for (const node of nodes) {
    const path = shared(node, free);
    if (path) throughShare(edits, node.right, path);
    else if (node.type === "ImportDeclaration") imports(edits, node);
    else if (node.type.startsWith("Export")) exported(edits, node);
  }
  const scopes = [...new Set(found.map((site) => site.scope))].filter(Boolean);
  scopes.forEach((scope, number) => throughEntry(edits, scope, number));
  const entries = new Map(scopes.map((scope, number) => [scope, number]));
  const sites = [];
  for (const site of found) {
    if (throughCase(edits, site, sites.length)) sites.push({ ...site, entry: entries.get(site.scope) ?? null });
  }
  return { source: edits.text, sites };
}

module.exports = { rewrite };
