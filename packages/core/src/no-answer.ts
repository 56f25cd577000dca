import type { EventName } from "./events.ts";
import { isFailedExit } from "./exit.ts";
import { withStderr } from "./fault.ts";
import { hear } from "./hear.ts";
import { readOutput } from "./output.ts";
import { ruleFor } from "./rules.ts";
import { scriptNotOpened } from "./script-not-opened.ts";
import type { RunReport } from "./types.ts";

/**
 * Why a hook gave no answer of its own, if it gave none: a fault, an exit code that says it failed (DESIGN §4.9), or a 2 that
 * its interpreter ended with, which had nothing to run. The latter two are no `fault` of the report: by the contract work goes
 * on after the one, and is refused after the other.
 */
export function whyNoAnswer(report: RunReport, event: EventName): string | undefined {
  if (report.fault !== undefined) return report.fault;
  if (report.exitCode === undefined || report.exitCode === 0) return undefined;
  const hook = { name: report.hook, onFailure: "continue", mode: "enforce" } as const;
  const answer = hear(readOutput(report), { hook, run: report, rule: ruleFor(event, report.dialect) });
  const isFailed = isFailedExit(report, answer) || scriptNotOpened(report, report.hook).length > 0;
  return isFailed ? withStderr(`exited with ${report.exitCode}`, report) : undefined;
}
