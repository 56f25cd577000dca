import { clean, oneLine } from "@belay/core/clean";
import { shownPath } from "@belay/engine/internal";
import type { CaseProblem } from "../read/case-file.ts";
import type { CaseResult } from "../run/run-cases.ts";
import { count, shownFile, warningsOf, whatFailed } from "./facts.ts";

type Report = (results: readonly CaseResult[], cwd: string) => string;
type NotRunReport = (why: string, problems: readonly CaseProblem[], cwd: string) => string;

/** What a run came to, and why a run could not be: what is wrong in the case files, if that is it. */
export const REPORTERS = {
  junit: { report: junit, notRun: junitNotRun },
  tap: { report: tap, notRun: tapNotRun },
  github: { report: github, notRun: githubNotRun },
} satisfies Record<string, { report: Report; notRun: NotRunReport }>;

export const REPORTER_NAMES = ["text", ...(Object.keys(REPORTERS) as (keyof typeof REPORTERS)[])] as const;

export function textNotRun(why: string, problems: readonly CaseProblem[], cwd: string): string {
  return [`✗ ${oneLine(why)}`, ...problemLines(problems, cwd)].map((line) => `${line}\n`).join("");
}

export function problemLines(problems: readonly CaseProblem[], cwd: string): string[] {
  return problems.map(
    ({ file, line, message }) => `${oneLine(shownPath(file, cwd))}:${line}: ${oneLine(message)}`,
  );
}

/** JUnit XML: a suite per file, as CI servers read it. */
function junit(results: readonly CaseResult[], cwd: string): string {
  const files = [...new Set(results.map((result) => shownFile(result, cwd)))];
  const suites = files.map((file) => {
    const own = results.filter((result) => shownFile(result, cwd) === file);
    const warnings = warningsOf(own, cwd).map(({ file, line, text }) => `warning: ${file}:${line}: ${text}`);
    return [
      `  <testsuite name="${inXml(file)}" ${totals(own)}>`,
      ...own.map((result) => testcase(result, file)),
      ...(warnings.length === 0 ? [] : [`    <system-err>${inXml(warnings.join("\n"))}</system-err>`]),
      "  </testsuite>",
    ].join("\n");
  });
  return testsuites(`name="belay test" ${totals(results)}`, suites);
}

/** One case in error, which is the run itself. */
function junitNotRun(why: string, problems: readonly CaseProblem[], cwd: string): string {
  const error = `<error message="${inXml(why)}">${inXml(problemLines(problems, cwd).join("\n"))}</error>`;
  const attributes = 'name="belay test" tests="1" failures="0" skipped="0" errors="1" time="0.000"';
  return testsuites(attributes, [
    `  <testsuite ${attributes}>`,
    `    <testcase name="case files" classname="belay test" time="0.000">${error}</testcase>`,
    "  </testsuite>",
  ]);
}

function testsuites(attributes: string, lines: readonly string[]): string {
  const head = ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${attributes}>`];
  return [...head, ...lines, "</testsuites>\n"].join("\n");
}

function totals(results: readonly CaseResult[]): string {
  const time = seconds(results.reduce((sum, result) => sum + result.time, 0));
  return `tests="${results.length}" failures="${count(results, "fail")}" skipped="${count(results, "skip")}" errors="0" time="${time}"`;
}

function testcase(result: CaseResult, file: string): string {
  const { test, status, skipped, time } = result;
  const start = `    <testcase name="${inXml(test.name)}" classname="${inXml(file)}" file="${inXml(file)}" line="${test.line}" time="${seconds(time)}"`;
  if (status === "pass") return `${start}/>`;
  if (status === "skip") return `${start}><skipped message="${inXml(skipped ?? "")}"/></testcase>`;
  const why = whatFailed(result);
  return `${start}><failure message="${inXml(why[0] ?? "")}">${inXml(why.join("\n"))}</failure></testcase>`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

const IN_XML = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;" };

/** What XML 1.0 has no way at all to write becomes visible, as all that a screen must not be shown. */
function inXml(text: string): string {
  return clean(text)
    .replaceAll(
      /[\ufffe\uffff]|\p{Surrogate}/gu,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    )
    .replaceAll(/[&<>"\n]/g, (char) => IN_XML[char as keyof typeof IN_XML]);
}

/** TAP 14: a line per case, what failed as a YAML block, and warnings as comments. */
function tap(results: readonly CaseResult[], cwd: string): string {
  const lines = results.flatMap((result, index) => {
    const { test, status, skipped } = result;
    const title = inTap(`${shownFile(result, cwd)}: ${test.name}`);
    const skip = skipped === undefined ? "" : ` # SKIP ${inTap(skipped)}`;
    const line = `${status === "fail" ? "not ok" : "ok"} ${index + 1} - ${title}${skip}`;
    if (status !== "fail") return [line];
    const why = whatFailed(result).map((text) => `    - ${JSON.stringify(clean(text))}`);
    const at = `  at: ${JSON.stringify(clean(`${shownFile(result, cwd)}:${test.line}`))}`;
    return [line, "  ---", at, "  failed:", ...why, "  ..."];
  });
  const warnings = warningsOf(results, cwd).map(
    ({ file, line, text }) => `# warning: ${inTap(`${file}:${line}: ${text}`)}`,
  );
  return `${["TAP version 14", `1..${results.length}`, ...lines, ...warnings].join("\n")}\n`;
}

function tapNotRun(why: string, problems: readonly CaseProblem[], cwd: string): string {
  const comments = problemLines(problems, cwd).map((line) => `# ${inTap(line)}`);
  return `${["TAP version 14", ...comments, `Bail out! ${inTap(why)}`].join("\n")}\n`;
}

/** A # would begin a directive, and a line end a new line. */
function inTap(text: string): string {
  return clean(text.replaceAll(/\s+/g, " ")).replaceAll("\\", "\\\\").replaceAll("#", "\\#");
}

/** Workflow commands: GitHub shows each failure and each warning at its line of the case file. */
function github(results: readonly CaseResult[], cwd: string): string {
  const root = checkoutOf(cwd);
  const warnings = warningsOf(results, root).map(({ file, line, text }) =>
    annotation("warning", file, line, text),
  );
  const failures = results
    .filter(({ status }) => status === "fail")
    .map((result) => {
      const { line, name } = result.test;
      return annotation("error", shownFile(result, root), line, whatFailed(result).join("\n"), name);
    });
  return [...warnings, ...failures].join("");
}

function githubNotRun(_: string, problems: readonly CaseProblem[], cwd: string): string {
  const root = checkoutOf(cwd);
  return problems
    .map(({ file, line, message }) => annotation("error", shownPath(file, root), line, message))
    .join("");
}

/** GitHub looks for a file from the checkout, whichever folder a step works in. */
function checkoutOf(cwd: string): string {
  return process.env.GITHUB_WORKSPACE || cwd;
}

/** Untrusted text must not end the command and begin another. */
function annotation(
  kind: "error" | "warning",
  file: string,
  line: number,
  text: string,
  title?: string,
): string {
  const data = (raw: string) =>
    clean(raw).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const property = (raw: string) => data(raw).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const named = title === undefined ? "" : `,title=${property(title)}`;
  return `::${kind} file=${property(file)},line=${line}${named}::${data(text)}\n`;
}
