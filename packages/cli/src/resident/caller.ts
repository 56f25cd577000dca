import { readFileSync, readlinkSync, statSync } from "node:fs";
import { isObject } from "@belay/core/internal";
import { SCRIPT_NAME } from "../relay/script.ts";

/** The process that calls, as it was started. */
export interface Caller {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * What the system knows of the process with this number. Undefined unless it is a script of ours, of this user: the number may
 * come from a container that counts its processes by itself.
 */
export function callerOf(pid: number): Caller | undefined {
  const proc = `/proc/${pid}`;
  try {
    if (statSync(proc).uid !== process.getuid?.()) return undefined;
    const words = parts(readFileSync(`${proc}/cmdline`));
    const at = words.findIndex((word) => word.endsWith(`/${SCRIPT_NAME}`));
    if (at < 0) return undefined;
    const cwd = readlinkSync(`${proc}/cwd`);
    const env = parts(readFileSync(`${proc}/environ`)).map((entry): [string, string] => {
      const end = entry.indexOf("=", 1);
      return [entry.slice(0, end), entry.slice(end + 1)];
    });
    return { args: words.slice(at + 1), cwd, env: Object.fromEntries(env) };
  } catch {
    return undefined;
  }
}

/** The parts of a list in which a NUL ends each. */
function parts(list: Buffer): string[] {
  return list.toString().split("\0").slice(0, -1);
}

/** What a caller says of itself. */
export function readCaller(said: unknown): (Caller & { readonly payload: string }) | undefined {
  if (!isObject(said)) return undefined;
  const { args, cwd, env, payload } = said;
  if (typeof cwd !== "string" || typeof payload !== "string") return undefined;
  if (!Array.isArray(args) || !areTexts(args)) return undefined;
  if (!isObject(env) || !areTexts(Object.values(env))) return undefined;
  return { args, cwd, env: env as Caller["env"], payload };
}

function areTexts(values: readonly unknown[]): values is readonly string[] {
  return values.every((value) => typeof value === "string");
}
