import { type Answer, readAnswer } from "./answer.ts";
import { type Tally, unlisted } from "./answer-reading.ts";
import { diagnose } from "./diagnostics.ts";
import type { Output } from "./output.ts";
import type { Rule } from "./rules.ts";
import { isRestriction, isStricter } from "./strict.ts";

/** What a run's output says, and whether it may only restrict and speak to the user: mixed, unfinished or invalid. */
export interface Heard extends Answer {
  readonly restrictOnly: boolean;
}

const SILENCE: Heard = {
  kind: "abstain",
  speaks: false,
  suppressOutput: false,
  diagnostics: [],
  invalid: false,
  setAside: false,
  restrictOnly: false,
};

export function hear(output: Output, rule: Rule, hook: string): Heard {
  const tally: Tally = new Map();
  if (output.form === "json") {
    const answer = readAnswer(output.object, rule, hook, output.flaws, tally);
    const reading = answer.invalid ? restricted([answer]) : { ...answer, restrictOnly: false };
    return { ...reading, diagnostics: [...reading.diagnostics, ...unlisted(tally, hook)] };
  }
  if (output.form === "plain" && output.isSuspect) {
    return { ...SILENCE, diagnostics: [diagnose("output-no-object", {}, { hook })] };
  }
  if (output.form !== "mixed") return SILENCE;
  const mixed = restricted(
    output.objects.map(({ object, flaws }) => readAnswer(object, rule, hook, flaws, tally)),
  );
  const told = diagnose("output-mixed", { because: output.because }, { hook });
  return { ...mixed, diagnostics: [told, ...mixed.diagnostics, ...unlisted(tally, hook)] };
}

/** The strictest restriction of several objects, and their words for the user (DESIGN §4.4). */
function restricted(answers: readonly Answer[]): Heard {
  const strictest = answers.reduce((a, b) => (isStricter(b.kind, a.kind) ? b : a));
  const holds = isRestriction(strictest.kind);
  const systemMessages = answers.map((answer) => answer.systemMessage).filter((text) => text !== undefined);
  return {
    ...SILENCE,
    ...(holds && { kind: strictest.kind, speaks: true }),
    ...(holds && strictest.reason !== undefined && { reason: strictest.reason }),
    ...(systemMessages.length > 0 && { systemMessage: systemMessages.join("\n") }),
    diagnostics: answers.flatMap((answer) => answer.diagnostics),
    invalid: answers.some((answer) => answer.invalid),
    setAside: answers.some((answer) => answer.setAside),
    restrictOnly: true,
  };
}
