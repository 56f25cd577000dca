import type { Socket } from "node:net";
import type { Child } from "../process/child.ts";
import { endGroup } from "../process/group.ts";

/** Whether the host waits for it. */
export function hold(child: Child, isHeld: boolean): void {
  for (const handle of [child, child.stdin as Socket, child.stdout as Socket, child.stderr as Socket])
    if (isHeld) handle.ref();
    else handle.unref();
}

/**
 * Ends it and its group: its stdin ends, and where it may go in peace it has the grace to do so; then TERM, and KILL to
 * whatever is left after the grace.
 */
export async function endChild(
  child: Child,
  exited: Promise<void>,
  { graceMs, inPeace }: { readonly graceMs: number; readonly inPeace: boolean },
): Promise<void> {
  let hasExited = false;
  void exited.then(() => {
    hasExited = true;
  });
  child.stdin.end();
  // What it leaves in the background lives on, as after the normal exit of any hook.
  if (inPeace && (await within(exited, graceMs))) return;
  await endGroup(child.pid, () => hasExited, graceMs);
}

/** Whether it came to pass in time; no timer is left behind. */
function within(event: Promise<void>, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    void event.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
