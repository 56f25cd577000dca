import { explain, type Outcome, type RunReport } from "@belay/core";
import { saidBy, summaryLine } from "@belay/core/compare";
import { isObject, plural } from "@belay/core/internal";
import { shownPath } from "@belay/engine/internal";
import { endOf } from "../../render/stages.ts";
import type { Mismatch } from "../run/compare.ts";
import type { CaseResult } from "../run/run-cases.ts";

export function shownFile({ test }: Pick<CaseResult, "test">, cwd: string): string {
  return shownPath(test.file.file, cwd);
}

export interface Sides {
  readonly expected: string;
  readonly got: string;
  /** Both are an object in JSON, a field on each line. */
  readonly areObjects: boolean;
}

export function sidesOf({ expected, got }: Mismatch): Sides {
  return {
    expected: inText(expected),
    got: inText(got),
    areObjects: isObject(expected) && isObject(got),
  };
}

function inText(value: unknown): string {
  if (value === undefined || value === null) return "(none)";
  if (Array.isArray(value)) return value.length === 0 ? "(none)" : value.map(inText).join("\n");
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

const MAX_EXPLAINED = 10;

export function whyNoRun(
  { event }: Outcome,
  { hooks = [], payload = {} }: Pick<CaseResult, "hooks" | "payload">,
): string[] {
  const all = hooks.map(({ hook }) => hook).filter((hook) => hook.event === event);
  const told = explain(all.slice(0, MAX_EXPLAINED), event, payload);
  const more = all.length - told.length;
  return [
    "no hook ran: none matched this event",
    ...told.map(({ hook, explanation }) => `${hook.name}: ${explanation}`),
    ...(more > 0 ? [`and ${plural(more, "hook")} more`] : []),
  ];
}

/** What a hook said, how it ended and its words about that: what one asks next when a case fails. */
export function factsOf(run: RunReport, { event }: Outcome): string[] {
  const line = summaryLine(run.stderr.trim());
  const words = run.fault ?? (line === "" ? "" : `stderr: ${line}`);
  return [saidBy(run, event), endOf(run), words].filter((part) => part !== "");
}

export function whatFailed(result: CaseResult): string[] {
  const { mismatches, error, outcome, failuresAs = [] } = result;
  return [
    ...(error === undefined ? [] : [error]),
    ...failuresAs.map(({ text }) => text),
    ...mismatches.map((mismatch) => {
      const { expected, got } = sidesOf(mismatch);
      return `${mismatch.field}: expected ${onOneLine(expected)}, received ${onOneLine(got)}`;
    }),
    ...(outcome ? ran(outcome, result) : []),
  ];
}

function ran(outcome: Outcome, result: CaseResult): string[] {
  if (outcome.runs.length === 0) return whyNoRun(outcome, result).map(onOneLine);
  return outcome.runs.map((run) => onOneLine(`${run.hook}: ${factsOf(run, outcome).join(", ")}`));
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ⏎ ");
}

export function warningsOf(results: readonly CaseResult[], cwd: string) {
  const files = [...new Set(results.map(({ test }) => test.file))];
  return files.flatMap(({ file, warnings }) =>
    warnings.map(({ line, message, fix }) => ({
      file: shownPath(file, cwd),
      line,
      text: fix === undefined ? message : `${message}; ${fix}`,
    })),
  );
}

export function count<S>(results: readonly { readonly status: S }[], status: S): number {
  return results.filter((result) => result.status === status).length;
}
