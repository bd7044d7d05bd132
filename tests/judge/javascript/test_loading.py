"""A solution is loaded as node would load it."""

from __future__ import annotations

import subprocess

import pytest

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import RunRequest
from sandbox_service.contract.task import AssertionsTask
from sandbox_service.judge import apart
from sandbox_service.judge.inside.javascript import FOLDER, GLOBALS, HOST
from tests.executor.place import LIMITS
from tests.judge.javascript.pair import examine

TWO = "assert(f(1) === 2); assert.deepStrictEqual(f.more ?? null, null);"
FORMS = {
    "function": "function f(x) { return x * 2; }",
    "arrow": "const f = (x) => x * 2;",
    "let": "let f; f = (x) => x * 2;",
    "implicit": "f = (x) => x * 2;",
    "globalThis": "globalThis.f = (x) => x * 2;",
    "exports": "exports.f = (x) => x * 2;",
    "module.exports": "module.exports = {f: (x) => x * 2};",
    "function exported": "module.exports = function f(x) { return x * 2; };",
    "strict": "'use strict';\nconst f = (x) => { try { undeclared = 1; } catch { return x * 2; } };",
    "hash bang": "#!/usr/bin/env node\nconst f = (x) => x * 2; // the end",
    "early return": "const f = (x) => x * 2;\nif (f) return;\n",
    "main": "const f = (x) => x * y; let y; if (require.main === module) y = 2;",
    "modules": """
      const fs = require('fs'), path = require('node:path');
      const f = (x) => path.basename(__filename) === 'main.js' && fs.existsSync(__filename) && x * 2;""",
    "argv": "const f = (x) => process.argv.length === 2 && process.argv[1] === __filename && x * 2;",
    "no more than a file has": """
      const none = [typeof fs, typeof assert, typeof globalThis.require, typeof globalThis.module];
      const f = (x) => none.every((type) => type === 'undefined') && typeof crypto.subtle === 'object' && x * 2;""",
    "own builtins": """
      class Map { get() { return 2; } }
      const JSON = 1, Promise = 2, Set = 3;
      const f = (x) => new Map().get() * x;""",
    "export": "export function f(x) { return x * 2; }",
    "export default": "export default function f(x) { return x * 2; }",
    "import": """
      import fs from 'node:fs'; import {basename} from 'path';
      const f = (x) => fs.existsSync('main.js') && basename('a/b') === 'b' && x * 2;
      export {f as g};""",
    "top-level await": "const two = await Promise.resolve(2);\nconst f = (x) => x * two;\nexport {};",
    "prints": "console.log('{\"case\": 0}'); const f = (x) => { console.log(x); return x * 2; };",
    "keeps running": "setInterval(() => {}, 1000); const f = (x) => x * 2;",
    "extends prototypes": """
      Array.prototype.last = function () { return this[this.length - 1]; };
      Object.prototype.nothing = function () {};
      const f = (x) => [x * 2].last();""",
}


@pytest.mark.parametrize("form", FORMS)
def test_forms(form: str) -> None:
    examined = examine(FORMS[form], TWO, entry_point="f")
    assert examined.accepted, examined


def test_mjs_and_other_files() -> None:
    assert examine("export const f = (x) => x * 2;", TWO, file="solution.mjs").accepted
    assert examine("const f = require('./other').g;", TWO, more={"other.js": "exports.g = (x) => x * 2;"}).accepted
    assert examine("const f = (x) => x * require('./data.json')[0];", TWO, more={"data.json": "[2]"}).accepted
    more = {"other.mjs": "export const two = 2;"}
    assert examine(
        "import {two} from './other.mjs'; export const f = (x) => x * two;", TWO, file="a.mjs", more=more
    ).accepted


def test_import_at_run_time() -> None:
    known = subprocess.check_output(["/usr/bin/node", "-p", "typeof require('vm').constants"])
    if known == b"undefined\n":
        pytest.skip("not before node 20.12")
    lazy = "const f = async (x) => (await import('./other.mjs')).two * x;"
    more = {"other.mjs": "export const two = 2;"}
    assert examine(lazy, "assert((await f(1)) === 2);", more=more).accepted


def test_names_of_the_language_are_never_the_solutions_but_for_its_entry_point() -> None:
    solution = (
        "function structuredClone() { return 1; } function isNaN() { return true; } class Event { x() { return 3; } }"
    )
    solution += "function describe() {} function expect() { return {toBe() {}}; } function assert() {}"
    examined = examine(
        solution,
        "assert(!isNaN(1)); expect(1).toBe(2); assert(new Event().x() === 3); assert(structuredClone(2) === 2)",
    )
    assert examined.passed == [True, False, True, True], examined
    examined = examine(
        solution, "assert(structuredClone(2) === 1); assert(candidate(2) === 1)", entry_point="structuredClone"
    )
    assert examined.accepted, examined


def test_all_global_names_that_the_host_uses_are_its_own() -> None:
    """A solution, and a benign control, may replace all of them."""
    names = "const f = () => 2; for (const n of Object.getOwnPropertyNames(globalThis))"
    names += " if (!['globalThis', 'eval'].includes(n)) try { (0, eval)('var ' + n + ' = () => null') } catch {}"
    text = "assert.deepStrictEqual([f(1), new Map(), 1n], [2, new Map(), 1n]); assert(f([1, {a: new Date()}]) === 2);"
    examined = examine(names, text)
    assert examined.accepted, examined


FREE = """
const fs = require('fs'), {parse} = require('./tree.js'), {names} = require('./scope.js');
console.log([...names(parse(fs.readFileSync(process.argv[1], 'utf8'))).free].join(' '));
"""


def test_no_global_name_of_the_host_was_forgotten() -> None:
    for name in HOST:
        command = ["/usr/bin/node", "--expose-internals", "-e", FREE, f"./{name}.js"]
        free = set(subprocess.check_output(command, cwd=FOLDER, text=True).split())
        given = {"module", "require", "globalThis", "undefined", "NaN", "Infinity"}
        assert free <= set(GLOBALS.replace(",", " ").split()) | given, name


async def test_beside_a_benign_control_an_examiner_comes_to_its_end() -> None:
    code = "if (JSON.stringify(f(1)) !== '2') throw new Error(String(Object.keys(f)));"

    async def never(request: RunRequest) -> Outcome:
        raise AssertionError(request)

    tools = await apart.load("javascript", never, LIMITS)
    program = apart.control(tools, AssertionsTask(type="assertions", code=code.encode()))
    examined = examine(program.decode(), code)
    assert examined.ended, examined
    assert examined.passed == [False]
