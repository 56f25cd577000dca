interface Waiting {
  readonly acts: Set<() => void>;
  readonly listener: () => void;
}

const waiting = new WeakMap<AbortSignal, Waiting>();

/**
 * Acts when the signal aborts. However many wait for a signal, it has one listener of ours: Node warns of more than ten, and
 * AbortSignal.any would leave something of each of them on a signal that lives long.
 *
 * @returns waits no longer; with the last that waits, the listener goes
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
