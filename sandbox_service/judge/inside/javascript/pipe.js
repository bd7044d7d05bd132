"use strict";
// Messages between host and examiner: four bytes of length, most significant first, then JSON in ASCII. All of it is
// synchronous: a call of the solution returns to the test text as any call does.

const fs = require("node:fs");

const MAX_MESSAGE = 32 << 20;
const SMALL = 1 << 16;
const OPENING = [0x5b, 0x7b];
// An array or object costs the parser far more than its two bytes: so many fit into the memory of a run.
const MAX_OPENED = 1 << 20;
const BUSY = new Set(["EAGAIN", "EINTR"]);
const resting = new Int32Array(new SharedArrayBuffer(4));

/** The other side sent what no honest one sends. */
class Disturbed extends Error {}

/** A value is too big, too deep, or one too many. */
class TooMuch extends Error {}

/** The other side is gone. */
class Gone extends Error {}

/** Do a system call again while the pipe is busy: it may be a non-blocking one. */
function patiently(call) {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (!BUSY.has(error.code)) throw error;
      Atomics.wait(resting, 0, 0, 1);
    }
  }
}

/** Write all of a buffer. */
function write(fd, buffer) {
  for (let done = 0; done < buffer.length;) {
    done += patiently(() => fs.writeSync(fd, buffer, done));
  }
}

/** JSON in ASCII. */
function ascii(value) {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

/** How many arrays and objects a JSON text holds, at most. */
function opened(body) {
  let count = 0;
  for (let at = 0; at < body.length; at++) {
    if (body[at] === OPENING[0] || body[at] === OPENING[1]) count++;
  }
  return count;
}

class Pipe {
  constructor(input, output) {
    this.input = input;
    this.output = output;
    // What came with an earlier message, from `first` to `last`.
    this.buffer = Buffer.allocUnsafeSlow(SMALL);
    this.first = 0;
    this.last = 0;
  }

  /** Send a message. Throws TooMuch, before anything is sent, and Gone. */
  send(message) {
    const text = ascii(message);
    if (text.length > MAX_MESSAGE) throw new TooMuch();
    const frame = Buffer.allocUnsafe(4 + text.length);
    frame.writeUInt32BE(text.length);
    frame.latin1Write(text, 4);
    try {
      write(this.output, frame);
    } catch {
      throw new Gone();
    }
  }

  /** The next message. Throws Gone at the end, Disturbed and TooMuch. */
  receive() {
    const length = this.take(4).readUInt32BE();
    if (length > MAX_MESSAGE) throw new TooMuch();
    const body = this.take(length);
    if (length > MAX_OPENED && opened(body) > MAX_OPENED) throw new TooMuch();
    try {
      return JSON.parse(body.latin1Slice());
    } catch {
      throw new Disturbed();
    }
  }

  /** So many bytes; they are there until the next call. */
  take(length) {
    const have = this.last - this.first;
    if (length > SMALL) {
      const large = Buffer.allocUnsafeSlow(length);
      this.buffer.copy(large, 0, this.first, this.last);
      this.first = this.last = 0;
      for (let done = have; done < length;) done += this.read(large, done, length);
      return large;
    }
    if (this.first + length > SMALL) {
      this.buffer.copyWithin(0, this.first, this.last);
      this.first = 0;
      this.last = have;
    }
    while (this.last - this.first < length) this.last += this.read(this.buffer, this.last, SMALL);
    this.first += length;
    return this.buffer.subarray(this.first - length, this.first);
  }

  read(buffer, from, to) {
    let count = 0;
    try {
      count = patiently(() => fs.readSync(this.input, buffer, from, to - from, null));
    } catch {
      // As good as its end.
    }
    if (count === 0) throw new Gone();
    return count;
  }
}

module.exports = { Disturbed, Gone, Pipe, TooMuch, ascii, write };
