"use strict";
// The examiner's report: lines of JSON on the standard output that it was given, which it finds as another descriptor.
// What the test text prints goes to stderr.

const { ascii, write } = require("./pipe.js");

const REPORT = 5;

/** Write an object as a line of the report. */
function tell(line) {
  write(REPORT, Buffer.from(ascii(line) + "\n"));
}

module.exports = { tell };
