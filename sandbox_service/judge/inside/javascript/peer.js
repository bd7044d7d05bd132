"use strict";
// The examiner's side of the talk with the host. Requests are numbered, and answers repeat the number; while one is
// out, the solution may call functions of the test text. What is not in order ends the examination, at its charge.

const { need } = require("./check.js");
const { Exchange } = require("./exchange.js");
const { Disturbed, Gone, Pipe, TooMuch } = require("./pipe.js");
const { World } = require("./standins.js");

const INPUT = 3;
const OUTPUT = 4;
const MAX_CALLBACKS = 100_000;
// Of requests within callbacks within requests.
const MAX_NESTED = 500;
const TELLING = new Set(["apply", "construct", "get", "global", "step"]);

class Peer {
  constructor(court) {
    this.court = court;
    this.pipe = new Pipe(INPUT, OUTPUT);
    this.world = new World(this);
    this.exchange = new Exchange(this.world);
    this.idle = false; // nothing happens at the host unless it is asked for something
    this.last = 0;
    this.nested = 0;
    this.callbacks = 0;
  }

  /** Ask the host for something. What the solution throws is thrown. */
  request(op, values) {
    const answer = this.ask({ op }, values);
    const value = answer.values[0];
    if (answer.thrown) {
      this.court.caught(value);
      throw value;
    }
    if (TELLING.has(op)) this.court.hear(value);
    return value;
  }

  /** Let the host's timers run, until something happens; tell it what became of promises, and be told. */
  wait(milliseconds, settled) {
    const told = settled.map(([number, fulfilled]) => [number, fulfilled]);
    const answer = this.ask(
      { op: "wait", milliseconds, settled: told },
      settled.map(([, , value]) => value),
    );
    this.orderly(() => {
      need(Array.isArray(answer.settled) && answer.settled.length === answer.values.length);
      answer.settled.forEach((each, index) => {
        need(Array.isArray(each));
        this.world.settle(each[0], each[1] === true, answer.values[index]);
      });
    });
    this.idle = answer.idle === true;
  }

  ask(request, values) {
    return this.orderly(() => {
      if (++this.nested > MAX_NESTED) throw new TooMuch();
      this.idle = false;
      const id = ++this.last;
      const call = this.exchange.call(values);
      const { roots, nodes, ids } = call;
      this.pipe.send({ id, ...request, roots, nodes, ids });
      const answer = this.await(id);
      this.nested--;
      return { ...answer, values: this.exchange.answered(call, answer) };
    });
  }

  await(id) {
    for (;;) {
      const message = this.pipe.receive();
      need(message !== null && typeof message === "object");
      if (message.over === true) throw new TooMuch();
      if (message.call === undefined) {
        need(message.to === id);
        return message;
      }
      this.called(message);
    }
  }

  /** The solution calls a function of the test text. */
  called(message) {
    if (++this.callbacks > MAX_CALLBACKS) throw new TooMuch();
    const callback = this.world.callback(message.function);
    const call = this.exchange.called(message);
    let answer;
    try {
      answer = { values: [Reflect.apply(callback, undefined, call.values)] };
    } catch (error) {
      answer = { thrown: true, values: [error] };
    }
    const { values, ...rest } = answer;
    this.pipe.send({ answer: message.call, ...rest, ...this.exchange.answer(call, values) });
  }

  /** Do what deals with messages; whatever goes wrong there, the solution has brought about. */
  orderly(work) {
    try {
      return work();
    } catch (error) {
      if (error instanceof TooMuch) this.court.fatal("limit", "a value is too big, too deep, or one of too many");
      if (error instanceof Gone) this.court.fatal("error", "the program ended before its tests did");
      if (!(error instanceof Disturbed)) console.error(error);
      return this.court.fatal("error", "the program disturbed the test protocol");
    }
  }
}

module.exports = { Peer };
