import { dirname, join, sep } from "node:path";
import { PYTHON_LIBRARY } from "./python-library.ts";
import { existing, oncePerSearch, type Search } from "./search.ts";

/** Of a name: Python has letters of every alphabet. */
const LETTER = "\\w\\x80-\\uffff";
const BLANK = "(?:[ \\t\\f]|\\\\\\r?\\n)";
const FROM = `from${BLANK}*(?:([.${LETTER}]+)${BLANK}+|(\\.+))`;
/** One import statement, as far as its line goes and is continued by a `\`; several may share a line. */
const STATEMENT = new RegExp(
  `(?:^\\ufeff?|[;:])[ \\t\\f]*(?:${FROM})?import(?:${BLANK}+|(?=[*(]))((?:[^;#\\n\\\\]+|\\\\(?:\\r?\\n)?)+)`,
  "gm",
);
const ITEM = new RegExp(`[${LETTER}][.${LETTER}]*`);

/** Programs that run a Python. */
export const PYTHON_TOOLS = "uv|pipx|poetry";
/** A runtime of Python, or what runs one. */
export const PYTHON = new RegExp(`\\b(?:python|pypy|(?:${PYTHON_TOOLS})\\b)`);

/** What Python runs for a folder that it is given. */
const MAIN = "__main__";
const INIT = "__init__";

/** Where imports are looked for. */
export interface ImportPlaces {
  /** The folder of the text's own file, where it has one: `from .rules import a`. */
  readonly own?: string;
  /** `import policy` */
  readonly all: readonly string[];
  /** Of these, where it is imported from before Python's own library. */
  readonly path: readonly string[];
}

/** Places where the imports of every file of a command are looked for. */
export type Roots = Pick<ImportPlaces, "all" | "path">;
export const NO_ROOTS: Roots = { all: [], path: [] };

/**
 * Files that a Python text may import from these places. Packages elsewhere, and whatever is worked out at run time, are
 * not looked for.
 */
export function pythonImports(text: string, places: ImportPlaces, search: Search): string[] {
  return filesOfModules(modulesIn(text), places, search);
}

function* modulesIn(text: string): Generator<string> {
  for (const [, name, dots, list = ""] of text.matchAll(STATEMENT)) {
    const from = (name ?? dots)?.normalize("NFKC"); // as Python reads every name
    if (from !== undefined) yield from;
    const within = from === undefined || from.endsWith(".") ? (from ?? "") : `${from}.`;
    for (const [item] of list.matchAll(/[^,]+/g))
      yield within + (ITEM.exec(item)?.[0] ?? "").normalize("NFKC");
  }
}

/** Longer or deeper than the name of any module. */
const MAX_NAME = 255;
const MAX_DEPTH = 32;

/** Until the search gives up: a text may name modules without end. */
function filesOfModules(
  modules: Iterable<string>,
  { own, all, path }: ImportPlaces,
  search: Search,
): string[] {
  const files = new Set<string>();
  let isByName = false;
  for (const module of modules) {
    if (module.length > MAX_NAME || module.split(".").length > MAX_DEPTH)
      search.giveUp("it imports a module of Python by a very long name");
    if (search.unclear !== undefined) break;
    const dots = /^\.*/.exec(module)?.[0].length ?? 0;
    const folders = dots === 0 ? all : above(own, dots - 1);
    if (dots === 0) isByName = true;
    const packages = dots === 0 ? [] : folders.flatMap((folder) => filesNamed(INIT, folder, search));
    const steps = module.split(".").filter((step) => step !== "");
    const found = folders.flatMap((folder) => filesOfModule(steps, folder, search));
    for (const file of [...packages, ...found]) files.add(file);
  }
  const inPlace = isByName ? path.flatMap((folder) => inPlaceOfLibrary(folder, search)) : [];
  return [...new Set([...files, ...inPlace])];
}

/** A module in a folder, or a package: re.py, re.cpython-312-x86_64-linux-gnu.so, json. */
const MODULE = /^([^.]+)(?:\.pyc?|(?:\.[\w-]+)?\.(?:so|pyd))?$/;
/** A module that Python takes before the source of the same name. */
const NATIVE = /\.(?:so|pyd)$/;
/** The endings of compiled modules, but for those that tell a version of Python. */
const COMPILED = [".so", ".abi3.so", ".pyd", ".pyc"];

