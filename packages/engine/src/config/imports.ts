import { realpathSync } from "node:fs";
import { dirname, extname, join, resolve, sep } from "node:path";
import { isReadWhole } from "../file-content.ts";
import { JS_RUNTIME } from "../shell-words.ts";
import { importedPaths } from "./import-names.ts";
import { type ImportPlaces, PYTHON, pythonImports, type Roots } from "./python-imports.ts";
import { existing, oncePerSearch, type Search } from "./search.ts";

/*
 * What JavaScript, TypeScript and Python files import from beside them, for trust. A text scan, read greedily as everything for
 * trust is: an import in a comment counts, and where a name may mean several files, all that exist count. Packages are
 * not followed, neither by name nor into node_modules.
 */

/** The bound on files per hook: every one of them is read at every event. */
const MAX_FILES = 256;

/** Files that Node runs as modules, TypeScript stripped. */
export const MODULE_ENDINGS = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"];
const SCRIPT_ENDINGS = [...MODULE_ENDINGS, ".tsx", ".jsx"];
/** What may be left out of an import's name. */
const ENDINGS = [...SCRIPT_ENDINGS, ".json"];

/** The files that a hook names. */
export interface NamedFiles {
  readonly files: readonly string[];
  /** Where Python looks for imports, besides the folders of the files. */
  readonly roots: Roots;
  /** Files that are given to a runtime, which knows them without an ending. */
  readonly runBy?: ReadonlyMap<string, Language>;
}

/** The files, and what they import, directly or not. */
export function withImports({ files, roots, runBy }: NamedFiles, search: Search): string[] {
  const found = new Set(files);
  const started = [...new Set([...files.map(dirname), ...roots.all])];
  const path = new Set(roots.path);
  const named = new Set(files);
  /** Python looks beside the script that it runs, not beside what that imports. */
  const placesFor = (file: string, own: string): ImportPlaces => {
    if (named.has(file)) path.add(own);
    return { own, all: [own, ...started], path: [...path] };
  };
  for (const file of found) {
    if (search.unclear !== undefined) break;
    for (const imported of importsOf(file, runBy?.get(file), placesFor, search)) {
      if (found.size < MAX_FILES) found.add(imported);
      else if (!found.has(imported)) search.giveUp(`it imports more than ${MAX_FILES} files`);
    }
  }
  return [...found];
}

function importsOf(
  file: string,
  given: Language | undefined,
  placesFor: (file: string, own: string) => ImportPlaces,
  search: Search,
): string[] {
  const text = search.read(file);
  const stat = search.stat(file);
  if (!stat?.isFile()) return [];
  const real = realpathSync(file); // where Node and Python look from
  if (real.includes(`${sep}node_modules${sep}`)) return [];
  const [first = ""] = text.slice(0, 256).split("\n", 1);
  const language = languageOf(extname(real), first) ?? given;
  if (language === undefined) return [];
  if (!isReadWhole(stat))
    search.giveUp("it has a script of more than 10 MB, and its imports are not looked for");
  const own = dirname(real);
  if (language === "python") return pythonImports(text, placesFor(file, own), search);
  return javascriptImports(text, own, search);
}

/** Until the search gives up, as for Python. */
function javascriptImports(text: string, own: string, search: Search): string[] {
  const files: string[] = [];
  for (const path of importedPaths(text, own)) {
    if (search.unclear !== undefined) break;
    if (path === undefined) search.count();
    else files.push(...loadedBy(path, search));
  }
  return files;
}

export type Language = "python" | "javascript";

/** By a file's ending, or by the runtime that its first line names. */
function languageOf(ending: string, first: string): Language | undefined {
  const runtime = first.startsWith("#!") ? first : "";
  if (ending === ".py" || PYTHON.test(runtime)) return "python";
  return SCRIPT_ENDINGS.includes(ending) || JS_RUNTIME.test(runtime) ? "javascript" : undefined;
}

/** Every file that a JavaScript runtime may load when it is given this path; a folder may have a package.json that says which. */
export function loadedBy(path: string, search: Search): string[] {
  return [...meantBy(path, search), ...namedByPackage(path, search)];
}

/** The package.json of a folder and what it calls main. It is read once: it may be long, and the folder be loaded often. */
const namedByPackage = oncePerSearch((folder, search): readonly string[] => {
  const file = join(folder, "package.json");
  if (!search.stat(file)?.isFile()) return [];
  return [file, ...meantBy(resolve(folder, mainOf(search.read(file))), search)];
});

function mainOf(text: string): string {
  try {
    const { main }: { main?: unknown } = JSON.parse(text);
    return typeof main === "string" ? main : "index";
  } catch {
    return "index";
  }
}

/** Every file that a path may mean to a JavaScript runtime: itself, with an ending, as TypeScript, as a folder. */
export function meantBy(path: string, search: Search): string[] {
  const inFolder = search.stat(path)?.isDirectory()
    ? ENDINGS.map((ending) => join(path, `index${ending}`))
    : [];
  return [...fileMeantBy(path, search), ...existing(inFolder, search)];
}

/** The same, where a folder is none that is loaded: a linter is given one to look through. */
export function fileMeantBy(path: string, search: Search): string[] {
  const asTypeScript = path.replace(/\.([cm]?)js(x?)$/, ".$1ts$2");
  return existing([...new Set([path, asTypeScript]), ...ENDINGS.map((ending) => path + ending)], search);
}

/** The same, where nothing is left out. */
export function asItIs(path: string, search: Search): string[] {
  return existing([path], search);
}
