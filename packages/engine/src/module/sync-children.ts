import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

/** From the end of a call to the end of a process that its thread waits for: by then the host has given the call up. */
const GRACE_MS = 100;

/**
 * A thread that waits for a process cannot be ended, and a host cannot exit before its threads have: such a process gets
 * no more time than the calls under way. `leftMs` tells how much that is; undefined while there are none.
 */
export function limitSyncChildren(leftMs: () => number | undefined): void {
  for (const name of ["execSync", "execFileSync", "spawnSync"] as const) {
    const start = childProcess[name] as (...given: unknown[]) => unknown;
    const limited = (...given: unknown[]) => start(...withLimit(given, leftMs()));
    Object.assign(childProcess, { [name]: limited });
  }
  syncBuiltinESMExports();
}

function withLimit(given: readonly unknown[], left: number | undefined): readonly unknown[] {
  if (left === undefined) return given;
  const most = Math.ceil(Math.max(0, left)) + GRACE_MS;
  const at = given.findIndex((value, index) => index > 0 && !Array.isArray(value) && Object(value) === value);
  const options = (given[at] ?? {}) as { timeout?: unknown };
  const { timeout } = options;
  if (typeof timeout === "number" && timeout > 0 && timeout <= most) return given;
  const limited = { ...options, timeout: most, killSignal: "SIGKILL" };
  return at === -1 ? [...given.filter((value) => value != null), limited] : given.with(at, limited);
}
