import { plural } from "@belay/core/internal";
import { diffJson, diffLines } from "diff";
import { agentLines, titleOf } from "../../as/render.ts";
import type { Io } from "../../io.ts";
import {
  cleanOutput,
  hang,
  milliseconds,
  oneLine,
  outputLine,
  type Paint,
  paintFor,
  width,
  wrap,
} from "../../render/text.ts";
import type { CaseResult } from "../run/run-cases.ts";
import { whyNotThere } from "./coverage.ts";
import { count, factsOf, shownFile, sidesOf, whyNoRun } from "./facts.ts";

export interface TextOptions {
  readonly cwd: string;
  readonly verbose: boolean;
  readonly time: number;
  readonly updated: ReadonlySet<CaseResult>;
}

/** A result whose case was updated is no failure any more. */
type Shown = Omit<CaseResult, "status"> & { readonly status: keyof typeof SIGNS };

export function textReport(
  results: readonly CaseResult[],
  { cwd, verbose, time, updated }: TextOptions,
  io: Io,
): string {
  const paint = paintFor(io);
  const shown = results.map(
    (result): Shown => (updated.has(result) ? { ...result, status: "update" } : result),
  );
  const files = [...new Set(results.map(({ test }) => test.file))];
  const blocks = files.map((file) => {
    const own = shown.filter(({ test }) => test.file === file);
    return fileLines(own, cwd, verbose, io.columns, paint).join("\n");
  });
  const warnings = files.flatMap((file) => file.warnings).length;
  return `${[...blocks, "", ...linesAs(results, io), ...wrap(summary(shown, warnings, time, paint), io.columns)].join("\n")}\n`;
}

const SIGNS = { pass: "✓", fail: "✗", skip: "–", update: "~" };

function fileLines(
  results: readonly Shown[],
  cwd: string,
  verbose: boolean,
  columns: number,
  paint: Paint,
): string[] {
  const failed = count(results, "fail");
  const name = results[0] ? oneLine(shownFile(results[0], cwd)) : "";
  const updated = count(results, "update");
  const counts = [
    plural(results.length, "case"),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(updated > 0 ? [`${updated} updated`] : []),
  ].join(", ");
  const sign = failed > 0 ? paint.red(SIGNS.fail) : paint.green(SIGNS.pass);
  const shown = results.filter(
    ({ status, kept }) => verbose || status === "fail" || status === "update" || kept !== undefined,
  );
  return [
    ...hang(`${sign} `, `${paint.bold(name)}  ${paint.dim(counts)}`, columns),
    ...(results[0]?.test.file.warnings ?? []).flatMap(({ line, message, fix }) => [
      ...hang(`  ${paint.yellow("!")} `, `${paint.dim(`${name}:${line}`)}  ${oneLine(message)}`, columns),
      ...(fix === undefined ? [] : hang("    fix: ", oneLine(fix), columns)),
    ]),
    ...saidOnce(shown).flatMap((result) => caseLines(result, cwd, verbose, columns, paint)),
  ];
}

/** What keeps every case of a file from being run is read once. */
function saidOnce(results: readonly Shown[]): Shown[] {
  const said = new Set<string>();
  return results.map((result) => {
    const { error, outcome } = result;
    if (error === undefined || outcome) return result;
    if (said.has(error)) return { ...result, error: "for the same reason" };
    said.add(error);
    return result;
  });
}

function caseLines(result: Shown, cwd: string, verbose: boolean, columns: number, paint: Paint): string[] {
  const { test, status, error, mismatches, kept } = result;
  const color = { pass: paint.green, fail: paint.red, skip: paint.yellow, update: paint.yellow }[status];
  const place = status === "fail" ? paint.dim(`  ${oneLine(shownFile(result, cwd))}:${test.line}`) : "";
  const after = whatElse(result, verbose).map((text) => paint.dim(`  ${text}`));
  return [
    ...hang(`  ${color(SIGNS[status])} `, `${oneLine(test.name)}${place}${after.join("")}`, columns),
    ...(error === undefined || status === "update"
      ? []
      : hang("      ", paint.red(outputLine(error)), columns)),
    ...(result.failuresAs ?? []).flatMap(({ text }) => hang("      ", paint.red(text), columns)),
    ...mismatches.flatMap((mismatch) => {
      const diff = renderDiff(sidesOf(mismatch), columns - 8, paint);
      const legend = `${paint.cyan(mismatch.field)}  ${paint.red("- expected")}  ${paint.green("+ received")}`;
      return [...hang("      ", legend, columns), ...diff.map((line) => `        ${line}`)];
    }),
    ...(status === "fail" ? runLines(result, columns, paint) : []),
    ...(kept === undefined ? [] : hang("      ", paint.dim(`kept: ${oneLine(kept)}`), columns)),
  ];
}

/** A matcher with a slip in it passes every case that expects no objection. */
function isIdle({ outcome }: Shown): boolean {
  return outcome?.runs.length === 0;
}

