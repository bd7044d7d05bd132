"""JavaScript apart: what runs inside its two sandboxes.

`host.js` runs beside the solution and is handed to the interpreter as an argument, so that nothing of ours lies in the
solution's work dir; `examiner.js` runs the test text in a sandbox of its own. Both need node >= 18.

Where it differs from one process, for solutions that mean well:

- Objects that are data keep their identity if the test text made them; those that the solution made are new each time.
- Instances equal no data, and give their JSON or a primitive only if the test text names their class. A class of the
  test text's own is data for the solution; one that extends a class of the solution's keeps nothing but that.
- What the solution declares is found by name as long as it is top-level; the solution finds nothing of the test text's,
  nor of its `setup`, but what is assigned to a property of `console`, `Math`, `Date`, `process`, or a global name.
- At most 300 references deep, 32 MiB a message, 500 calls within callbacks within calls.

What remains possible: tests that compare what two functions of the solution say, such as `decode(encode(x)) === x`,
trust both; so do tests that ask an instance whether it equals another.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
SHARED = ("pipe", "check", "describe", "pack", "unpack", "exchange")
HOST = (*SHARED, "host_world", "load", "host")
EXAMINER = (
    *SHARED,
    *("tree", "scope", "flow", "sites", "share", "rewrite", "plan", "brief", "report", "court"),
    *("instance", "standins", "peer", "modules", "expect", "framework", "examiner"),
)
# As in `runner_images/javascript/language.yaml`.
NODE = [
    b"/usr/bin/node",
    b"--single-threaded",
    b"--v8-pool-size=1",
    b"--max-semi-space-size=8",
    b"--heap-growing-percent=100",
]
# Node cannot give a descriptor another number: the report's is 5, and the test text prints to stderr.
MOVE_STDOUT = [b"/bin/sh", b"-c", b'exec "$0" "$@" 5>&1 >&2']
# Global names that the host uses: a solution may have others by these names, or none.
GLOBALS = """\
AggregateError, Array, ArrayBuffer, Atomics, BigInt, BigInt64Array, BigUint64Array, Buffer, Date, Error, EvalError,
FinalizationRegistry, Float32Array, Float64Array, Int16Array, Int32Array, Int8Array, JSON, Map, Number, Object, Promise,
RangeError, ReferenceError, Reflect, RegExp, Set, SharedArrayBuffer, String, Symbol, SyntaxError, TypeError, URIError,
Uint16Array, Uint32Array, Uint8Array, Uint8ClampedArray, WeakMap, WeakRef, clearTimeout, console, process, setImmediate,
setTimeout"""
BUNDLE = """\
{
const globalThis = this;
const {%s} = globalThis;
const $node = require;
const $made = {};
const $files = {%s};
const $load = (name) => {
  if (!$files[name]) return $node(name);
  if (!$made[name]) $files[name]($made[name] = { exports: {} }, $load);
  return $made[name].exports;
};
$load("./host.js");
}
"""


@cache
def host_source() -> str:
    """The program that loads the solution and serves calls: `node -e SOURCE FILE`; less than 120 KiB."""
    files = (f'"./{name}.js"(module, require) {{{(FOLDER / name).with_suffix(".js").read_text()}}}' for name in HOST)
    return BUNDLE % (GLOBALS, ",\n".join(files))


@cache
def examiner_files() -> dict[str, bytes]:
    """The examiner's files, by name; `task.json` goes beside them."""
    return {f"{name}.js": (FOLDER / name).with_suffix(".js").read_bytes() for name in EXAMINER}


def examiner_command() -> list[bytes]:
    """How the examiner is started, in the folder with its files."""
    return [*MOVE_STDOUT, *NODE, b"--expose-internals", b"examiner.js"]
