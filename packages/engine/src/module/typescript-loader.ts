import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/*
 * Module loader hooks for module hooks: TypeScript is stripped (types are not checked), and `@belay/engine` resolves to
 * defineHook even where the package is not installed.
 */

type Resolve = (specifier: string, context: object) => Promise<{ url: string; format?: string }>;
type Load = (url: string, context: object) => Promise<{ format: string; source: string }>;

export async function resolve(specifier: string, context: object, next: Resolve) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (specifier === "@belay/engine")
      return { url: new URL("./define-hook.js", import.meta.url).href, shortCircuit: true };
    if (/^\.{1,2}\//.test(specifier) && specifier.endsWith(".js"))
      return next(`${specifier.slice(0, -3)}.ts`, context);
    throw error;
  }
}

export async function load(url: string, context: object, next: Load) {
  if (!/\.[mc]?ts$/.test(new URL(url).pathname)) return next(url, context);
  const file = fileURLToPath(url);
  const { transformSync } = await import("oxc-transform");
  const { code, errors } = transformSync(file, await readFile(file, "utf8"));
  const [first] = errors;
  if (first) throw new SyntaxError(first.message);
  return { format: "module", source: code, shortCircuit: true };
}
