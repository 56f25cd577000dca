import { oneLine } from "@belay/core/clean";
import { shownPath } from "@belay/engine/internal";
import type { CaseProblem } from "../read/case-file.ts";
import { githubProblems } from "./github.ts";
import type { REPORTER_NAMES } from "./index.ts";
import { junitNotRun } from "./junit.ts";
import { tapNotRun } from "./tap.ts";

/** The report of a run that could not be: why, and what is wrong in the case files, if that is it. */
export function notRunReport(
  reporter: (typeof REPORTER_NAMES)[number],
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
