import { readFile } from "node:fs/promises";

/** Where a file does not parse and why, as `file:line: why`; undefined for one that does, or that cannot be read. */
export async function whereBroken(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { transformSync } = await import("oxc-transform");
  const [first] = transformSync(file, text).errors;
  if (!first) return undefined;
  const [, line] = /:(\d+):\d+\]/.exec(first.codeframe ?? "") ?? [];
  return `${file}${line === undefined ? "" : `:${line}`}: ${first.message}`;
}
