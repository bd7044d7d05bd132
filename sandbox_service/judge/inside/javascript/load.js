"use strict";
// Loads the solution as node would, and lets its names be looked up: those of its top level as well as its exports.

const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const vm = require("node:vm");

const MODULE_NAMES = ["require", "module", "exports", "__filename", "__dirname"];
const STRICT = /^(?:\s|\/\/.*|\/\*[^]*?\*\/)*(["'])use strict\1/;
// Such a module must stay where it is; then its exports are all there is.
const RELATIVE_IMPORT = /\b(?:from|import)\s*\(?\s*["']\.{1,2}\//;
const MODULE_SYNTAX = /import statement|import\.meta|token 'export'|top level bodies of modules/;

/** Take away the global names that node gives to a program on its command line, and to no file. */
function asInFile() {
  for (const name of [...Module.builtinModules, ...MODULE_NAMES]) {
    if (!["console", "crypto", "process"].includes(name)) delete globalThis[name];
  }
  const get = () => require("node:crypto").webcrypto;
  Object.defineProperty(globalThis, "crypto", { get, configurable: true, enumerable: true });
}

asInFile();
const builtins = new Set(Object.getOwnPropertyNames(globalThis));

/** Load a file. Gives `{exports, find}`; `find(name)` is `[value]`, or undefined if the solution has no such name. */
async function load(file) {
  const filename = path.resolve(file);
  process.argv[1] = filename;
  const source = fs.readFileSync(filename, "utf8").replace(/^\ufeff?(#!.*)?/, "");
  const compiled = file.endsWith(".mjs") ? undefined : compile(source, filename);
  const { exports, evaluate } = await (compiled ? run(compiled, filename) : loadModule(source, filename));
  return { exports, find: (name) => declared(name, evaluate) ?? exported(name, exports) };
}

/** The function of a CommonJS file; undefined if it is none. Throws SyntaxError. */
function compile(source, filename) {
  const head = `${STRICT.test(source) ? '"use strict";' : ""}$names(($name) => eval($name));`;
  try {
    return vm.compileFunction(head + source, ["exports", "require", "module", "__filename", "__dirname", "$names"], {
      filename,
      // Before node 20.12 there is no way without a warning.
      importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
  } catch (error) {
    if (MODULE_SYNTAX.test(error.message)) return undefined;
    throw error;
  }
}

function run(compiled, filename) {
  const module = new Module(filename, null);
  module.filename = filename;
  module.paths = Module._nodeModulePaths(path.dirname(filename));
  Module._cache[filename] = module;
  const require = Module.createRequire(filename);
  require.main = module;
  let evaluate;
  const names = (found) => (evaluate ??= found);
  Reflect.apply(compiled, module.exports, [module.exports, require, module, filename, path.dirname(filename), names]);
  module.loaded = true;
  return { exports: module.exports, evaluate };
}

/** A module has to be imported from somewhere, and its names can be seen from inside alone. */
async function loadModule(source, filename) {
  if (RELATIVE_IMPORT.test(source)) return { exports: await import(pathToFileURL(filename)), evaluate: unknown };
  const text = Buffer.from(`export const $names = ($name) => eval($name);${source}`).toString("base64");
  const exports = await import(`data:text/javascript;base64,${text}`);
  return { exports, evaluate: exports.$names };
}

function unknown(name) {
  throw new ReferenceError(`${name} is not defined`);
}

function declared(name, evaluate) {
  try {
    const value = evaluate(name);
    // What node itself offers under that name is not the solution's.
    return builtins.has(name) && value === globalThis[name] ? undefined : [value];
  } catch {
    return undefined;
  }
}

function exported(name, exports) {
  if (exports === null || !["object", "function"].includes(typeof exports)) return undefined;
  if (name in exports) return [exports[name]];
  return typeof exports === "function" && exports.name === name ? [exports] : undefined;
}

module.exports = { load };
