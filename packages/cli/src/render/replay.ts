import { type Change, tellingLine, wordFor } from "@belay/core/compare";
import { plural } from "@belay/core/internal";
import type { Io } from "../io.ts";
import {
  type Comparison,
  isOnlySlower,
  NOT_COMPARABLE,
  type NotComparable,
  type Otherwise,
  type Side,
} from "../replay/comparison.ts";
import { briefly, inputBriefly } from "./call.ts";
import { withoutPlace } from "./hook-name.ts";
import { recordLines, type TailRow } from "./tail.ts";
import { milliseconds, outputLine, paintFor, shorten, wrap } from "./text.ts";

/** What is printed of a replay when all is done. */
export interface ReplaySummary {
  readonly events: number;
  /** Those that are only slower are not among them. */
  readonly changed: number;
  readonly loosened: number;
  readonly changes: Readonly<Partial<Record<Change | Otherwise, number>>>;
  readonly notComparable: Readonly<Partial<Record<NotComparable, number>>>;
  /** Fired in another project than the one that is meant. */
  readonly elsewhere?: number;
}

const LABELS: Record<Change | Otherwise, string> = {
  allowed: "newly allowed",
  asked: "newly asked",
  denied: "newly denied",
  refusal: "refused otherwise",
  undecided: "no longer allowed",
  rewrite: "rewrite changed",
  context: "context changed",
  reason: "reason changed",
  fault: "fault",
  slower: "slower",
  otherwise: "told otherwise",
};

/** Of a rewrite or a context, what is shown of each side. */
const MAX_SIDE = 60;
const MAX_TEXT = 200;
/** Of an input, so that there is room for what became of it. */
const MAX_CALL = 40;

/** Changes that are shown; all are in --json. */
const MAX_ROWS = 50;

/** With less room, a row describes the change in fewer words. */
const ROOMY = 110;

/** The rows that are shown of many. */
export interface ShownRows {
  add(compared: Comparison): void;
  rows(): TailRow[];
  /** How many more there are. */
  more(): number;
}

/**
 * Keeps the rows to show, in the order of the events; what is only slower comes last. A row that loosened is never left
 * out for another.
 */
export function rowsToShow(io: Io): ShownRows {
  const loosened: { at: number; row: TailRow }[] = [];
  const others: typeof loosened = [];
  const slower: typeof loosened = [];
  const isRoomy = io.room >= ROOMY;
  let at = 0;
  const shown = () => {
    const changed = [...loosened, ...others].slice(0, MAX_ROWS).sort((a, b) => a.at - b.at);
    return [...changed, ...slower].slice(0, MAX_ROWS);
  };
  return {
    add: (compared) => {
      const kept = compared.loosened ? loosened : isOnlySlower(compared) ? slower : others;
      if (kept.length < MAX_ROWS) kept.push({ at, row: comparisonRow(compared, isRoomy) });
      at += 1;
    },
    rows: () => shown().map(({ row }) => row),
    more: () => at - shown().length,
  };
}

function comparisonRow(compared: Comparison, isRoomy: boolean): TailRow {
  const { loosened, call = "" } = compared;
  const hook = hookOf(compared);
  const more = [...sidesOf(compared, hook), ...reasonOf(compared, hook)];
  return {
    time: new Date(compared.time),
    event: briefly(compared.event),
    about: briefly(compared.about ?? ""),
    call: briefly(call, MAX_CALL),
    decision: loosened ? "deny" : "ask",
    said: isRoomy ? becameOf(compared) : becameInBrief(compared),
    hook: briefly(withoutPlace(hook)),
    reason: shorten(more.join("; "), MAX_TEXT),
  };
}

/** The hook that decided, if the decision changed; else the hook that the change is about. */
function hookOf(compared: Comparison): string {
  const { before, after, changes, noAnswer, adds, slows } = compared;
  const decided = after.decision.hook ?? before.decision.hook;
  const subject = noAnswer?.hook ?? adds ?? (isOnlySlower(compared) ? slows : undefined);
  const isAside = changes.every((change) => ASIDE.includes(change));
  return (isAside ? (subject ?? decided) : (decided ?? subject)) ?? "";
}

/** Changes that leave the decision as it was. */
const ASIDE: readonly (Change | Otherwise)[] = ["rewrite", "context", "fault", "slower"];

