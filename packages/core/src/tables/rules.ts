import { DIALECTS, type Dialect, type DialectName, isDialectName } from "./dialects.ts";
import {
  type Address,
  decisionWords,
  EVENTS,
  type EventName,
  type EventRow,
  isEventName,
  takesDecision,
} from "./events.ts";
import type { AnswerField } from "./fields.ts";

/** An event's row read through a dialect's row. Every stage reads rules, not rows. */
export interface Rule {
  readonly event: EventName;
  readonly dialectName: DialectName;
  readonly dialect: Dialect;
  /** What a refusal is called here; absent where nothing can be refused. */
  readonly refusal?: "deny" | "block";
  /** Where stderr of exit 2 goes. */
  readonly stderr: Address;
  /** Where the reason of a JSON refusal goes; no such reason is read where nothing can be refused. */
  readonly reason: Address;
  /** Plain stdout of exit 0 is context for the agent. */
  readonly stdoutIsContext: boolean;
  readonly answers: readonly AnswerField[];
  readonly decisions: readonly ("block" | "approve")[] | "behavior";
  readonly context: "agent" | "block" | "refused";
  /** A deny or an ask in the wrong place is taken as what it says. */
  readonly misplacedRestricts: boolean;
}

function resolve(event: EventName, dialectName: DialectName): Rule {
  const row: EventRow = EVENTS[event];
  const dialect: Dialect = DIALECTS[dialectName];
  const refusal = refusalOf(row, dialect);
  const notice = noticeAddress(dialect);
  const { stderr, reason } = row.exit2 === "notice" ? { stderr: notice, reason: notice } : row;
  return {
    event,
    dialectName,
    dialect,
    ...(refusal && { refusal }),
    stderr: refusal ? stderr : notice,
    reason,
    stdoutIsContext: stdoutIsContext(row, dialect),
    answers: answersOf(row, dialect),
    decisions: decisionsOf(row, dialect),
    context: contextOf(row, dialect),
    misplacedRestricts: refusal === "deny" && dialect.misplacedRestricts,
  };
}

function refusalOf({ exit2 }: EventRow, dialect: Dialect): "deny" | "block" | undefined {
  if (typeof exit2 === "object") return dialect[exit2.blockIf] ? "block" : undefined;
  return exit2 === "notice" ? undefined : exit2;
}

function decisionsOf(row: EventRow, dialect: Dialect): Rule["decisions"] {
  const { decisions } = row;
  const isOff = typeof decisions === "object" && "blockIf" in decisions && !dialect[decisions.blockIf];
  return isOff ? [] : decisionWords(row);
}

function contextOf({ context }: EventRow, dialect: Dialect): Rule["context"] {
  return typeof context === "object" ? dialect[context.as] : (context ?? "refused");
}

/** The answers of the event in this dialect. */
function answersOf(row: EventRow, dialect: Dialect): readonly AnswerField[] {
  const listed = row.answers.filter(
    (name) => name !== "additionalContext" || contextOf(row, dialect) !== "refused",
  );
  const blocks = takesDecision(decisionsOf(row, dialect)) && !listed.includes("decision");
  return blocks ? [...listed, "decision", "reason"] : listed;
}

function noticeAddress(dialect: Dialect): Address {
  return dialect.noticeTo === "agent" ? { to: "agent", block: "text" } : { to: "user", block: "error" };
}

function stdoutIsContext({ plainStdout }: EventRow, dialect: Dialect): boolean {
  return typeof plainStdout === "object" ? dialect[plainStdout.contextIf] : plainStdout === "context";
}

const RULES = new Map<string, Rule>();

export function ruleFor(event: EventName, dialect: DialectName): Rule {
  const key = `${event} ${dialect}`;
  const known = RULES.get(key);
  if (known) return known;
  if (!isEventName(event) || !isDialectName(dialect)) throw new Error(`no rule for ${event} in ${dialect}`);
  const rule = resolve(event, dialect);
  RULES.set(key, rule);
  return rule;
}
