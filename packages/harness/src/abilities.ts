import type { EventName } from "@belay/core";
import { eventRow } from "@belay/core/internal";
import type { Harness, HarnessEvent } from "./harness.ts";
import type { Answers } from "./read/reads.ts";

/** What a hook may want to do at an event. */
export const ABILITIES = ["allow", "deny", "ask", "rewrite", "context", "output", "message", "stop"] as const;

export type Ability = (typeof ABILITIES)[number];

/**
 * What becomes of a wish that a harness cannot express: "deny" is stricter; "context" tells the agent and refuses nothing;
 * "later" waits for an answer that can carry it; "elsewhere" is shown by Belay itself; "nothing" is lost.
 */
export type Degradation = "deny" | "context" | "later" | "elsewhere" | "nothing";

export type Abilities = Readonly<Record<Ability, "yes" | Degradation>>;

/** What the answers of a harness can do at one of its events, by the harness's own name of it, and what becomes of the rest. */
export function abilitiesOf(harness: Harness, native: string): Abilities {
  const row = harness.events[native];
  const answers = answersOf(row);
  const can: Readonly<Record<Ability, boolean>> = {
    allow: has(answers.allow),
    deny: canDeny(answers),
    ask: has(answers.ask) && (harness.reads?.asks ?? true),
    rewrite: answers.rewrite !== undefined || answers.prompt !== undefined,
    context: contextPath(answers) !== undefined || isPlainContext(answers),
    output: answers.output !== undefined,
    message: answers.message === true,
    stop: canEnd(answers) || (row !== undefined && isEnding(row.event)),
  };
  // After the fact a refusal is only told.
  const isLate = row !== undefined && eventRow(row.event).appendsToResult === true;
  const stricter = can.deny && !isLate ? "deny" : "nothing";
  const instead: Readonly<Record<Ability, Degradation>> = {
    allow: "nothing",
    deny: isLate && can.context ? "context" : "nothing",
    ask: stricter,
    rewrite: stricter,
    context: "later",
    output: stricter,
    message: "elsewhere",
    stop: stricter,
  };
  const entries = ABILITIES.map((ability) => [ability, can[ability] ? "yes" : instead[ability]]);
  return Object.fromEntries(entries) as Record<Ability, "yes" | Degradation>;
}

/** What is read of an answer at an event: of what a program prints, or of what the relay's plugin file is told. */
export function answersOf(row: HarnessEvent | undefined): Answers {
  return row?.answers ?? row?.plugin ?? {};
}

export function canDeny({ exit2, deny, contextRefuses, stop }: Answers): boolean {
  return has(deny) || exit2 !== undefined || contextRefuses === true || isRefusing(stop);
}

/** `continue: false` refuses the step. */
export function isRefusing(stop: Answers["stop"]): boolean {
  return stop === "refuses" || stop === "refuses-and-ends";
}

/** `continue: false` ends the turn. */
export function canEnd({ stop }: Answers): boolean {
  return stop === "ends" || stop === "refuses-and-ends";
}

/** The step is itself an end: letting it happen is what a stop asks for. */
export function isEnding(event: EventName): boolean {
  const row = eventRow(event);
  return row.exit2 !== "notice" && row.blockedAction === "block-stop";
}

/** The field in which context reaches the agent without refusing the step. */
export function contextPath({ context, contextRefuses }: Answers): string | undefined {
  return contextRefuses ? undefined : context?.[0];
}

/** Plain text is context, and no text can be taken for an answer in JSON. */
export function isPlainContext({ plain, readsNoJson }: Answers): boolean {
  return plain === "agent" && readsNoJson === true;
}

function has(sayings: readonly unknown[] | undefined): boolean {
  return sayings !== undefined && sayings.length > 0;
}
