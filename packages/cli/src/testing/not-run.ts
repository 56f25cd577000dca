import type { DiagnosticCode, Outcome } from "@belay/core";
import { oneLine } from "@belay/core/clean";
import type { Expectation } from "@belay/core/schema";

/** A hook that raised one of these did nothing of its own. */
const NEVER_RAN: readonly DiagnosticCode[] = [
  "run-not-started",
  "run-script-not-found",
  "run-script-unreadable",
];

/** Why a case has tested nothing: a hook of it could not start, and no expectation is about that. */
export function whyUntested({ diagnostics }: Outcome, expect: Expectation): string | undefined {
  if (expect.diagnostics !== undefined) return undefined;
  const found = diagnostics.find(({ code }) => NEVER_RAN.includes(code));
  if (found === undefined) return undefined;
  return `${oneLine(found.hook ?? "a hook")} could not start, and nothing was tested; a case about that expects diagnostics: [${found.code}]`;
}
