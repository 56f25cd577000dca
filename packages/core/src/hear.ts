import { type Answer, readAnswer } from "./answer.ts";
import { errorsIn, type Tally, unlisted } from "./answer-reading.ts";
import { diagnose } from "./diagnostics.ts";
import type { Mixed, Output } from "./output.ts";
import type { Reading } from "./reading.ts";
import type { Rule } from "./rules.ts";
import { isRestriction, isStricter } from "./strict.ts";
import type { Diagnostic } from "./types.ts";
import { whatDecided } from "./unfinished.ts";

/** What a run's output says, and whether it may only restrict and speak to the user: mixed, unfinished or invalid. */
export interface Heard extends Answer {
  readonly restrictOnly: boolean;
  /** How many errors were found in it, listed or not. */
  readonly errors: number;
}

const SILENCE: Heard = {
  kind: "abstain",
  speaks: false,
  suppressOutput: false,
  diagnostics: [],
  invalid: false,
  setAside: false,
  restrictOnly: false,
  errors: 0,
};

export function hear(output: Output, { hook: { name: hook }, run, rule }: Reading): Heard {
  const tally: Tally = new Map();
  if (output.form === "json") {
    const answer = readAnswer(output.object, rule, hook, output.flaws, tally);
    const reading = answer.invalid ? restricted([answer]) : { ...SILENCE, ...answer };
    return {
      ...reading,
      diagnostics: [...reading.diagnostics, ...unlisted(tally, hook)],
      errors: errorsIn(tally),
    };
  }
  if (output.form !== "mixed" && output.form !== "plain") return SILENCE;
  // Words for a reader may name a field; a brace shows that an object was meant.
  const unsound =
    output.isSuspect && output.text.includes("{")
      ? [diagnose("output-no-object", { so: whatDecided(run, output.form === "mixed") }, { hook })]
      : [];
  if (output.form === "plain") return { ...SILENCE, diagnostics: unsound };
  const mixed = restricted(answersOf(output.objects, rule, hook, tally));
  const told = diagnose("output-mixed", { found: output.hedge.found, advice: output.hedge.advice }, { hook });
  return {
    ...mixed,
    diagnostics: [told, ...(mixed.speaks ? [] : unsound), ...mixed.diagnostics, ...unlisted(tally, hook)],
    errors: errorsIn(tally),
  };
}

/** The strictest restriction of several answers, and their words for the user (DESIGN §4.4); a context may be a block. */
function restricted(answers: Iterable<Answer>): Heard {
  let strictest: Answer = SILENCE;
  let context: string | undefined;
  const systemMessages: string[] = [];
  const diagnostics: Diagnostic[] = [];
  let invalid = false;
  let setAside = false;
  let interrupt = false;
  // One by one, and none is kept: an output may hold thousands.
  for (const answer of answers) {
    if (isStricter(answer.kind, strictest.kind)) strictest = answer;
    context ??= answer.context;
    if (answer.systemMessage !== undefined) systemMessages.push(answer.systemMessage);
    diagnostics.push(...answer.diagnostics);
    invalid ||= answer.invalid;
    setAside ||= answer.setAside;
    interrupt ||= answer.interrupt === true;
  }
  const holds = isRestriction(strictest.kind);
  return {
    ...SILENCE,
    ...(holds && { kind: strictest.kind, speaks: true }),
    ...(holds && strictest.reason !== undefined && { reason: strictest.reason }),
    ...(strictest.kind === "deny" && interrupt && { interrupt }),
    ...(context !== undefined && { context }),
    ...(systemMessages.length > 0 && { systemMessage: systemMessages.join("\n") }),
    diagnostics,
    invalid,
    setAside,
    restrictOnly: true,
  };
}

function* answersOf(objects: Mixed["objects"], rule: Rule, hook: string, tally: Tally): Iterable<Answer> {
  for (const { object, flaws } of objects) yield readAnswer(object, rule, hook, flaws, tally);
}
