import type { Run } from "@belay/core";
import type { ProcessSpec } from "../process/run-process.ts";

/** What to run; the signal and the callbacks of a spec are messages of their own, and the host's signals are the host's. */
export type SentSpec = Omit<ProcessSpec, "signal" | "onStart" | "onLeftOpen" | "handleSignals">;

/** From the host to the companion. */
export type Order =
  | { readonly id: number; readonly spec: SentSpec; readonly umask: number }
  /** End it as an abort does: TERM, then KILL. */
  | { readonly id: number; readonly abort: true }
  /** End it at once. */
  | { readonly id: number; readonly kill: true }
  /** End what runs, and go. */
  | { readonly leave: true };

/** From the companion to the host. */
export type Report =
  | { readonly ready: true }
  /** Told to leave, it reads on for children that hooks left in the background, and goes with the last of them. */
  | { readonly staying: true }
  /** The group that the hook runs in: the host ends it when the companion cannot. */
  | { readonly id: number; readonly pid: number }
  | { readonly id: number; readonly run: Run };
