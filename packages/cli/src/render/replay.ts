import { plural } from "@belay/core";
import type { Change } from "@belay/core/compare";
import { decisionWord } from "../decision-words.ts";
import type { Io } from "../io.ts";
import { type Comparison, NOT_COMPARABLE, type NotComparable, type Otherwise } from "../replay/comparison.ts";
import { recordLines, type TailRow } from "./tail.ts";
import { milliseconds, oneLine, outputLine, paintFor, shorten, wrap } from "./text.ts";

/** What is printed of a replay when all is done. */
export interface ReplaySummary {
  readonly events: number;
  readonly changed: number;
  readonly loosened: number;
  readonly changes: Readonly<Partial<Record<Change | Otherwise, number>>>;
  readonly notComparable: Readonly<Partial<Record<NotComparable, number>>>;
}

const LABELS: Record<Change | Otherwise, string> = {
  allowed: "newly allowed",
  asked: "newly asked",
  denied: "newly denied",
  refusal: "refused otherwise",
  undecided: "no longer allowed",
  rewrite: "rewrite changed",
  reason: "reason changed",
  fault: "fault",
  slower: "slower",
  otherwise: "told otherwise",
};

const MAX_TEXT = 200;

/** Changes that are shown; all are in --json. */
const MAX_ROWS = 50;

/** Keeps the rows to show, in the order of the events. None that loosened is left out for another: nobody may have to look for it. */
export function rowsToShow(): { add(compared: Comparison): void; rows(): TailRow[] } {
  const loosened: { at: number; row: TailRow }[] = [];
  const others: typeof loosened = [];
  let at = 0;
  return {
    add: (compared) => {
      const kept = compared.loosened ? loosened : others;
      if (kept.length < MAX_ROWS) kept.push({ at, row: comparisonRow(compared) });
      at += 1;
    },
    rows: () =>
      [...loosened, ...others]
        .slice(0, MAX_ROWS)
        .sort((a, b) => a.at - b.at)
        .map(({ row }) => row),
  };
}

function comparisonRow(compared: Comparison): TailRow {
  const { before, after, changes, loosened, differs } = compared;
  const { hook = before.decision.hook ?? "", reason = before.decision.reason ?? "" } = after.decision;
  const kinds = [before, after].map(({ decision }) => decisionWord(decision.kind));
  const labels = changes.map((change) => LABELS[change]).join(", ");
  const more = [
    ...(changes.includes("slower")
      ? [
          `${before.slowest === 0 ? "no hook" : milliseconds(before.slowest)} → ${milliseconds(after.slowest)}`,
        ]
      : []),
    ...(changes.includes("otherwise") ? [differs.join(", ")] : []),
  ];
  return {
    time: new Date(compared.time),
    event: brief(compared.event),
    about: brief(compared.about ?? ""),
    decision: loosened ? "deny" : "ask",
    said: kinds[0] === kinds[1] ? labels : `${labels}: ${kinds.join(" → ")}`,
    hook: brief(hook),
    reason: shorten(outputLine([...more, ...(reason === "" ? [] : [reason])].join("; ")), MAX_TEXT),
  };
}

function brief(text: string): string {
  return shorten(oneLine(text), MAX_TEXT);
}

export function renderReplay(
  rows: readonly TailRow[],
  summary: ReplaySummary,
  how: { readonly done: string; readonly same: string },
  io: Io,
): string {
  const { events, changed, loosened, changes, notComparable } = summary;
  const paint = paintFor(io);
  const counts = Object.entries(changes).map(([name, count]) => `${count} ${LABELS[name as Change]}`);
  const left = Object.entries(notComparable) as [NotComparable, number][];
  const total = left.reduce((sum, [, count]) => sum + count, 0);
  const reasons = left.map(([why, n]) => `${n} ${NOT_COMPARABLE[why]}`).join("; ");
  const done = `${plural(events, "event")} ${how.done}: ${changed === 0 ? how.same : `${changed} changed (${counts.join(", ")})`}`;
  const lines = [
    ...(events > 0 ? [done] : []),
    ...(loosened > 0 ? [`${loosened} loosened: something gets through that did not`] : []),
    ...(total > 0
      ? [
          `${events > 0 ? `${total} more cannot` : `of ${plural(total, "event")} none can`} be compared: ${reasons}`,
        ]
      : []),
  ].flatMap((line) => wrap(line, io.columns));
  const more = changed - rows.length;
  return [
    rows.length > 0 ? `${recordLines(io)(rows, new Date())}\n` : "",
    more > 0 ? `and ${more} more; --json lists them all\n\n` : "",
    ...lines.map((line) => `${line.includes(" loosened: ") ? paint.red(line) : line}\n`),
  ].join("");
}
