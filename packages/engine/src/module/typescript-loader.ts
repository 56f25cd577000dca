import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { compileFunction } from "node:vm";
import type { MessagePort } from "node:worker_threads";
import { filePrint } from "../files/read.ts";
import type { LoadedFile } from "./messages.ts";

/*
 * Module loader hooks for module hooks: TypeScript is stripped (types are not checked), `@belay/engine` resolves to
 * defineHook even where the package is not installed, and every file that is loaded is reported, so that an edit of
 * any of them is noticed.
 */

type Resolve = (specifier: string, context: object) => Promise<{ url: string; format?: string }>;
type Load = (url: string, context: object) => Promise<{ format: string; source: string }>;

let reports: MessagePort | undefined;

export function initialize({ port }: { port: MessagePort }): void {
  reports = port;
}

export async function resolve(specifier: string, context: object, next: Resolve) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (specifier === "@belay/engine")
      return { url: new URL("./define-hook.js", import.meta.url).href, shortCircuit: true };
    const [, name] = /^(\.{1,2}\/.*?)(?:\.js)?$/.exec(specifier) ?? [];
    if (name === undefined) throw error;
    return next(`${name}.ts`, context).catch(() => {
      throw error;
    });
  }
}

export async function load(url: string, context: object, next: Load) {
  if (!url.startsWith("file:")) return next(url, context);
  const file = fileURLToPath(url);
  reports?.postMessage({ file, print: filePrint(file) } satisfies LoadedFile);
  if (!/\.[mc]?ts$/.test(new URL(url).pathname)) return next(url, context);
  const { transformSync } = await import("oxc-transform");
  const { code, errors } = transformSync(file, await readFile(file, "utf8"));
  const [first] = errors;
  if (first) throw new SyntaxError(first.message);
  const format = file.endsWith(".cts") && isScript(code) ? "commonjs" : "module";
  return { format, source: code, shortCircuit: true };
}

/** TypeScript takes `import` and `export` in a .cts too, and means the same by them. */
function isScript(code: string): boolean {
  try {
    compileFunction(code, ["exports", "require", "module", "__filename", "__dirname"]);
    return true;
  } catch {
    return false;
  }
}
