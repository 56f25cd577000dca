import type { EventName, Hook } from "@belay/core";
import { abilitiesOf, adviseAs, type Harness, nativeName } from "@belay/harness";
import type { Io } from "../io.ts";
import { oneLine, paintFor } from "../render/text.ts";
import { offIn } from "./letter.ts";
import { agentLines, titleOf } from "./render.ts";

/** Which of the hooks that fire here would fire in an agent, and what it calls the event. */
export interface FiresAs {
  readonly agent: string;
  readonly version: string;
  readonly measured: string;
  /** Its name of the event; null: it has none. */
  readonly event: string | null;
  /** What hooks may want and `belay hook` cannot tell it there, and what that becomes. */
  readonly untold: readonly { readonly what: string; readonly became: string }[];
  readonly hooks: readonly { readonly hook: string; readonly fires: boolean; readonly why?: string }[];
}

export function firesAs(harness: Harness, event: EventName, hooks: readonly Hook[]): FiresAs {
  const { name: agent, tested } = harness;
  const native = nativeName(harness, event) ?? null;
  return {
    agent,
    version: tested.version,
    measured: tested.date,
    event: native,
    untold: native === null ? [] : untoldAt(harness, native),
    hooks: hooks.map((hook) => {
      const never = adviseAs(harness, hook, []).find(({ code }) => NEVER.includes(code))?.message;
      const why = never ?? offIn(harness, hook, hooks)?.why;
      return { hook: hook.name, fires: why === undefined, ...(why !== undefined && { why }) };
    }),
  };
}

function untoldAt(harness: Harness, native: string): FiresAs["untold"] {
  const abilities = Object.entries(abilitiesOf(harness, native));
  return abilities.flatMap(([what, became]) => (became === "yes" ? [] : [{ what, became }]));
}

/** What would be looser, or become a refusal, through `belay hook`. */
function relayText(untold: FiresAs["untold"]): string[] {
  const named = (became: string, words: string) => {
    const what = untold.filter((one) => one.became === became && !UNASKED.includes(one.what));
    return what.length === 0 ? [] : [`${what.map((one) => one.what).join(", ")} ${words}`];
  };
  const parts = [...named("deny", "become a deny"), ...named("nothing", "cannot be told")];
  return parts.length === 0 ? [] : [`through belay hook ${parts.join("; ")}`];
}

/** What restricts nothing. */
const UNASKED = ["allow", "message", "context"];

/** Diagnostics of a hook that never runs. */
const NEVER: readonly string[] = ["agent-no-event", "agent-skips-type"];

/** One line for each agent. */
export function renderFires(all: readonly FiresAs[], io: Io): string {
  const paint = paintFor(io);
  const rows = all.map(({ event, hooks, untold, ...agent }) => {
    const off = hooks.filter(({ fires }) => !fires);
    const sign = event === null || off.length > 0 ? paint.yellow("!") : paint.green("✓");
    const name = event === null ? "no such event: no hook runs" : `fires as ${event}`;
    const left =
      event === null ? [] : off.map(({ hook, why = "" }) => `${oneLine(hook)} does not: ${oneLine(why)}`);
    return { sign, title: titleOf(agent), text: [name, ...left, ...relayText(untold)].join("; ") };
  });
  return `${agentLines(rows, io).join("\n")}\n`;
}
