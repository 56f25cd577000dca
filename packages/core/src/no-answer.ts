import type { EventName } from "./events.ts";
import { isFailedExit } from "./exit.ts";
import { withStderr } from "./fault.ts";
import { hear } from "./hear.ts";
import { readOutput } from "./output.ts";
import { ruleFor } from "./rules.ts";
import type { RunReport } from "./types.ts";

/**
 * Why a hook gave no answer of its own, if it gave none: a fault, or an exit code that says it failed (DESIGN §4.9). The
 * latter is no `fault` of the report: work goes on, and the user reads what it wrote.
 */
export function whyNoAnswer(report: RunReport, event: EventName): string | undefined {
  if (report.fault !== undefined) return report.fault;
  if (report.exitCode === undefined || report.exitCode === 0) return undefined;
  const hook = { name: report.hook, onFailure: "continue", mode: "enforce" } as const;
  const answer = hear(readOutput(report), { hook, run: report, rule: ruleFor(event, report.dialect) });
  return isFailedExit(report, answer) ? withStderr(`exited with ${report.exitCode}`, report) : undefined;
}