/** The entries of a folder that are modules, by name; undefined where there are too many. */
const modulesOf = oncePerSearch((folder, search) => {
  const entries = search.entries(folder);
  if (entries === undefined) return undefined;
  const modules = new Map<string, string[]>();
  for (const entry of entries) {
    const [, name] = MODULE.exec(entry) ?? [];
    if (name !== undefined) modules.set(name, [...(modules.get(name) ?? []), entry]);
  }
  return modules;
});

/** The files of a folder that may be a module: its source, one that is taken before it, or without it one that was compiled. */
function filesNamed(name: string, folder: string, search: Search): string[] {
  if (!search.stat(folder)?.isDirectory()) return [];
  const modules = modulesOf(folder, search);
  const entries = modules ? (modules.get(name) ?? []) : COMPILED.map((ending) => name + ending);
  const source = existing([join(folder, `${name}.py`)], search);
  const isTaken = (entry: string) => NATIVE.test(entry) || (entry.endsWith(".pyc") && source.length === 0);
  const compiled = entries.filter(isTaken).map((entry) => join(folder, entry));
  return [...source, ...existing(compiled, search)];
}

/** Files of a folder that are imported in place of Python's own, by its own modules, too. */
const inPlaceOfLibrary = oncePerSearch((folder, search): readonly string[] => {
  const modules = modulesOf(folder, search);
  const names = modules
    ? [...modules.keys()].filter((name) => PYTHON_LIBRARY.has(name))
    : [...PYTHON_LIBRARY];
  return names.flatMap((name) => [
    ...filesNamed(name, folder, search),
    ...filesNamed(INIT, join(folder, name), search),
  ]);
});

function above(folder: string | undefined, levels: number): string[] {
  if (folder === undefined) return [];
  let path = folder;
  for (let level = 0; level < levels; level += 1) path = dirname(path);
  return [path];
}

/** What runs when a module is imported from a folder: the packages it stands in, and its own file. */
function filesOfModule(steps: readonly string[], folder: string, search: Search): string[] {
  const files: string[] = [];
  let path = folder;
  for (const step of steps) {
    if (!search.stat(path)?.isDirectory()) break;
    files.push(...filesNamed(step, path, search));
    path = join(path, step);
    files.push(...filesNamed(INIT, path, search));
  }
  return files;
}

/**
 * `python3 -m module`, wherever in a command; several may be run. Other options may be glued before the m: `-Im`. Its file
 * may be called what no import can say: `my-guard`.
 */
const RUN_MODULE = new RegExp(
  `\\s-(?:-module(?:=|[ \\t])|[A-Za-z]*?m)[ \\t]*['"]?([${LETTER}][.${LETTER}-]*)`,
  "g",
);

/**
 * Files that a command may run by the name of a module or import in code of its own (`python3 -c "import guard"`). What a
 * module imports is looked for where the module was found, not beside it. `texts` are all that may be such code.
 */
export function pythonPrograms(
  command: string,
  texts: readonly string[],
  places: Roots,
  search: Search,
): { files: readonly string[]; roots: Roots } {
  if (!PYTHON.test(command)) return { files: [], roots: NO_ROOTS };
  const run = [...command.matchAll(RUN_MODULE)].map(([, module = ""]) => module);
  const codes = [...new Set(texts)].filter((text) => text.search(STATEMENT) !== -1);
  const mains = run.flatMap((module) =>
    places.all.flatMap((folder) => filesNamed(MAIN, join(folder, module.replaceAll(".", sep)), search)),
  );
  const files = [
    ...filesOfModules(run, places, search),
    ...codes.flatMap((code) => pythonImports(code, places, search)),
    ...mains,
  ];
  return { files, roots: run.length > 0 || codes.length > 0 ? places : NO_ROOTS };
}

/** Every file that Python may run when it is given this path. */
export function runByPython(path: string, search: Search): string[] {
  return [...existing([path], search), ...filesNamed(MAIN, path, search)];
}
