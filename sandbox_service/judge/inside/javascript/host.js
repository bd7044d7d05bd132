"use strict";
// Runs beside the solution, in its process: loads it, then does what the examiner asks. Nothing that this process
// says can be relied upon, for the solution may change all of it; the examiner takes it for data.

const { Exchange } = require("./exchange.js");
const { HostWorld } = require("./host_world.js");
const { load } = require("./load.js");
const { Pipe, TooMuch } = require("./pipe.js");

const INPUT = 3;
const OUTPUT = 4;
// As they are before the solution is loaded; so are all global names here, which `host_source` takes care of.
const exit = process.reallyExit.bind(process);
const once = process.once.bind(process);
const removeListener = process.removeListener.bind(process);

/** What an object is where a primitive is wanted of it. */
function primitive(object, hint) {
  const own = object[Symbol.toPrimitive];
  if (own != null) return Reflect.apply(own, object, [hint]);
  for (const name of hint === "string" ? ["toString", "valueOf"] : ["valueOf", "toString"]) {
    const value = typeof object[name] === "function" ? object[name]() : object;
    if (value === null || !["object", "function"].includes(typeof value)) return value;
  }
  throw new TypeError("Cannot convert object to primitive value");
}

const OPERATIONS = {
  apply: (target, self, ...values) => Reflect.apply(target, self, values),
  construct: (target, ...values) => Reflect.construct(target, values),
  get: (target, key) => target[key],
  set: (target, key, value) => Reflect.set(target, key, value),
  delete: (target, key) => Reflect.deleteProperty(target, key),
  has: (target, key) => key in target,
  keys: (target) => Object.keys(target),
  own: (target, key) => [Object.prototype.propertyIsEnumerable.call(target, key), target[key]],
  assign: (path, value) =>
    Reflect.set(
      path.slice(0, -1).reduce((object, key) => object[key], globalThis),
      path.at(-1),
      value,
    ),
  primitive,
  step: (iterator, method, ...values) => iterator[method](...values),
};

class Host {
  constructor(pipe, solution) {
    this.pipe = pipe;
    this.solution = solution;
    this.world = new HostWorld(
      (number, values) => this.call(number, values),
      (...settled) => this.settle(...settled),
    );
    this.exchange = new Exchange(this.world);
    this.calls = 0;
    this.settled = [];
    this.wake = () => {};
  }

  /** Serve the examiner until it is gone. */
  async serve() {
    for (;;) {
      const message = this.receive();
      this.send(
        message.op === "wait" ? await this.wait(message).catch((error) => this.giveUp(error)) : this.answer(message),
      );
    }
  }

  receive() {
    try {
      return this.pipe.receive();
    } catch {
      return exit(0);
    }
  }

  send(message) {
    try {
      this.pipe.send(message);
    } catch (error) {
      this.giveUp(error);
    }
  }

  /** Leave; if the examiner is still there, it hears why. */
  giveUp(error) {
    if (error instanceof TooMuch) this.pipe.send({ over: true });
    return exit(0);
  }

  /** The answer to a request other than to wait. */
  answer({ id, op, roots, nodes, ids }) {
    const call = this.exchange.called({ roots, nodes, ids });
    try {
      const value = OPERATIONS[op] ? OPERATIONS[op](...call.values) : this.look(op, call.values[0]);
      return { to: id, ...this.exchange.answer(call, [value]) };
    } catch (error) {
      return this.thrown(id, call, error);
    }
  }

  thrown(id, call, error) {
    if (error instanceof TooMuch) this.giveUp(error);
    try {
      return { to: id, thrown: true, ...this.exchange.answer(call, [error]) };
    } catch {
      return this.thrown(id, call, new Error("an exception that cannot be told of"));
    }
  }

  look(op, name) {
    if (this.solution.error) throw this.solution.error[0];
    if (op === "exports") return this.solution.exports;
    if (op === "global") return this.solution.find(name)?.[0];
    // Which of these names there are; functions at once, for they are what is asked for next.
    return name
      .map((each) => this.solution.find(each))
      .map((found) => (typeof found?.[0] === "function" ? found[0] : !!found));
  }

  /** Call a function of the test text's. */
  call(number, values) {
    let sent;
    try {
      sent = this.exchange.call(values);
    } catch (error) {
      if (error instanceof TooMuch) this.giveUp(error);
      throw error;
    }
    const call = ++this.calls;
    const { roots, nodes, ids } = sent;
    this.send({ call, function: number, roots, nodes, ids });
    let message = this.receive();
    for (; message.answer !== call; message = this.receive()) this.send(this.answer(message));
    const [value] = this.exchange.answered(sent, message);
    if (message.thrown) throw value;
    return value;
  }

  /** A promise that the examiner knows of has come to its end. */
  settle(number, fulfilled, value) {
    this.settled.push([number, fulfilled, value]);
    this.wake();
  }

  /** Let timers run until a promise is settled, so many milliseconds have passed, or nothing is left to do. */
  async wait({ id, milliseconds, settled, roots, nodes, ids }) {
    const call = this.exchange.called({ roots, nodes, ids });
    settled.forEach(([number, fulfilled], index) => this.world.settle(number, fulfilled, call.values[index]));
    await null;
    const idle = this.settled.length === 0 && (await this.pause(milliseconds));
    const told = this.settled.splice(0);
    const answer = this.exchange.answer(
      call,
      told.map(([, , value]) => value),
    );
    return { to: id, idle, settled: told.map(([number, fulfilled]) => [number, fulfilled]), ...answer };
  }

  /** True if nothing is left to do. */
  async pause(milliseconds) {
    // Once more round the loop: node leaves if nothing keeps it when this event is over.
    let idle = () => {};
    const finished = await new Promise((resolve) => {
      idle = () => setImmediate(resolve, true);
      once("beforeExit", idle);
      this.wake = () => resolve(false);
      this.timer = milliseconds === null ? undefined : setTimeout(resolve, milliseconds, false);
    });
    this.wake = () => {};
    removeListener("beforeExit", idle);
    clearTimeout(this.timer);
    return finished;
  }
}

async function main(file) {
  const solution = await load(file).catch((error) => ({ error: [error] }));
  if (solution.error) console.error(solution.error[0]);
  await new Host(new Pipe(INPUT, OUTPUT), solution).serve();
}

main(process.argv[1]);
