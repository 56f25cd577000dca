import { plural } from "@belay/core";
import type { Io } from "../../io.ts";
import { renderDiff } from "../../render/diff.ts";
import { hang, milliseconds, oneLine, outputLine, type Paint, paintFor, wrap } from "../../render/text.ts";
import type { CaseResult } from "../run-cases.ts";
import { count, shownFile, sidesOf, warningsOf } from "./facts.ts";

export interface TextOptions {
  readonly cwd: string;
  readonly verbose: boolean;
  /** Milliseconds of it all. */
  readonly time: number;
}

/** A line per file, each failure in full, and what came of it all. */
export function textReport(
  results: readonly CaseResult[],
  { cwd, verbose, time }: TextOptions,
  io: Io,
): string {
  const paint = paintFor(io);
  const files = [...new Set(results.map(({ test }) => test.file))];
  const blocks = files.map((file) => {
    const own = results.filter(({ test }) => test.file === file);
    return fileLines(own, cwd, verbose, io.columns, paint).join("\n");
  });
  return `${[...blocks, "", ...wrap(summary(results, time, paint), io.columns)].join("\n")}\n`;
}

const SIGNS = { pass: "✓", fail: "✗", skip: "–" };

function fileLines(
  results: readonly CaseResult[],
  cwd: string,
  verbose: boolean,
  columns: number,
  paint: Paint,
): string[] {
  const failed = count(results, "fail");
  const name = results[0] ? oneLine(shownFile(results[0], cwd)) : "";
  const counts = `${plural(results.length, "case")}${failed > 0 ? `, ${failed} failed` : ""}`;
  const sign = failed > 0 ? paint.red(SIGNS.fail) : paint.green(SIGNS.pass);
  const shown = results.filter(({ status, kept }) => verbose || status === "fail" || kept !== undefined);
  return [
    ...hang(`${sign} `, `${paint.bold(name)}  ${paint.dim(counts)}`, columns),
    ...(results[0]?.test.file.warnings ?? []).flatMap(({ line, message, fix }) => [
      ...hang(`  ${paint.yellow("!")} `, `${paint.dim(`${name}:${line}`)}  ${oneLine(message)}`, columns),
      ...hang("    fix: ", oneLine(fix), columns),
    ]),
    ...shown.flatMap((result) => caseLines(result, cwd, verbose, columns, paint)),
  ];
}

function caseLines(
  result: CaseResult,
  cwd: string,
  verbose: boolean,
  columns: number,
  paint: Paint,
): string[] {
  const { test, status, skipped, error, mismatches, kept, time } = result;
  const color = { pass: paint.green, fail: paint.red, skip: paint.yellow }[status];
  const place = status === "fail" ? paint.dim(`  ${oneLine(shownFile(result, cwd))}:${test.line}`) : "";
  const after = skipped === undefined ? (verbose ? `  ${milliseconds(time)}` : "") : `  ${oneLine(skipped)}`;
  return [
    ...hang(`  ${color(SIGNS[status])} `, `${oneLine(test.name)}${place}${paint.dim(after)}`, columns),
    ...(error === undefined ? [] : hang("      ", paint.red(outputLine(error)), columns)),
    ...mismatches.flatMap((mismatch) => {
      const { expected, got } = sidesOf(mismatch);
      const diff = renderDiff(expected, got, columns - 8, paint);
      return [`      ${paint.cyan(mismatch.field)}`, ...diff.map((line) => `        ${line}`)];
    }),
    ...(status === "fail" ? runLines(result, columns, paint) : []),
    ...(kept === undefined ? [] : hang("      ", paint.dim(`kept: ${oneLine(kept)}`), columns)),
  ];
}

/** A shell's word for a program that is not there. */
const NOT_FOUND = 127;
const NOT_THERE =
  'a case runs in a folder of its own: name the script by "$BELAY_PROJECT_DIR"/… in the settings, or add `folder: .` to the case';

/** Which hooks ran, and how each ended: that is what one asks next. */
function runLines({ test, outcome }: CaseResult, columns: number, paint: Paint): string[] {
  if (!outcome) return [];
  if (outcome.runs.length === 0)
    return hang("      ", paint.dim("no hook ran: none matched this event"), columns);
  return outcome.runs.flatMap(({ hook, verdict, exitCode, signal, fault, stderr }) => {
    const end = signal ?? (exitCode === undefined ? "" : `exit ${exitCode}`);
    const said = fault ?? (stderr.trim() === "" ? "" : `stderr: ${stderr.trim().split("\n")[0]}`);
    const parts = [verdict, end, said].filter((part) => part !== "").map(outputLine);
    const line = hang("      ", paint.dim(`${oneLine(hook)}: ${parts.join(", ")}`), columns);
    const isInSettings = test.file.data.hook === undefined;
    return exitCode === NOT_FOUND && isInSettings
      ? [...line, ...hang("      ", paint.yellow(NOT_THERE), columns)]
      : line;
  });
}

function summary(results: readonly CaseResult[], time: number, paint: Paint): string {
  const [passed, failed, skipped] = (["pass", "fail", "skip"] as const).map((status) =>
    count(results, status),
  );
  const warnings = warningsOf(results, "").length;
  return [
    failed ? paint.red(`${failed} failed`) : "",
    passed ? paint.green(`${passed} passed`) : "",
    skipped ? paint.yellow(`${skipped} skipped`) : "",
    warnings ? paint.yellow(plural(warnings, "warning")) : "",
    paint.dim(milliseconds(time)),
  ]
    .filter((part) => part !== "")
    .join(", ");
}
