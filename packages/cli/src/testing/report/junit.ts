import { clean } from "@belay/core/clean";
import type { CaseResult } from "../run/run-cases.ts";
import { count, shownFile, warningsOf, whatFailed } from "./facts.ts";

/** JUnit XML: a suite per file, as CI servers read it. */
export function junitReport(results: readonly CaseResult[], cwd: string): string {
  const files = [...new Set(results.map((result) => shownFile(result, cwd)))];
  const suites = files.map((file) => {
    const own = results.filter((result) => shownFile(result, cwd) === file);
    const attributes = `name="${escaped(file)}" ${totals(own)}`;
    return [
      `  <testsuite ${attributes}>`,
      ...own.map((result) => testcase(result, file)),
      ...warned(own, cwd),
      "  </testsuite>",
    ].join("\n");
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="belay test" ${totals(results)}>`,
    ...suites,
    "</testsuites>\n",
  ].join("\n");
}

/** One case in error, which is the run itself. */
export function junitNotRun(why: string, details: readonly string[]): string {
  const error = `<error message="${escaped(why)}">${escaped(details.join("\n"))}</error>`;
  const attributes = 'name="belay test" tests="1" failures="0" skipped="0" errors="1" time="0.000"';
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes}>`,
    `  <testsuite ${attributes}>`,
    `    <testcase name="case files" classname="belay test" time="0.000">${error}</testcase>`,
    "  </testsuite>",
    "</testsuites>\n",
  ].join("\n");
}

function warned(results: readonly CaseResult[], cwd: string): string[] {
  const texts = warningsOf(results, cwd).map(({ file, line, text }) => `warning: ${file}:${line}: ${text}`);
  return texts.length === 0 ? [] : [`    <system-err>${escaped(texts.join("\n"))}</system-err>`];
}

function totals(results: readonly CaseResult[]): string {
  const time = seconds(results.reduce((sum, result) => sum + result.time, 0));
  return `tests="${results.length}" failures="${count(results, "fail")}" skipped="${count(results, "skip")}" errors="0" time="${time}"`;
}

function testcase(result: CaseResult, file: string): string {
  const { test, status, skipped, time } = result;
  const start = `    <testcase name="${escaped(test.name)}" classname="${escaped(file)}" file="${escaped(file)}" line="${test.line}" time="${seconds(time)}"`;
  if (status === "pass") return `${start}/>`;
  if (status === "skip") return `${start}><skipped message="${escaped(skipped ?? "")}"/></testcase>`;
  const why = whatFailed(result);
  return `${start}><failure message="${escaped(why[0] ?? "")}">${escaped(why.join("\n"))}</failure></testcase>`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

const NAMES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

/** What XML 1.0 has no way at all to write becomes visible, as all that a screen must not be shown. */
function escaped(text: string): string {
  return clean(text)
    .replaceAll(
      /[\ufffe\uffff]|\p{Surrogate}/gu,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    )
    .replaceAll(/[&<>"\n]/g, (char) => NAMES[char] ?? char);
}
