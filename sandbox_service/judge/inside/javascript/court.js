"use strict";
// What became of each case, and the report of it.

const { types } = require("node:util");
const { brief } = require("./brief.js");
const { MAX_CASES, SHORT_FROM, SHORT_TEXT } = require("./plan.js");

const WRONG = "the assertion does not hold";
const UNREACHED = "the assertion was not reached";
const RAISED = "the tests raised an exception";
const UNFINISHED = "the tests did not come to their end";
const MAX_MESSAGE = 500;

class Court {
  /** `tell(line)` writes a line of the report; `leave(code)` ends the process. */
  constructor(plan, tell, leave) {
    this.plan = plan;
    this.tell = tell;
    this.leave = leave;
    this.states = plan.sites.map(() => ({ ran: 0, open: 0, failure: null }));
    this.entered = new Set();
    this.thrown = new Set();
    this.heard = { calls: 0, value: undefined };
    this.failure = null;
    // Node's own only prints.
    this.consoleAssert = (condition) => {
      if (!condition) this.failure ??= failure("wrong", WRONG);
    };
  }

  /** An assertion of the text, by its number. It never throws: a failed assertion does not stop the next one. */
  judge(number, object, name, ...values) {
    const { by } = this.plan.sites[number];
    const state = this.states[number];
    const assertion = name === null ? object : object?.[name];
    state.ran++;
    try {
      const isConsole = by === "console" || assertion === this.consoleAssert;
      if (isConsole && !values[0]) this.fail(number, values);
      if (assertion === this.consoleAssert) return undefined;
      const result = Reflect.apply(assertion, name === null ? undefined : object, values);
      return types.isPromise(result) ? this.later(number, values, result) : result;
    } catch {
      this.fail(number, values);
      return undefined;
    }
  }

  later(number, values, result) {
    this.states[number].open++;
    return result.then(
      (value) => (this.states[number].open--, value),
      () => {
        this.states[number].open--;
        this.fail(number, values);
      },
    );
  }

  fail(number, values) {
    const { by } = this.plan.sites[number];
    const given = by === "console" || by === "expect" || values.length < 2 ? this.heard.value : values[0];
    this.states[number].failure ??= { ...failure("wrong", WRONG), actual: brief(given), expected: this.text(number) };
  }

  text(number) {
    return this.plan.cases[Math.min(number, MAX_CASES - 1)].text;
  }

  /** What a call of the solution gave. */
  hear(value) {
    this.heard.calls++;
    this.heard.value = value;
  }

  /** What the solution threw. */
  caught(error) {
    this.heard.calls++;
    this.thrown.add(error);
  }

  /** An exception that no test caught: all that has not passed for good has failed. */
  crash(error) {
    const missing = error instanceof ReferenceError && error.message === `${this.plan.entryPoint} is not defined`;
    if (this.thrown.has(error) || missing) this.failure ??= failure("error", raised(error));
    else this.failure ??= failure("wrong", RAISED);
  }

  /** Nothing is left to do, and the text waits for something. */
  stuck() {
    this.failure ??= failure("wrong", UNFINISHED);
  }

  /** The solution could not be loaded. */
  refused(error) {
    this.fatal("error", raised(error));
  }

  /** Nothing more can be heard of the solution: the end. */
  fatal(fault, message) {
    this.failure ??= failure(fault, message);
    this.finish();
  }

  /** Report all cases, and leave. */
  finish() {
    const found = this.plan.sites.length ? this.verdicts() : [this.whole()];
    const most = found.length > SHORT_FROM ? SHORT_TEXT : MAX_MESSAGE;
    found.forEach((failed, number) => {
      this.tell({ case: number, passed: failed === null, ...(failed && shortened(failed, most)) });
    });
    this.tell({ end: true });
    this.leave(0);
  }

  /** A text without assertions passes if it comes to its end, and has asked the solution something. */
  whole() {
    if (this.failure?.fault === "wrong") return { ...this.failure, actual: brief(this.heard.value) };
    return this.failure ?? (this.heard.calls ? null : failure("wrong", "the solution was not called"));
  }

  /** For each case why it failed, or null. */
  verdicts() {
    const found = this.states.map((_, number) => this.verdict(number));
    if (!this.states.some((state) => state.ran)) found.fill(this.failure ?? failure("wrong", UNREACHED));
    // What came after the last assertion is part of the last case.
    if (this.failure && !found.some(Boolean)) found[found.length - 1] = this.failure;
    const cases = found.slice(0, MAX_CASES);
    cases[cases.length - 1] = found.slice(MAX_CASES - 1).find(Boolean) ?? cases.at(-1);
    return cases;
  }

  verdict(number) {
    const site = this.plan.sites[number];
    const { ran, open, failure: failed } = this.states[number];
    if (failed) return failed;
    if (ran && open === 0) return this.failure && !site.once ? this.failure : null;
    if (ran) return this.failure ?? failure("error", "a promise was never settled");
    if (this.failure) return this.failure;
    const reached = site.scope === null || this.entered.has(site.entry) || site.mustEnter;
    return site.required && reached ? failure("wrong", UNREACHED) : null;
  }
}

function failure(fault, message) {
  return { fault, message, actual: null, expected: null };
}

function shortened({ fault, message, actual, expected }, most) {
  return {
    fault,
    message: message.slice(0, most),
    actual: actual?.slice(0, most) ?? null,
    expected: expected?.slice(0, most) ?? null,
  };
}

function raised(error) {
  const isUsual = types.isNativeError(error) && typeof error.name === "string" && typeof error.message === "string";
  return `raised ${isUsual ? `${error.name}: ${error.message}` : brief(error)}`;
}

module.exports = { Court };
