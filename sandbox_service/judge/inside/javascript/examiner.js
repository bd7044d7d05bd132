"use strict";
// Runs a test text beside a host, and reports of its cases: see `report.js`. In its folder lies `task.json`:
// {"code", "setup", "entry_point", "file"}.

const fs = require("node:fs");
const vm = require("node:vm");
const { need } = require("./check.js");
const { Court } = require("./court.js");
const { Framework } = require("./framework.js");
const { modules } = require("./modules.js");
const { Peer } = require("./peer.js");
const { BadText, LANGUAGE, plan: makePlan } = require("./plan.js");
const { tell } = require("./report.js");

const BAD_TEXT = 3;
const { setImmediate, setTimeout } = globalThis;
const leave = process.reallyExit.bind(process);
// What keeps a test text going, by the names that node gives: timers, and operations under way.
const GOING = /^(Timeout|Immediate)$|Req|Wrap$/;
const PRINTING = /^(TTYWrap|PipeWrap)$/;
const PAUSE_MILLISECONDS = 5;

/** The names that a text is given, apart from global ones. */
function given(plan) {
  const names = ["require", "module", "exports", "__filename", "__dirname", "$import", "$share", "$case", "$enter"];
  // Where the solution's entry point has a name of the language's, the text alone means the solution's by it.
  return LANGUAGE.has(plan.entryPoint) ? [...new Set([...names, plan.entryPoint])] : names;
}

/** The text as a function. Throws SyntaxError. */
function compile(plan) {
  const strict = plan.strict ? '"use strict";' : "";
  const check = plan.checked ? "await check(candidate);" : "";
  return new vm.Script(`(async function (${given(plan)}) { ${strict}${plan.source}\n${check}})`, {
    filename: "test.js",
    lineOffset: -plan.setupLines,
    importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/** Make global what the text's names stand for: of the solution, of ours, and `candidate`. Gives the entry point. */
function bind(plan, peer, ours) {
  const define = (name, get) => {
    const set = (value) => Object.defineProperty(globalThis, name, { value, writable: true });
    Object.defineProperty(globalThis, name, { get, set, configurable: true, enumerable: false });
  };
  const answer = peer.ask({ op: "names" }, [plan.wanted]);
  const found = answer.values[0];
  if (answer.thrown) peer.court.refused(found);
  peer.orderly(() => need(Array.isArray(found) && found.length === plan.wanted.length));
  for (const [name, value] of Object.entries(ours)) define(name, () => value);
  let entryPoint = () => globalThis[plan.entryPoint];
  plan.wanted.forEach((name, index) => {
    const value = found[index];
    if (value === false) return;
    if (typeof value !== "function" || plan.classes.has(name)) peer.world.name(value);
    const get = typeof value === "function" ? () => value : () => peer.request("global", [name]);
    if (name === plan.entryPoint) define("candidate", (entryPoint = get));
    if (!LANGUAGE.has(name)) define(name, get);
  });
  return entryPoint;
}

/** Start the text; a promise of its end. */
function start(script, plan, peer, framework) {
  const { assert, require, taken } = modules(framework, () => peer.world.exports(plan.classes));
  const entryPoint = bind(plan, peer, { ...framework.names, assert });
  const module = { exports: {} };
  require.main = module;
  const values = {
    require,
    module,
    exports: module.exports,
    __filename: "/test.js",
    __dirname: "/",
    $import: taken,
    $share: (path, value) => (peer.ask({ op: "assign" }, [path, value]), value),
    $case: (...parts) => peer.court.judge(...parts),
    $enter: (number) => peer.court.entered.add(number),
    ...(LANGUAGE.has(plan.entryPoint) && { [plan.entryPoint]: entryPoint() }),
  };
  const names = given(plan);
  return Reflect.apply(
    script.runInThisContext(),
    module.exports,
    names.map((name) => values[name]),
  );
}

/** Wait until neither the text nor the solution has anything left to do. */
async function settle(peer) {
  const { world } = peer;
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    const going = process.getActiveResourcesInfo().some((name) => GOING.test(name) && !PRINTING.test(name));
    const settled = world.settled.splice(0);
    const expects = (world.pending.size > 0 || world.own.length > 0) && !peer.idle;
    if (settled.length > 0 || expects) peer.wait(going ? PAUSE_MILLISECONDS : null, settled);
    else if (going) await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    else return;
  }
}

async function examine(script, plan, court) {
  const peer = new Peer(court);
  const framework = new Framework();
  let ended = false;
  const crashed = (error) => court.crash(error);
  start(script, plan, peer, framework)
    .then(() => framework.run(crashed))
    .catch(crashed)
    .then(() => (ended = true));
  await settle(peer);
  if (process.listenerCount("beforeExit") > 0) {
    process.emit("beforeExit", 0);
    await settle(peer);
  }
  if (!ended) court.stuck();
  end(court);
}

/** The text is over, by itself or by `process.exit`. */
function end(court, code) {
  process.exit = leave;
  try {
    process.emit("exit", code ?? process.exitCode ?? 0);
  } catch (error) {
    court.crash(error);
  }
  if (code ?? process.exitCode) court.crash(new Error("exit"));
  court.finish();
}

function prepare() {
  const plan = makePlan(JSON.parse(fs.readFileSync("task.json", "utf8")));
  return { plan, script: compile(plan) };
}

function main() {
  let prepared;
  try {
    prepared = prepare();
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof BadText)) throw error;
    tell({ plan: [] });
    console.error(`${error.name}: ${error.message}`);
    leave(BAD_TEXT);
  }
  const { plan, script } = prepared;
  tell({ plan: plan.cases });
  const court = new Court(plan, tell, leave);
  console.assert = court.consoleAssert;
  process.exit = (code) => end(court, code);
  process.on("uncaughtException", (error) => {
    court.crash(error);
    end(court);
  });
  examine(script, plan, court);
}

main();
