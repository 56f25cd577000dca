/* How the engine waits: for a limit, an abort, or a turn. */

/**
 * Calls back after the event loop has polled for exits, messages and input at least once. A busy host fires its timers
 * late: whoever has answered by then is not timed out (design §4.9).
 */
export function afterPoll(callback: () => void): void {
  setImmediate(() => setImmediate(callback));
}

/**
 * Calls `end` at the limit, and when the signal aborts.
 *
 * @returns stops waiting: `end` is not called any more
 */
export function onDeadline(
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  end: (how: "timeout" | "abort") => void,
): () => void {
  let isWaiting = true;
  const tell = (how: "timeout" | "abort") => {
    if (isWaiting) end(how);
  };
  const onAbort = () => tell("abort");
  const timer = setTimeout(() => afterPoll(() => tell("timeout")), timeoutMs);
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) queueMicrotask(onAbort);
  return () => {
    isWaiting = false;
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
}

/** True if the promise resolves within the limit. Leaves no timer behind. */
export function resolvesWithin(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = onDeadline({ timeoutMs: limitMs }, () => resolve(false));
    void promise.then(() => {
      stop();
      resolve(true);
    });
  });
}

/** Runs a task when its turn comes, and tells the task whether it had to wait. */
export type Limiter = <T>(task: (waited: boolean) => T | Promise<T>, signal: AbortSignal) => Promise<T>;

/** At most `max` at once, in the order they came. An aborted task is run at once, and has to see the abort itself. */
export function limiter(max: number): Limiter {
  let active = 0;
  const waiting = new Set<() => void>();

  /** false when the signal came first. */
  const turn = (signal: AbortSignal) =>
    new Promise<boolean>((resolve) => {
      const finish = (isTurn: boolean) => {
        waiting.delete(begin);
        signal.removeEventListener("abort", giveUp);
        resolve(isTurn);
      };
      const begin = () => finish(true);
      const giveUp = () => finish(false);
      waiting.add(begin);
      signal.addEventListener("abort", giveUp);
      if (signal.aborted) giveUp();
    });

  return async (task, signal) => {
    const waits = active >= max;
    if (!waits) active += 1;
    else if (!(await turn(signal))) return task(true);
    try {
      return await task(waits);
    } finally {
      const [next] = waiting;
      if (next) next();
      else active -= 1;
    }
  };
}
