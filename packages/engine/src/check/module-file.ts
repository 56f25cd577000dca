import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, resolve } from "node:path";
import { type Diagnostic, diagnose, type Hook } from "@belay/core";
import { whereOf } from "@belay/core/internal";
import { MODULE_ENDINGS } from "./script-words.ts";

export const NO_EXPORT = "exports no function (export default …)";

/** Syntax, imports and exports, read and not executed: a config that is being checked may not be trusted yet. */
export async function adviseOnModule(
  file: string,
  script: string,
  text: string,
  hook: Hook,
): Promise<Diagnostic[]> {
  const detail = await whyNotLoaded(file, text);
  if (detail === undefined) return [];
  return [diagnose("module-does-not-load", { script, detail, event: hook.event }, whereOf(hook))];
}

async function whyNotLoaded(file: string, text: string): Promise<string | undefined> {
  if (!MODULE_ENDINGS.includes(extname(file)))
    return `its name does not end in one of ${MODULE_ENDINGS.join(" ")}`;
  const { transformSync } = await import("oxc-transform");
  const { code, errors } = transformSync(file, text);
  if (errors[0]) return errors[0].message;
  const missing = leadingImports(code).find((name) => isMissing(name, realpathSync(file)));
  if (missing !== undefined) return `it imports ${JSON.stringify(missing)}, which is not found from there`;
  return exportsHook(text) ? undefined : `it ${NO_EXPORT}`;
}

const EXPORTS = new RegExp(
  [
    String.raw`\bexport\s+default\b|\bexport\s*=|\bmodule\.exports\b|\bexports\.(?:default|hook)\b`,
    String.raw`\bexport\s+(?:const|let|var|(?:async\s+)?function)\s+hook\b`,
    // Of another file, too: a star brings what is called hook there.
    String.raw`\bexport\s*\{[^}]*\b(?:default|hook)\b|\bexport\s*\*`,
  ].join("|"),
);

/** Whether a module may export a hook, by its text: where it does not, loading it would run a script and find none. */
export function exportsHook(text: string): boolean {
  return EXPORTS.test(text);
}

/* What a module begins with, a piece at a time: one pattern for all of it could be made to try without end. */
const GAP = /\s+|;|\/\/.*|\/\*[\s\S]*?\*\/|(["'])use strict\1/y;
const IMPORT =
  /(?:import|export)\b(?:[\w\s*{},$]*?\bfrom)?\s*(["'])([^"'\n]+)\1(?:\s*(?:with|assert)\s*\{[^}]*\})?/y;

/** What a module imports at its beginning, as it is written. Further down, text may only look like an import. */
function leadingImports(code: string): string[] {
  const names: string[] = [];
  const [gap, statement] = [new RegExp(GAP), new RegExp(IMPORT)];
  for (;;) {
    while (gap.test(code)) statement.lastIndex = gap.lastIndex;
    const name = statement.exec(code)?.[2];
    if (name === undefined) return names;
    names.push(name);
    gap.lastIndex = statement.lastIndex;
  }
}

/** There for every module hook, installed or not. */
const BROUGHT = "@belay/engine";
/** URLs, names of a package's own "imports", and paths with escapes. */
const NOT_LOOKED_UP = /^#|[:%\\]/;

/** Only a name that is certainly not found is missing: Node resolves some names for `import` that it does not for `require`. */
function isMissing(name: string, file: string): boolean {
  if (name === BROUGHT || NOT_LOOKED_UP.test(name)) return false;
  const [path = name] = name.split(/[?#]/);
  try {
    createRequire(file).resolve(path);
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") return false;
    // As the loader of module hooks does.
    return !path.startsWith(".") || !existsSync(resolve(file, "..", `${path.replace(/\.js$/, "")}.ts`));
  }
}
