interface Waiting {
  readonly acts: Set<() => void>;
  readonly listener: () => void;
}

const waiting = new WeakMap<AbortSignal, Waiting>();

/**
 * Acts when the signal aborts. However many wait, the signal has one listener of ours: Node warns of more than ten, and
 * AbortSignal.any would leak on a signal that lives long.
 *
 * @returns stops waiting; the listener is removed with the last that waits
 */
export function whenAborted(signal: AbortSignal, act: () => void): () => void {
  const { acts, listener } = waiting.get(signal) ?? listenTo(signal);
  acts.add(act);
  return () => {
    acts.delete(act);
    if (acts.size > 0) return;
    signal.removeEventListener("abort", listener);
    waiting.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Waiting {
  const acts = new Set<() => void>();
  const listener = () => {
    for (const act of acts) act();
  };
  signal.addEventListener("abort", listener);
  const begun = { acts, listener };
  waiting.set(signal, begun);
  return begun;
}
