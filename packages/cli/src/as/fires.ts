import type { EventName, Hook } from "@belay/core";
import { adviseAs, type Harness, nativeName } from "@belay/harness";
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
    hooks: hooks.map((hook) => {
      const never = adviseAs(harness, hook, []).find(({ code }) => NEVER.includes(code))?.message;
      const why = never ?? offIn(harness, hook, hooks)?.why;
      return { hook: hook.name, fires: why === undefined, ...(why !== undefined && { why }) };
    }),
  };
}

/** Diagnostics of a hook that never runs. */
const NEVER: readonly string[] = ["agent-no-event", "agent-skips-type"];

/** One line for each agent. */
export function renderFires(all: readonly FiresAs[], io: Io): string {
  const paint = paintFor(io);
  const rows = all.map(({ event, hooks, ...agent }) => {
    const off = hooks.filter(({ fires }) => !fires);
    const sign = event === null || off.length > 0 ? paint.yellow("!") : paint.green("✓");
    const name = event === null ? "no such event: no hook runs" : `fires as ${event}`;
    const left =
      event === null ? [] : off.map(({ hook, why = "" }) => `${oneLine(hook)} does not: ${oneLine(why)}`);
    return { sign, title: titleOf(agent), text: [name, ...left].join("; ") };
  });
  return `${agentLines(rows, io).join("\n")}\n`;
}
