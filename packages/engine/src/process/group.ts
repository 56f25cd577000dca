const isWindows = process.platform === "win32";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Ends something that runs. Gets the signal that the host got, if there was one. */
type End = (signal?: NodeJS.Signals) => void;

/** What runs now. It is ended with the host, so that nothing outlives the host. */
const running = new Set<End>();
/** What a signal to the host ends, too. */
const bySignal = new Set<End>();
let watchesExit = false;
let watchesSignals = false;

/**
 * Ends something with the host.
 *
 * @param handleSignals false: only when the host exits. The host alone then decides what a signal means.
 * @returns forgets it again
 */
export function endWithHost(end: End, handleSignals = true): () => void {
  running.add(end);
  if (!watchesExit) process.on("exit", () => endAll(running));
  watchesExit = true;
  if (handleSignals) {
    bySignal.add(end);
    if (!watchesSignals) watchSignals();
  }
  return () => forget(end);
}

/**
 * When the last group is gone, the host's signals are its own again. This happens a turn of the event loop later: no answer
 * waits for it, and the next event need not listen anew.
 */
function forget(end: End): void {
  running.delete(end);
  if (bySignal.delete(end) && bySignal.size === 0) setImmediate(unwatchIfIdle).unref();
}

function unwatchIfIdle(): void {
  if (watchesSignals && bySignal.size === 0) unwatchSignals();
}

function watchSignals(): void {
  watchesSignals = true;
  // Process groups of their own get no Ctrl-C from the terminal, and a host that dies of a signal runs no exit listeners.
  // Our listener comes first and is removed: a later listener that counts the listeners does not find ours.
  for (const signal of SIGNALS) process.prependListener(signal, onSignal);
}

function unwatchSignals(): void {
  watchesSignals = false;
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

function endAll(ends: ReadonlySet<End>, signal?: NodeJS.Signals): void {
  for (const end of ends) end(signal);
}

/** A host with a listener of its own decides what the signal means. A host without one dies of the signal. */
function onSignal(signal: NodeJS.Signals): void {
  endAll(bySignal, signal);
  unwatchSignals();
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

/** Sends a signal to a whole process group. Ask groupIsAlive whether anyone is left; the child alone does not tell. */
export function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (isWindows) {
    // No groups and no TERM here: taskkill ends the tree below the process.
    if (signal === "SIGKILL")
      process
        .getBuiltinModule("node:child_process")
        .spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" })
        .on("error", () => {}) // none on the PATH: out of reach
        .unref();
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: already gone. EPERM: every member changed its user; out of reach either way.
  }
}

export function groupIsAlive(pid: number): boolean {
  if (isWindows) return false;
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** How long a group may take to vanish after KILL. A process stuck in the kernel is given up then. */
const VANISH_MS = 150;
const POLL_MS = 10;

/** TERM to the group, and KILL to whatever is left of it after the grace. */
export async function endGroup(pid: number, hasExited: () => boolean, graceMs: number): Promise<void> {
  signalGroup(pid, "SIGTERM");
  if (await pollUntil(() => hasExited() && !groupIsAlive(pid), graceMs)) return;
  signalGroup(pid, "SIGKILL");
  await pollUntil(hasExited, VANISH_MS);
}

async function pollUntil(isTrue: () => boolean, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!isTrue()) {
    if (performance.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}
