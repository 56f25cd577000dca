import { clean } from "@belay/core/clean";
import { shownPath } from "@belay/engine/internal";
import type { CaseProblem } from "../read/case-file.ts";
import type { CaseResult } from "../run/run-cases.ts";
import { shownFile, warningsOf, whatFailed } from "./facts.ts";

/** Workflow commands: GitHub shows each failure and each warning at its line of the case file. */
export function githubReport(results: readonly CaseResult[], cwd: string): string {
  const root = rootOf(cwd);
  const warnings = warningsOf(results, root).map(
    ({ file, line, text }) => `::warning file=${property(file)},line=${line}::${data(text)}\n`,
  );
  const failures = results
    .filter(({ status }) => status === "fail")
    .map((result) => {
      const { test } = result;
      const place = `file=${property(shownFile(result, root))},line=${test.line},title=${property(test.name)}`;
      return `::error ${place}::${data(whatFailed(result).join("\n"))}\n`;
    });
  return [...warnings, ...failures].join("");
}

/** What keeps the case files from being run, each at its line. */
export function githubProblems(problems: readonly CaseProblem[], cwd: string): string {
  const root = rootOf(cwd);
  return problems
    .map(
      ({ file, line, message }) =>
        `::error file=${property(shownPath(file, root))},line=${line}::${data(message)}\n`,
    )
    .join("");
}

/** GitHub looks for a file from the checkout, whichever folder a step works in. */
function rootOf(cwd: string): string {
  return process.env.GITHUB_WORKSPACE || cwd;
}

/** Untrusted text must not end the command and begin another. */
function data(text: string): string {
  return clean(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
