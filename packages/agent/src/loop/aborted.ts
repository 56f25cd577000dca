/**
 * Settles with the work, or rejects as soon as the signal aborts. Work that ignores the signal is not waited for, and its
 * later result is dropped.
 */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** The same for every item of a stream. On abort the stream is told to end, and is not waited for. */
export async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const source = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value, done } = await orAborted(source.next(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    source.return?.().catch(() => {});
  }
}
