import { oneLine } from "@belay/core/clean";
import { shownPath } from "@belay/engine/internal";
import type { CaseProblem } from "../read/case-file.ts";
import type { CaseResult } from "../run/run-cases.ts";
import { githubProblems, githubReport } from "./github.ts";
import { junitNotRun, junitReport } from "./junit.ts";
import { tapNotRun, tapReport } from "./tap.ts";

type Reporter = (results: readonly CaseResult[], cwd: string) => string;

/** Besides the text that people read. */
export const REPORTERS = { junit: junitReport, tap: tapReport, github: githubReport } satisfies Record<
  string,
  Reporter
>;
export const REPORTER_NAMES = ["text", ...(Object.keys(REPORTERS) as (keyof typeof REPORTERS)[])] as const;

type ReporterName = (typeof REPORTER_NAMES)[number];

/** The report of a run that could not be: why, and what is wrong in the case files, if that is it. */
export function notRunReport(
  reporter: ReporterName,
  why: string,
  problems: readonly CaseProblem[],
  cwd: string,
): string {
  const details = problems.map((problem) => problemLine(problem, cwd));
  const reports = {
    text: () => [`✗ ${oneLine(why)}`, ...details].map((line) => `${line}\n`).join(""),
    junit: () => junitNotRun(why, details),
    tap: () => tapNotRun(why, details),
    github: () => githubProblems(problems, cwd),
  };
  return reports[reporter]();
}

export function problemLine({ file, line, message }: CaseProblem, cwd: string): string {
  return `${oneLine(shownPath(file, cwd))}:${line}: ${oneLine(message)}`;
}
