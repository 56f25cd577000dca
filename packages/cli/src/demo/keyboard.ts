import { emitKeypressEvents, type Key } from "node:readline";

/** Why a person left. */
export type Leaving = "key" | "signal" | "closed";

/** The keys of a person who pages through something. */
export interface Keyboard {
  /** Waits for Enter or space; false when the person has left or leaves. */
  next(): Promise<boolean>;
  close(): void;
}

const FORWARD = new Set(["return", "enter", "space", "right", "down"]);
const OUT = new Set(["q", "escape"]);

/** Reads keys until it is closed; q and Ctrl-C abort `leave`, also while nobody waits for a key. */
export function openKeyboard(stdin: NodeJS.ReadStream, leave: AbortController): Keyboard {
  const ended = new AbortController();
  let goOn: (() => void) | undefined;
  const onKey = (_: string | undefined, key: Key) => {
    if (key.ctrl && key.name === "c") leave.abort("signal" satisfies Leaving);
    else if (OUT.has(key.name ?? "") || (key.ctrl && key.name === "d")) leave.abort("key" satisfies Leaving);
    else if (FORWARD.has(key.name ?? "")) goOn?.();
  };
  const onEnd = () => leave.abort("key" satisfies Leaving);
  emitKeypressEvents(stdin);
  stdin.on("keypress", onKey).once("end", onEnd);
  // Raw: a key counts at once and is not echoed.
  stdin.setRawMode(true);
  stdin.resume();
  return {
    next: () =>
      new Promise((resolve) => {
        if (leave.signal.aborted) return resolve(false);
        goOn = () => resolve(true);
        leave.signal.addEventListener("abort", () => resolve(false), { once: true, signal: ended.signal });
      }),
    close: () => {
      ended.abort();
      stdin.off("keypress", onKey).off("end", onEnd);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