/** The reason of a decision, unless another hook is named, or it has been said. */
function reasonOf({ before, after, noAnswer }: Comparison, hook: string): string[] {
  const { reason = before.decision.reason ?? "" } = after.decision;
  const isAnothers = hook !== (after.decision.hook ?? before.decision.hook ?? hook);
  const isSaid = noAnswer?.why.includes(reason) ?? false;
  return reason === "" || isAnothers || isSaid ? [] : [outputLine(reason)];
}

function becameOf({ before, after, changes, loosened }: Comparison): string {
  const labels = changes.map((change) => LABELS[change]).join(", ");
  const kinds = kindsOf(before, after);
  return `${labels}${kinds === "" ? "" : `: ${kinds}`}${loosened ? " (loosened)" : ""}`;
}

/** A loosened decision as "from → to"; any other change by its label. */
function becameInBrief({ before, after, changes, loosened }: Comparison): string {
  const labels = changes.map((change) => LABELS[change]).join(", ");
  return loosened ? `loosened: ${kindsOf(before, after) || labels}` : labels;
}

function kindsOf({ decision: before }: Side, { decision: after }: Side): string {
  return before.kind === after.kind ? "" : `${wordFor(before.kind)} → ${wordFor(after.kind)}`;
}

/** What became of all but the decision. */
function sidesOf({ before, after, changes, differs, noAnswer, slows }: Comparison, hook: string): string[] {
  const texts: Partial<Record<Change | Otherwise, () => string>> = {
    rewrite: () => sides("rewrite", rewriteOf(before), rewriteOf(after)),
    context: () => sides("context", before.context?.join(" "), after.context?.join(" ")),
    fault: () => (noAnswer ? noAnswerText(noAnswer, hook) : ""),
    slower: () =>
      `${milliseconds(before.slowest ?? 0)} → ${milliseconds(after.slowest ?? 0)}${ofAnother(slows, hook)}`,
    otherwise: () => differs.join(", "),
  };
  return changes.flatMap((change) => texts[change]?.() ?? []);
}

function noAnswerText({ hook, why }: NonNullable<Comparison["noAnswer"]>, named: string): string {
  return `no answer${ofAnother(hook, named)}: ${outputLine(tellingLine(why))}`;
}

function ofAnother(hook: string | undefined, named: string): string {
  return hook === undefined || hook === named ? "" : ` of ${briefly(withoutPlace(hook))}`;
}

function sides(what: string, before: string | undefined, after: string | undefined): string {
  const [was = "", is = ""] = [before, after].map((text) => briefly(text ?? "", MAX_SIDE));
  if (after === undefined) return `${what} gone, it was: ${was}`;
  return before === undefined ? `new ${what}: ${is}` : `${what}: ${was} → ${is}`;
}

function rewriteOf({ updatedInput, updatedPrompt }: Side): string | undefined {
  return updatedInput ? inputBriefly(updatedInput) : updatedPrompt;
}

export function renderReplay(
  shown: ShownRows,
  summary: ReplaySummary,
  how: { readonly done: string; readonly same: string },
  io: Io,
): string {
  const { events, changed, loosened, changes, notComparable } = summary;
  const paint = paintFor(io);
  const { slower = 0, ...kinds } = changes;
  const counts = Object.entries(kinds).map(([name, count]) => `${count} ${LABELS[name as Change]}`);
  const left = Object.entries(notComparable) as [NotComparable, number][];
  const total = left.reduce((sum, [, count]) => sum + count, 0);
  const reasons = left.map(([why, n]) => `${n} ${NOT_COMPARABLE[why]}`).join("; ");
  const became = changed === 0 ? how.same : `${changed} changed (${counts.join(", ")})`;
  const done = `${plural(events, "event")} ${how.done}: ${became}${slower > 0 ? `; ${slower} slower` : ""}`;
  const lines = [
    ...(events > 0 ? [done] : []),
    ...(loosened > 0 ? [`${loosened} loosened: something gets through that did not`] : []),
    ...(changes.fault ? [`${changes.fault} with a hook that does not answer: this run is no proof`] : []),
    ...(total > 0
      ? [
          `${events > 0 ? `${total} more cannot` : `of ${plural(total, "event")} none can`} be compared: ${reasons}`,
        ]
      : []),
  ].flatMap((line) => wrap(line, io.columns));
  const rows = shown.rows();
  const more = shown.more();
  return [
    rows.length > 0 ? `${recordLines(io, "under")(rows, new Date())}\n` : "",
    more > 0 ? `${wrap(`and ${more} more; --json lists them all`, io.columns).join("\n")}\n\n` : "",
    ...lines.map((line) => `${line.includes(" loosened: ") ? paint.red(line) : line}\n`),
  ].join("");
}
