import { dirname, resolve } from "node:path";

/** One import statement, as far as its line goes and is continued by a `\`; several may share a line. */
const STATEMENT = /(?:^|[;:])[ \t]*(?:from[ \t]*([.\w]+)[ \t]+)?import[ \t]+((?:\\\r?\n|[^;#\n])+)/gm;

/**
 * Files that a Python text may import from beside it or from beside the scripts that were started: `import policy`,
 * `from .rules import a`. Packages elsewhere, and whatever is worked out at run time, are not looked for.
 */
export function pythonPaths(text: string, folder: string, started: readonly string[]): Set<string> {
  const paths = new Set<string>();
  for (const [, from, list = ""] of text.matchAll(STATEMENT)) {
    const names = list.split(",").map((name) => /\w[.\w]*/.exec(name)?.[0] ?? "");
    const within = from?.endsWith(".") ? from : `${from}.`;
    const modules = from === undefined ? names : [from, ...names.map((name) => within + name)];
    for (const module of modules) for (const path of placesOf(module, folder, started)) paths.add(path);
  }
  return paths;
}

/** `python3 -m module`, wherever in a command; several may be run. Other options may be glued before the m: `-Im`. */
const RUN_MODULE = /\s-[A-Za-z]*?m[ \t]*['"]?([A-Za-z_][\w.]*)/g;

/**
 * Files that a command may run by the name of a module or import in code of its own (`python3 -c "import guard"`), and those
 * that run for a folder. What a module imports is looked for where the module was found, not beside it. `words` are the
 * command's own, without their quotes.
 */
export function pythonPrograms(
  command: string,
  words: readonly string[],
  folders: readonly string[],
): { files: readonly string[]; roots: readonly string[] } {
  if (!PYTHON.test(command)) return { files: [], roots: [] };
  const modules = [...command.matchAll(RUN_MODULE)].map(([, module = ""]) => module);
  const imported = words.flatMap((code) => folders.flatMap((folder) => [...pythonPaths(code, folder, [])]));
  const named = folders.flatMap((folder) => [
    resolve(folder, MAIN),
    ...modules.flatMap((module) => [
      ...placesOf(module, folder, []),
      resolve(folder, ...module.split("."), MAIN),
    ]),
  ]);
  const isByName = modules.length > 0 || imported.length > 0;
  return { files: [...named, ...imported], roots: isByName ? folders : [] };
}

const MAIN = "__main__.py";
/** A runtime of Python, or what runs one. */
export const PYTHON = /\b(?:python|pypy|uv\b|pipx\b|poetry\b)/;

/** A module and the packages it stands in. */
function placesOf(module: string, folder: string, started: readonly string[]): string[] {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const bases = dots === 0 ? [folder, ...started] : [up(folder, dots - 1)];
  const steps = module.split(".").filter((step) => step !== "");
  return bases.flatMap((base) =>
    [base, ...steps.map((_, end) => resolve(base, ...steps.slice(0, end + 1)))].flatMap((path) => [
      `${path}.py`,
      resolve(path, "__init__.py"),
    ]),
  );
}

function up(folder: string, levels: number): string {
  return levels <= 0 ? folder : up(dirname(folder), levels - 1);
}
