import { realpathSync } from "node:fs";
import { dirname, extname, resolve, sep } from "node:path";
import { contentOf, statOf } from "../file-content.ts";
import { JS_RUNTIME } from "../shell-words.ts";

/*
 * What JavaScript and TypeScript files import from beside them, for trust. A text scan, read greedily as everything for
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
const IMPORT = /\b(?:from|import|require)(?:\s*\(\s*|\s*)["'`](\.{1,2}(?:\/[^"'`\n]*)?)["'`]/g;

/** The files, and what they import, directly or not. */
export function withImports(files: readonly string[]): string[] {
  const found = new Set(files);
  for (const file of found) {
    for (const imported of importsOf(file)) if (found.size < MAX_FILES) found.add(imported);
  }
  return [...found];
}

function importsOf(file: string): string[] {
  if (!statOf(file)?.isFile()) return [];
  const real = realpathSync(file); // where Node looks from
  if (real.includes(`${sep}node_modules${sep}`)) return [];
  const text = contentOf(real).toString("latin1");
  if (!SCRIPT_ENDINGS.includes(extname(real)) && !runsJavaScript(text)) return [];
  const names = new Set([...text.matchAll(IMPORT)].map(([, name = ""]) => name));
  return [...names].flatMap((name) => meantBy(resolve(dirname(real), name)));
}

/** Whether a file's first line names a runtime of JavaScript. */
function runsJavaScript(text: string): boolean {
  const [first = ""] = text.slice(0, 256).split("\n", 1);
  return first.startsWith("#!") && JS_RUNTIME.test(first);
}

/** Every file that a path may mean to a JavaScript runtime: itself, with an ending, as a folder, as TypeScript. */
export function meantBy(path: string): string[] {
  const asTypeScript = path.replace(/\.([cm]?)js(x?)$/, ".$1ts$2");
  const candidates = [
    path,
    ...(asTypeScript === path ? [] : [asTypeScript]),
    ...ENDINGS.map((ending) => path + ending),
    ...(statOf(path)?.isDirectory() ? ENDINGS.map((ending) => `${path}${sep}index${ending}`) : []),
  ];
  return candidates.filter((candidate) => statOf(candidate)?.isFile());
}
