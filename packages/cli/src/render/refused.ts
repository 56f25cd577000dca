import type { Denier } from "@belay/core";
import { oneLine } from "./text.ts";

/* Who refuses calls in other agents. */

const DENIERS: Readonly<Record<Denier, string>> = {
  hook: "a hook",
  user: "you",
  rule: "a rule",
  nobody: "nobody to ask",
  agent: "the agent",
};

/** In a column. A record of another version may name a party that is not known. */
export function refuserOf(refusedBy: Denier | undefined): string | undefined {
  return refusedBy !== undefined && Object.hasOwn(DENIERS, refusedBy) ? DENIERS[refusedBy] : undefined;
}

/** In a sentence: a call was refused "by you". */
export function byWhom(by: Denier, hook: string | undefined, agent: string): string {
  if (by === "hook") return hook === undefined ? "by a hook" : `by the hook ${oneLine(hook)}`;
  const words = { user: "by you", rule: "by a permission rule", agent: `by ${agent}` };
  return by === "nobody" ? "as nobody was there to allow it" : words[by];
}
