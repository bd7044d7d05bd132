"use strict";
// A small `describe` and `it`, as far as the usual test texts want them: suites run when the text has ended, one test
// after the other. A skipped test has not run, and so its assertions have failed.

const { expect } = require("./expect.js");

class Suite {
  constructor(parent) {
    this.parent = parent;
    this.hooks = { before: [], beforeEach: [], after: [], afterEach: [] };
    this.parts = [];
  }

  /** The hooks of this suite and those around it, the outermost first. */
  each(name) {
    return [...(this.parent?.each(name) ?? []), ...this.hooks[name]];
  }
}

function each(define) {
  return (rows) => (name, body) =>
    rows.forEach((row) => define(name, () => body(...(Array.isArray(row) ? row : [row]))));
}

class Framework {
  constructor() {
    this.current = new Suite(null);
    this.root = this.current;
    const describe = (name, body) => this.describe(typeof name === "function" ? name : body);
    const test = (...parts) => void this.current.parts.push(parts.find((part) => typeof part === "function"));
    for (const define of [describe, test]) {
      Object.assign(define, { only: define, each: each(define), skip: () => {}, todo: () => {}, concurrent: define });
    }
    const hook = (name) => (body) => void this.current.hooks[name].push(body);
    this.names = {
      describe,
      suite: describe,
      context: describe,
      test,
      it: test,
      specify: test,
      xdescribe: () => {},
      xit: () => {},
      xtest: () => {},
      before: hook("before"),
      beforeAll: hook("before"),
      beforeEach: hook("beforeEach"),
      after: hook("after"),
      afterAll: hook("after"),
      afterEach: hook("afterEach"),
      expect,
    };
  }

  describe(body) {
    const suite = new Suite(this.current);
    this.current.parts.push(suite);
    this.current = suite;
    try {
      body();
    } finally {
      this.current = suite.parent;
    }
  }

  /** Run all that was described; `failed(error)` hears of tests that threw. */
  async run(failed, suite = this.root) {
    if (suite.parts.length === 0) return;
    await this.attempt(suite.hooks.before, failed);
    for (const part of suite.parts) {
      if (part instanceof Suite) await this.run(failed, part);
      else if (part) await this.attempt([...suite.each("beforeEach"), part, ...suite.each("afterEach")], failed);
    }
    await this.attempt(suite.hooks.after, failed);
  }

  async attempt(bodies, failed) {
    try {
      for (const body of bodies) await (body.length > 0 ? withCallback(body) : body());
    } catch (error) {
      failed(error);
    }
  }
}

/** A test with a parameter says by calling it that it has ended. */
function withCallback(body) {
  return new Promise((resolve, reject) => {
    body((error) => (error === undefined || error === null ? resolve() : reject(error)));
  });
}

module.exports = { Framework };
