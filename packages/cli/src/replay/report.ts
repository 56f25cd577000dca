import { type Change, summaryLine, wordFor } from "@belay/core/compare";
import { plural, resultText, withoutPlace } from "@belay/core/internal";
import { nextCommand } from "../args/flags.ts";
import type { Io } from "../io.ts";
import { briefly, inputBriefly } from "../render/brief.ts";
import { recordLines, type TailRow } from "../render/tail.ts";
import { milliseconds, oneLine, outputLine, paintFor, shorten, wrap } from "../render/text.ts";
import {
  type Compared,
  type Comparison,
  isOnlySlower,
  NOT_COMPARABLE,
  type NotComparable,
  type Otherwise,
  type Side,
} from "./comparison.ts";
import type { Rerun } from "./rerun.ts";

/**
 * What a step in CI exits with: 2 when anything loosened, 1 when nothing was compared, hooks could not be asked or no
 * longer answer, or the scripts of another project were asked. What a policy was not asked about, it has not passed.
 */
export function exitCodeOf(summary: ReplaySummary): number {
  const { events, loosened, changes, notComparable, elsewhere = 0 } = summary;
  if (loosened > 0) return 2;
  const unreadable = notComparable["config-unreadable"] ?? 0;
  const unasked = (notComparable.untrusted ?? 0) + unreadable + (changes.fault ?? 0);
  return events === 0 || unasked + elsewhere > 0 ? 1 : 0;
}

export function tally() {
  let events = 0;
  let left = 0;
  let changed = 0;
  let loosened = 0;
  const changes: Partial<Record<Change | Otherwise, number>> = {};
  const notComparable: Partial<Record<NotComparable, number>> = {};
  return {
    /** Returns whether it is a change. Undefined is an event that came to the same. */
    add: (compared: Compared | undefined): boolean => {
      if (typeof compared === "string") {
        left += 1;
        notComparable[compared] = (notComparable[compared] ?? 0) + 1;
        return false;
      }
      events += 1;
      if (!compared || compared.changes.length === 0) return false;
      if (!isOnlySlower(compared)) changed += 1;
      if (compared.loosened) loosened += 1;
      for (const kind of compared.changes) changes[kind] = (changes[kind] ?? 0) + 1;
      return true;
    },
    seen: () => events + left,
    summary: (): ReplaySummary => ({ events, changed, loosened, changes, notComparable }),
  };
}

interface Values {
  readonly config?: readonly string[];
  readonly plugin?: readonly string[];
  readonly dialect?: string;
  readonly in?: string;
  readonly cwd?: string;
}

/**
 * Why a rerun says nothing of the policy although events were compared: hooks ran when recorded and now none does, or none
 * of them ever answered. `isGreen`: nothing loosened, and nothing else is wrong.
 */
export function whyNothingProved(rerun: Rerun, values: Values, isGreen: boolean): string | undefined {
  const { config, plugin, dialect } = values;
  const where = { config, plugin, dialect, cwd: values.in ?? values.cwd };
  const { runs, recorded, answered, failed } = rerun.ran;
  if (runs === 0 && recorded > 0) return whyNoneRan(rerun, where, isGreen);
  if (!isGreen || answered > 0 || failed === undefined) return undefined;
  const { hook, why, event } = failed;
  return `no hook gave an answer, now or when recorded: ${oneLine(`${hook}: ${why}`)}; next: ${nextCommand("run", where, event)}`;
}

/**
 * A policy was not looked at, and what loosened may not be its doing. Not said where something else was: what could not
 * be asked has its own next command.
 */
function whyNoneRan(
  { ran, dialects, skipped, otherProjects }: Rerun,
  where: Readonly<Record<string, unknown>>,
  isGreen: boolean,
): string | undefined {
  const missed = dialects.missed();
  const isSaid = skipped.sentences().length > 0 || otherProjects.count() > 0;
  if (!isGreen && isSaid && missed === undefined) return undefined;
  const { isConfigured, recorded, last } = ran;
  const none = isConfigured ? "none that is configured fits them" : "none is configured";
  const next = isConfigured ? nextCommand("why", where, last) : nextCommand("check", where);
  const why =
    missed === undefined
      ? `${none}; next: ${next}`
      : `${none}, and they were of ${missed}; next: the same with --dialect ${missed}`;
  return `no hook ran, and ${plural(recorded, "event")} had run hooks when recorded: ${why}`;
}

export interface ReplaySummary {
  readonly events: number;
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

const MAX_SIDE = 60;
const MAX_TEXT = 200;
const MAX_CALL = 40;

const MAX_ROWS = 50;

/** With less room, a row describes the change in fewer words. */
const ROOMY = 110;

/**
 * Keeps the rows to show, in the order of the events; what is only slower comes last. A row that loosened is never left
 * out for another.
 */
export function rowsToShow(io: Io) {
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
    add: (compared: Comparison): void => {
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
  return `no answer${ofAnother(hook, named)}: ${outputLine(summaryLine(why))}`;
}

function ofAnother(hook: string | undefined, named: string): string {
  return hook === undefined || hook === named ? "" : ` of ${briefly(withoutPlace(hook))}`;
}

function sides(what: string, before: string | undefined, after: string | undefined): string {
  const [was = "", is = ""] = [before, after].map((text) => briefly(text ?? "", MAX_SIDE));
  if (after === undefined) return `${what} gone, it was: ${was}`;
  return before === undefined ? `new ${what}: ${is}` : `${what}: ${was} → ${is}`;
}

function rewriteOf({ updatedInput, updatedPrompt, updatedToolOutput }: Side): string | undefined {
  if (updatedToolOutput !== undefined) return resultText(updatedToolOutput);
  return updatedInput ? inputBriefly(updatedInput) : updatedPrompt;
}

export function renderReplay(
  shown: ReturnType<typeof rowsToShow>,
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
