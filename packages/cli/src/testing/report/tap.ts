import { clean } from "@belay/core/clean";
import type { CaseResult } from "../run/run-cases.ts";
import { shownFile, warningsOf, whatFailed } from "./facts.ts";

/** TAP 14: a line per case, what failed as a YAML block, and warnings as comments. */
export function tapReport(results: readonly CaseResult[], cwd: string): string {
  const lines = results.flatMap((result, index) => {
    const { test, status, skipped } = result;
    const title = escaped(`${shownFile(result, cwd)}: ${test.name}`);
    const skip = skipped === undefined ? "" : ` # SKIP ${escaped(skipped)}`;
    const line = `${status === "fail" ? "not ok" : "ok"} ${index + 1} - ${title}${skip}`;
    if (status !== "fail") return [line];
    const why = whatFailed(result).map((text) => `    - ${JSON.stringify(clean(text))}`);
    const at = `  at: ${JSON.stringify(clean(`${shownFile(result, cwd)}:${test.line}`))}`;
    return [line, "  ---", at, "  failed:", ...why, "  ..."];
  });
  const warnings = warningsOf(results, cwd).map(
    ({ file, line, text }) => `# warning: ${escaped(`${file}:${line}: ${text}`)}`,
  );
  return `${["TAP version 14", `1..${results.length}`, ...lines, ...warnings].join("\n")}\n`;
}

export function tapNotRun(why: string, details: readonly string[]): string {
  const comments = details.map((detail) => `# ${escaped(detail)}`);
  return `${["TAP version 14", ...comments, `Bail out! ${escaped(why)}`].join("\n")}\n`;
}

/** A # would begin a directive, and a line end a new line. */
function escaped(text: string): string {
  return clean(text.replaceAll(/\s+/g, " ")).replaceAll("\\", "\\\\").replaceAll("#", "\\#");
}
