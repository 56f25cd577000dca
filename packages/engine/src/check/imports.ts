import { existsSync, realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { readText, statOf } from "../files/read.ts";
import { MODULE_ENDINGS } from "./script-words.ts";

/* What a module begins with, a piece at a time: one pattern for all of it could be made to try without end. */
const GAP = /\s+|;|\/\/.*|\/\*[\s\S]*?\*\/|(["'])use strict\1/y;
const IMPORT =
  /(?:import|export)\b(?:[\w\s*{},$]*?\bfrom)?\s*(["'])([^"'\n]+)\1(?:\s*(?:with|assert)\s*\{[^}]*\})?/y;

/** There for every module hook, installed or not. */
const BROUGHT = "@belay/engine";

/**
 * What a module imports at its beginning and would not find, as it is written. Text that only looks like an import is no
 * mistake. `code` has no types in it.
 */
export function missingImports(file: string, code: string): string[] {
  const folder = dirname(realpathSync(file)); // where Node looks from
  return [...leadingImports(code)].filter((name) => isMissing(name, folder));
}

function leadingImports(code: string): Set<string> {
  const names = new Set<string>();
  const [gap, statement] = [new RegExp(GAP), new RegExp(IMPORT)];
  for (;;) {
    while (gap.test(code)) statement.lastIndex = gap.lastIndex;
    const name = statement.exec(code)?.[2];
    if (name === undefined) return names;
    names.add(name);
    gap.lastIndex = statement.lastIndex;
  }
}

function isMissing(name: string, folder: string): boolean {
  if (/^\.{1,2}\//.test(name)) {
    const [path = name] = name.split(/[?#]/);
    return !/[%\\]/.test(path) && !isFound(resolve(folder, path));
  }
  const [, bare] = /^((?:@[^/:]+\/)?[^@./#:][^/:]*)(?:\/[^:]*)?$/.exec(name) ?? [];
  return bare !== undefined && bare !== BROUGHT && !isBuiltin(name) && !isInstalled(bare, folder);
}

/** What may be left out of an import's name. */
const ENDINGS = [...MODULE_ENDINGS, ".tsx", ".jsx", ".json"];

/** Whether a path is a file for a JavaScript runtime: itself, with an ending, as TypeScript, or as a folder's index. */
function isFound(path: string): boolean {
  const asTypeScript = path.replace(/\.([cm]?)js(x?)$/, ".$1ts$2");
  const withEnding = ENDINGS.flatMap((ending) => [path + ending, join(path, `index${ending}`)]);
  return [path, asTypeScript, ...withEnding].some((file) => statOf(file)?.isFile());
}

/** Whether a package is found from a folder: in node_modules there or above, or as the package that the folder is in. */
function isInstalled(name: string, from: string): boolean {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "node_modules", name)) || nameOf(folder) === name) return true;
    if (folder === dirname(folder)) return false;
  }
}

function nameOf(folder: string): unknown {
  try {
    return (JSON.parse(readText(join(folder, "package.json"))) as { name?: unknown } | null)?.name;
  } catch {
    return undefined;
  }
}
