import type { Severity } from "../kinds.ts";

export interface DiagnosticRow<Message extends string = string, Fix extends string = string> {
  readonly severity: Severity;
  /** What happened and where; `{name}` is filled in. */
  readonly message: Message;
  /** The next thing to do. */
  readonly fix: Fix;
  /** The user is shown a warning when the diagnostic comes up while an event fires. Faults are shown as errors instead. */
  readonly told: boolean;
}

/** Marks a row that the user is shown. */
export const TOLD = true;

const row =
  (severity: Severity) =>
  <const Message extends string, const Fix extends string>(
    message: Message,
    fix: Fix,
    told = false,
  ): DiagnosticRow<Message, Fix> => ({ severity, message, fix, told });
export const error = row("error");
export const warning = row("warning");
export const info = row("info");
