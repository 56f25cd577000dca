import type { Severity } from "./types.ts";

/** One kind of diagnostic: what is wrong in general. */
export interface DiagnosticRow {
  readonly severity: Severity;
  /** `{name}` is filled in. Says what happened and where. */
  readonly message: string;
  /** The next thing to do. */
  readonly fix: string;
  /** Shown to the user as a warning when it comes up while an event fires. Faults are shown as errors instead. */
  readonly told: boolean;
}

/** Marks a row that the user is shown. */
export const TOLD = true;

const row =
  (severity: Severity) =>
  (message: string, fix: string, told = false): DiagnosticRow => ({ severity, message, fix, told });
export const error = row("error");
export const warning = row("warning");
export const info = row("info");
