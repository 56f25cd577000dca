import { setImmediate } from "node:timers/promises";

const TURN_MS = 15;

/** Lets the event loop turn during long work, and rejects if the signal has aborted by then. */
export interface Breather {
  (): Promise<void>;
  /** Whether the loop has been kept long enough. */
  isDue(): boolean;
}

export function breather(signal: AbortSignal): Breather {
  let since = performance.now();
  const breathe = async () => {
    await setImmediate();
    signal.throwIfAborted();
    since = performance.now();
  };
  return Object.assign(breathe, { isDue: () => performance.now() - since > TURN_MS });
}
