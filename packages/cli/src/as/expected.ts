import type { Expectation } from "@belay/core/schema";
import { type Emulated, type Harness, harnessNamed } from "@belay/harness";
import { oneLine } from "../render/text.ts";
import { titleOf } from "./render.ts";

type Step = Emulated["step"];

/** What a case expects of the step, as far as it restricts. */
function expectedStep({ decision, blocked, action }: Expectation): Step | undefined {
  if (blocked || decision === "deny" || decision === "block" || decision === "stop") return "refused";
  if (decision === "ask" || action === "ask-user") return "asks";
  return action?.startsWith("block-") || action === "stop" ? "refused" : undefined;
}

const STRICTNESS: Record<Step, number> = { runs: 0, asks: 1, refused: 2 };

/** The agents of the command line, and those that the case names. */
export function agentsFor(agents: readonly Harness[], as: Readonly<Record<string, Step>>): Harness[] {
  const named = Object.keys(as).flatMap((name) => harnessNamed(name) ?? []);
  return [...new Set([...agents, ...named])];
}

export interface FailureAs {
  readonly agent: string;
  readonly text: string;
}

/** Why a case fails for an agent: the step is looser there than the case expects, or not what `as` says. */
export function failuresAs(
  emulated: readonly Emulated[],
  expect: Expectation,
  as: Readonly<Record<string, Step>>,
): FailureAs[] {
  return emulated.flatMap((one) => {
    const said = as[one.agent];
    const least = expectedStep(expect);
    const expected = said ?? least;
    if (expected === undefined || one.step === expected) return [];
    if (said === undefined && STRICTNESS[one.step] >= STRICTNESS[expected]) return [];
    const lost = one.lost.map(({ code, what, why, fix }) => `${what} lost: ${why} (${code}); fix: ${fix}`);
    const text = [`${titleOf(one)}: expected ${expected}, received ${one.step}`, ...lost].join("; ");
    return [{ agent: one.agent, text: oneLine(text) }];
  });
}
