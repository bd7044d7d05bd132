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

/** Names of the text that stand for something: those of the solution, ours, and `candidate`. */
function bind(plan, peer, framework, assert) {
  const define = (name, get) => {
    const set = (value) => Object.defineProperty(globalThis, name, { value, writable: true });
    Object.defineProperty(globalThis, name, { get, set, configurable: true, enumerable: false });
  };
  const answer = peer.ask({ op: "names" }, [plan.wanted]);
  const found = answer.values[0];
  if (answer.thrown) peer.court.refused(found);
  peer.orderly(() => need(Array.isArray(found) && found.length === plan.wanted.length));
  for (const [name, value] of Object.entries({ ...framework.names, assert })) define(name, () => value);
  const hidden = {};
  plan.wanted.forEach((name, index) => {
    const value = found[index];
    if (value === false) return;
    peer.world.name(value);
    const get = typeof value === "function" ? () => value : () => peer.request("global", [name]);
    if (LANGUAGE.has(name)) hidden[name] = get();
    else define(name, get);
    if (name === plan.entryPoint) define("candidate", get);
  });
  return hidden;
}

/** Start the text; a promise of its end. */
function start(plan, peer, court, framework) {
  const { assert, require, taken } = modules(framework, () => peer.world.exports());
  const hidden = bind(plan, peer, framework, assert);
  const module = { exports: {} };
  require.main = module;
  const given = {
    require,
    module,
    exports: module.exports,
    __filename: "/test.js",
    __dirname: "/",
    $import: taken,
    $share: (path, value) => (peer.ask({ op: "assign" }, [path, value]), value),
    $case: (...parts) => court.judge(...parts),
    $enter: (number) => court.entered.add(number),
    ...hidden,
  };
  const check = plan.checked ? "await check(candidate);" : "";
  const strict = plan.strict ? '"use strict";' : "";
  const source = `(async function (${Object.keys(given)}) { ${strict}${plan.source}\n${check}})`;
  const importModuleDynamically = vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const run = vm.runInThisContext(source, {
    filename: "test.js",
    lineOffset: -plan.setupLines,
    importModuleDynamically,
  });
  return Reflect.apply(run, module.exports, Object.values(given));
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

async function examine(plan, court) {
  const peer = new Peer(court);
  const framework = new Framework();
  let ended = false;
  const crashed = (error) => court.crash(error);
  start(plan, peer, court, framework)
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

function main() {
  let plan;
  try {
    plan = makePlan(JSON.parse(fs.readFileSync("task.json", "utf8")));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof BadText)) throw error;
    tell({ plan: [] });
    console.error(`${error.name}: ${error.message}`);
    leave(BAD_TEXT);
  }
  tell({ plan: plan.cases });
  const court = new Court(plan, tell, leave);
  console.assert = court.consoleAssert;
  process.exit = (code) => end(court, code);
  process.on("uncaughtException", (error) => {
    court.crash(error);
    end(court);
  });
  examine(plan, court);
}

main();
