import { DIALECT_NAMES, DIALECTS, type Dialect, type DialectName } from "./dialects.ts";
import { type Action, type Address, EVENT_NAMES, EVENTS, type EventName, type EventRow } from "./events.ts";
import type { AnswerField } from "./fields.ts";

/** An event's row read through a dialect's row: no "dialect" is left open. Every stage reads this and nothing else. */
export interface Rule {
  readonly event: EventName;
  readonly dialectName: DialectName;
  readonly dialect: Dialect;
  /** What a refusal is called here; absent where nothing can be refused. */
  readonly refusal?: "deny" | "block";
  /** Where stderr of exit 2 goes. */
  readonly stderr: Address;
  readonly reason: Address;
  readonly blockedAction: Action;
  readonly plainStdout: "context" | "transcript" | "nobody";
  readonly answers: readonly AnswerField[];
  readonly decisions: readonly ("block" | "approve")[] | "behavior";
  readonly context: "agent" | "block" | "refused";
  /** A `decision` is no answer here, but a block is close enough to be taken as a deny. */
  readonly blockIsDeny: boolean;
}

function resolve(event: EventName, dialectName: DialectName): Rule {
  const row: EventRow = EVENTS[event];
  const dialect: Dialect = DIALECTS[dialectName];
  const refusal = refusalOf(row, dialect);
  const openBlock = row.decisions === "dialect" && refusal === "block";
  return {
    event,
    dialectName,
    dialect,
    ...(refusal && { refusal }),
    stderr: refusal ? row.stderr : noticeAddress(dialect),
    reason: row.reason,
    blockedAction: row.blockedAction,
    plainStdout: plainStdout(row, dialect),
    answers: openBlock ? [...row.answers, "decision", "reason"] : row.answers,
    decisions: row.decisions === "dialect" ? (openBlock ? ["block"] : []) : row.decisions,
    context: row.context === "dialect" ? dialect.contextOnStop : row.context,
    blockIsDeny: refusal === "deny",
  };
}

/** A row leaves it to the dialect only where a compaction is at stake. */
function refusalOf({ exit2 }: EventRow, dialect: Dialect): "deny" | "block" | undefined {
  if (exit2 === "dialect") return dialect.compactionCanBeBlocked ? "block" : undefined;
  return exit2 === "notice" ? undefined : exit2;
}

function noticeAddress(dialect: Dialect): Address {
  return dialect.noticeTo === "agent" ? { to: "agent", block: "text" } : { to: "user", block: "error" };
}

function plainStdout(row: EventRow, dialect: Dialect): Rule["plainStdout"] {
  const context =
    row.plainStdout === "context" || (row.plainStdout === "dialect" && dialect.startStdoutIsContext);
  if (context) return "context";
  return dialect.otherStdout === "transcript" ? "transcript" : "nobody";
}

const RULES = new Map(
  EVENT_NAMES.flatMap((event) =>
    DIALECT_NAMES.map((dialect) => [`${event} ${dialect}`, resolve(event, dialect)] as const),
  ),
);

export function ruleFor(event: EventName, dialect: DialectName): Rule {
  const rule = RULES.get(`${event} ${dialect}`);
  if (!rule) throw new Error(`no rule for ${event} in ${dialect}`);
  return rule;
}
