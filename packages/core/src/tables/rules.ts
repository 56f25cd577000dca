import { type Dialect, type DialectName, dialectRow, isDialectName } from "./dialects.ts";
import {
  type Address,
  decisionWords,
  EVENTS,
  type EventName,
  type EventRow,
  isEventName,
  takesDecision,
} from "./events.ts";
import {
  ANSWER_FIELDS,
  type AnswerField,
  BEHAVIOR_FIELDS,
  COMMON_FIELDS,
  DEFERRED,
  FURTHER_BEHAVIOR_FIELDS,
  FURTHER_COMMON_FIELDS,
  FURTHER_FIELDS,
  type FurtherField,
  PERMISSIONS,
} from "./fields.ts";

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
  /** The words of permissionDecision. */
  readonly permissions: readonly string[];
  /** The names that are known at each level, with what each may hold; `answers` are those that count. */
  readonly fields: KnownFields;
  readonly decisions: readonly ("block" | "approve")[] | "behavior";
  readonly context: "agent" | "block" | "refused";
  /** A deny or an ask in the wrong place is taken as what it says. */
  readonly misplacedRestricts: boolean;
  /** What is not read at this event, whatever its row says of others. */
  readonly unread: readonly ("exit 2" | "common fields" | "onFailure")[];
}

export interface KnownFields {
  readonly common: typeof COMMON_FIELDS & Partial<typeof FURTHER_COMMON_FIELDS>;
  readonly specific: Omit<typeof ANSWER_FIELDS, FurtherField> & Partial<typeof FURTHER_FIELDS>;
  readonly behavior: typeof BEHAVIOR_FIELDS & Partial<typeof FURTHER_BEHAVIOR_FIELDS>;
}

const SEEDS_FIELDS: KnownFields = {
  common: COMMON_FIELDS,
  specific: ANSWER_FIELDS,
  behavior: BEHAVIOR_FIELDS,
};

/** All fields that hookSpecificOutput may have at an event, in any dialect. */
export function furtherFields({ further = [] }: EventRow): KnownFields["specific"] {
  const added = further.map((name) => [name, FURTHER_FIELDS[name]]);
  return { ...ANSWER_FIELDS, ...Object.fromEntries(added) };
}

function resolve(event: EventName, dialectName: DialectName, simulated: boolean): Rule {
  const dialect = dialectRow(dialectName, simulated);
  const plain: EventRow = EVENTS[event];
  const { unread = [], ...letter } = (simulated && dialect.letter && plain.letter) || {};
  const row: EventRow = { ...plain, ...letter };
  const { exit2, plainStdout, decisions: words, context: use = "refused" } = row;
  const isRefusable = typeof exit2 === "object" ? dialect[exit2.blockIf] : exit2 !== "notice";
  const refusal = isRefusable ? (exit2 === "deny" ? "deny" : "block") : undefined;
  const notice: Address =
    dialect.noticeTo === "agent" ? { to: "agent", block: "text" } : { to: "user", block: "error" };
  const { stderr, reason } = row.exit2 === "notice" ? { stderr: notice, reason: notice } : row;
  const isOff = typeof words === "object" && "blockIf" in words && !dialect[words.blockIf];
  const decisions = isOff ? [] : decisionWords(row);
  const context = typeof use === "object" ? dialect[use.as] : use;
  const listed = row.answers.filter((name) => name !== "additionalContext" || context !== "refused");
  const lacksDecision = takesDecision(decisions) && !listed.includes("decision");
  const own: readonly AnswerField[] = lacksDecision ? [...listed, "decision", "reason"] : listed;
  const further = (dialect.furtherFields && row.further) || [];
  return {
    event,
    dialectName,
    dialect,
    ...(refusal && { refusal }),
    stderr: refusal ? stderr : notice,
    reason,
    stdoutIsContext:
      typeof plainStdout === "object" ? dialect[plainStdout.contextIf] : plainStdout === "context",
    answers: [...new Set([...own, ...further])],
    permissions: further.includes("permissionDecision") ? [...PERMISSIONS, ...DEFERRED] : PERMISSIONS,
    fields: dialect.furtherFields
      ? {
          common: { ...COMMON_FIELDS, ...FURTHER_COMMON_FIELDS },
          specific: furtherFields(row),
          behavior: { ...BEHAVIOR_FIELDS, ...FURTHER_BEHAVIOR_FIELDS },
        }
      : SEEDS_FIELDS,
    decisions,
    context,
    misplacedRestricts: refusal === "deny" && dialect.misplacedRestricts,
    unread,
  };
}

const RULES = new Map<string, Rule>();

/** `simulated`: as the real system reads it, to the letter, where the dialect is named after one (design §7). */
export function ruleFor(event: EventName, dialect: DialectName, simulated = false): Rule {
  const key = `${event} ${dialect} ${simulated}`;
  const known = RULES.get(key);
  if (known) return known;
  if (!isEventName(event) || !isDialectName(dialect)) throw new Error(`no rule for ${event} in ${dialect}`);
  const rule = resolve(event, dialect, simulated);
  RULES.set(key, rule);
  return rule;
}