function whatElse(result: Shown, verbose: boolean): string[] {
  const { status, skipped, mismatches, time } = result;
  if (skipped !== undefined) return [oneLine(skipped)];
  const updated = mismatches.length > 0 ? "updated" : "updated: it expected nothing";
  return [
    ...(status === "update" ? [updated] : []),
    ...(verbose && status === "pass" && isIdle(result) ? ["no hook fired"] : []),
    ...(verbose ? [milliseconds(time)] : []),
  ];
}

function runLines(result: Shown, columns: number, paint: Paint): string[] {
  const { outcome } = result;
  if (!outcome) return [];
  if (outcome.runs.length === 0)
    return whyNoRun(outcome, result).flatMap((line) => hang("      ", paint.dim(oneLine(line)), columns));
  return outcome.runs.flatMap((run) => {
    const facts = factsOf(run, outcome).map(outputLine).join(", ");
    const line = hang("      ", paint.dim(`${oneLine(run.hook)}: ${facts}`), columns);
    const hint = whyNotThere(result, run);
    return hint === undefined ? line : [...line, ...hang("      ", paint.yellow(oneLine(hint)), columns)];
  });
}

function summary(results: readonly Shown[], warnings: number, time: number, paint: Paint): string {
  const [passed, failed, skipped, updated] = (["pass", "fail", "skip", "update"] as const).map((status) =>
    count(results, status),
  );
  const idle = results.filter((result) => result.status === "pass" && isIdle(result)).length;
  return [
    failed ? paint.red(`${failed} failed`) : "",
    updated ? paint.yellow(`${updated} updated`) : "",
    passed ? paint.green(`${passed} passed`) : "",
    idle ? paint.yellow(`in ${idle} of them no hook fired`) : "",
    skipped ? paint.yellow(`${skipped} skipped`) : "",
    warnings ? paint.yellow(plural(warnings, "warning")) : "",
    paint.dim(milliseconds(time)),
  ]
    .filter((part) => part !== "")
    .join(", ");
}

/** One line for each agent: in how many cases it is as strict as the case expects. */
function linesAs(results: readonly CaseResult[], io: Io): string[] {
  const paint = paintFor(io);
  const agents = new Map<string, { readonly title: string; held: number; failed: number }>();
  for (const { emulated = [], failuresAs = [] } of results)
    for (const one of emulated) {
      const title = titleOf(one);
      const counted = agents.get(one.agent) ?? { title, held: 0, failed: 0 };
      if (failuresAs.some(({ agent }) => agent === one.agent)) counted.failed += 1;
      else counted.held += 1;
      agents.set(one.agent, counted);
    }
  const rows = [...agents.values()].map(({ title, held, failed }) => {
    const sign = failed > 0 ? paint.red("✗") : paint.green("✓");
    const more = failed > 0 ? paint.red(`, ${failed} failed`) : "";
    return { sign, title, text: `${held} of ${held + failed} as strict as expected${more}` };
  });
  return rows.length > 0 ? [...agentLines(rows, io), ""] : [];
}

const MAX_LINES = 12;

/** What was expected and what came, short: on two lines, or line by line where either has several. */
export function renderDiff(
  { expected, got, areObjects }: { expected: string; got: string; areObjects: boolean },
  columns: number,
  paint: Paint,
): string[] {
  const [before, after] = [cleanOutput(expected), cleanOutput(got)];
  if (!before.includes("\n") && !after.includes("\n")) {
    const [minus, plus] = markChange(before, after, paint);
    return [...hang(`${paint.red("-")} `, minus, columns), ...hang(`${paint.green("+")} `, plus, columns)];
  }
  // The comma behind a field says nothing of it.
  const parts = areObjects ? diffJson(`${before}\n`, `${after}\n`) : diffLines(`${before}\n`, `${after}\n`);
  const lines = parts.flatMap(({ value, added, removed }) => {
    const color = added ? paint.green : removed ? paint.red : paint.dim;
    const sign = added ? "+" : removed ? "-" : " ";
    const texts = value.replace(/\n$/, "").split("\n");
    const shown = !added && !removed && texts.length > 3 ? [texts[0] ?? "", "…", texts.at(-1) ?? ""] : texts;
    return shown.flatMap((text) => hang(`${color(sign)} `, color(text), columns));
  });
  const more = lines.length - MAX_LINES;
  return more <= 1 ? lines : [...lines.slice(0, MAX_LINES), paint.dim(`… ${more} more lines`)];
}

function markChange(before: string, after: string, paint: Paint): [string, string] {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  // A mark on a few letters in common would only confuse.
  const isAlike = start + end > width(before) / 3;
  const mark = (text: string, color: Paint["red"]) =>
    isAlike
      ? text.slice(0, start) + color(text.slice(start, text.length - end)) + text.slice(text.length - end)
      : color(text);
  return [mark(before, paint.red), mark(after, paint.green)];
}
