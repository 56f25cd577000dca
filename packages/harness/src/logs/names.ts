import type { ToolNames } from "../harness.ts";
import type { LogEntry } from "./log.ts";

/** An entry with the tool and the input under our names; the agent's own are kept if they differ. */
export function underOurNames(tools: Readonly<Record<string, ToolNames>>): (entry: LogEntry) => LogEntry {
  return (entry) => {
    if (entry.kind !== "call" || !Object.hasOwn(tools, entry.tool)) return entry;
    const { name, input: fields = {} } = tools[entry.tool] as ToolNames;
    const input = Object.fromEntries(
      Object.entries(entry.input).map(([field, value]) => [fields[field] ?? field, value]),
    );
    return { ...entry, tool: name, input, native: { tool: entry.tool, input: entry.input } };
  };
}
