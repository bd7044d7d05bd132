"use strict";
// What is known of a test text before it runs: its cases, the names that it wants of the solution, and the source to
// run, in which each assertion goes by a function of ours.

const { builtinModules } = require("node:module");
const { rewrite } = require("./rewrite.js");
const { names } = require("./scope.js");
const { required, sites } = require("./sites.js");
const { isName, parse, words } = require("./tree.js");

const MAX_CASES = 10_000;
const MAX_TEXT = 200;
// The report as a whole has a limit as well.
const SHORT_FROM = 1000;
const SHORT_TEXT = 60;
// Test frameworks and libraries that a solution must not stand in for; those of ours are in `framework.js`.
const OFFERED = words(`
  after afterAll afterEach assert before beforeAll beforeEach context describe expect it specify suite test xdescribe
  xit xtest`);
const NOT_OFFERED = words("_ chai jest lodash mocha should sinon vi QUnit tap");
// Global names of the language and of node that test texts rely on. Of others, `Event` say, a solution may have one.
const LANGUAGE = words(`
  AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError
  FinalizationRegistry Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl Iterator JSON
  Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol
  SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet
  WebAssembly decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat
  parseInt undefined unescape
  AbortController Buffer TextDecoder TextEncoder URL URLSearchParams clearImmediate clearInterval clearTimeout console
  crypto fetch global performance process queueMicrotask setImmediate setInterval setTimeout structuredClone
  require module exports __filename __dirname`);

/** The test text cannot be run. */
class BadText extends Error {}

function isOffered(module) {
  return module === "node:test" || /^\.{0,2}\//.test(module) || builtinModules.includes(module.replace(/^node:/, ""));
}

/** The modules that a text names must be there: node's own, or the solution's file by a relative path. */
function checkModules(nodes) {
  for (const node of nodes) {
    const name = node.type === "ImportDeclaration" ? node.source.value : required(node);
    if (name !== undefined && !isOffered(name)) throw new BadText(`no module ${name} is offered`);
  }
}

function isUsed(nodes, name) {
  return nodes.some(
    (node) => node.type === "Identifier" && node.name === name && node.parent.id !== node && !isName(node),
  );
}

/** The cases of a text: the line and the text of each; a text without assertions is a case as a whole. */
function cases(code, offset, sites) {
  if (sites.length === 0) return [{ line: 1, text: "the test text" }];
  let [line, at] = [1, 0];
  const most = sites.length > SHORT_FROM ? SHORT_TEXT : MAX_TEXT;
  return sites.slice(0, MAX_CASES).map(({ call }) => {
    const start = call.start - offset;
    for (; at < start; at++) if (code[at] === "\n") line++;
    return { line, text: code.slice(start, call.end - offset).slice(0, most) };
  });
}

/** Plan a task's test text. Throws SyntaxError and BadText. */
function plan({ code, setup, entry_point: entryPoint }) {
  const before = setup ? setup + "\n" : "";
  const source = before + code.replace(/^#!/, "//");
  const nodes = parse(source);
  checkModules(nodes);
  const { own, free, classes } = names(nodes);
  for (const name of free) if (NOT_OFFERED.has(name)) throw new BadText(`${name} is not offered`);
  const checked = Boolean(entryPoint) && own.has("check") && !isUsed(nodes, "check");
  const found = sites(nodes, checked).filter(({ call }) => call.start >= before.length);
  const rewritten = rewrite(source, nodes, found, free);
  const wanted = [...free].filter((name) => !LANGUAGE.has(name) && !OFFERED.has(name) && name !== "candidate");
  return {
    ...rewritten,
    cases: cases(code, before.length, rewritten.sites),
    wanted: [...new Set(entryPoint ? [...wanted, entryPoint] : wanted)],
    classes,
    entryPoint: entryPoint || null,
    checked,
    strict: nodes[0].sourceType === "module",
    setupLines: before.split("\n").length - 1,
  };
}

module.exports = { BadText, LANGUAGE, MAX_CASES, SHORT_FROM, SHORT_TEXT, plan };
