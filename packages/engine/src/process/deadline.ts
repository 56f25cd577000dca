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
