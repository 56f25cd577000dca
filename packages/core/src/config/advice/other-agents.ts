import { diagnose } from "../../tables/diagnostics/index.ts";
import { otherReaderOf } from "../../tables/dialects.ts";
import type { Diagnostic } from "../../types.ts";
import { type Hook, whereOf } from "../hook.ts";
import type { Config } from "../read.ts";

/** A field of Belay that another agent does not read. */
interface Unread {
  readonly field: string;
  isIn(hook: Hook): boolean;
  readonly instead: string;
  readonly advice: string;
}

const KEEP = "keep the hook in .belay/settings.json.";

const ofType = (type: "json" | "module"): Unread => ({
  field: `"type": "${type}"`,
  isIn: ({ handler }) => handler.type === type,
  instead: "the hook does not run there",
  advice: `Write a command, or ${KEEP}`,
});

/** Fields with an effect: a name has none, nor has a value that is the default. */
const UNREAD: readonly Unread[] = [
  {
    field: '"onFailure": "block"',
    isIn: ({ onFailure, handler }) => onFailure === "block" && handler.type === "prompt",
    instead: "for a prompt, a fault lets work go on there",
    advice: "Use a command.",
  },
  {
    field: '"mode": "observe"',
    isIn: ({ mode }) => mode === "observe",
    instead: "its answer counts there",
    advice: `Until it is to count, ${KEEP}`,
  },
  {
    field: '"enabled": false',
    isIn: ({ enabled }) => !enabled,
    instead: "the hook runs there",
    advice: "Remove the entry to switch it off there too.",
  },
  {
    field: '"warm"',
    isIn: ({ handler }) => handler.type === "command" && Boolean(handler.warm),
    instead: "there it is started for each event, and gets the bare payload",
    advice: `Let it answer that as well, or ${KEEP}`,
  },
  ofType("json"),
  ofType("module"),
];

const SEQUENTIAL = {
  field: '"sequential": true',
  instead: "the hooks of this group run at the same time there",
  advice: "Let one command do it all in turn.",
};

/** Fields that count here, in files of an agent that does not read them: a guard that holds here may be open there. */
export function adviseOnOtherReaders(hooks: readonly Hook[]): Diagnostic[] {
  const inGroup = new Map<string, number>();
  return hooks.flatMap((hook) => {
    const agent = otherReaderOf(hook.source.file);
    // The other agent reads disableAllHooks too.
    if (agent === undefined || hook.offAt !== undefined) return [];
    const nth = (inGroup.get(hook.group) ?? 0) + 1;
    inGroup.set(hook.group, nth);
    const unread = UNREAD.filter(({ isIn }) => isIn(hook));
    const found = hook.sequential && nth === 2 ? [...unread, SEQUENTIAL] : unread;
    return found.map(({ field, instead, advice }) =>
      diagnose("config-belay-field", { field, agent, instead, advice }, whereOf(hook)),
    );
  });
}

/** Syntax that Belay accepts, in a file that another agent reads as plain JSON or not at all. */
export function adviseOnOtherSyntax(config: Config): Diagnostic[] {
  const agent = otherReaderOf(config.file);
  const line = agent && config.extendedAt?.();
  return line ? [diagnose("config-belay-syntax", { agent }, { path: `${config.file}:${line}` })] : [];
}
