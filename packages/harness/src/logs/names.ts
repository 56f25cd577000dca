import { renamed } from "../decode.ts";
import type { Harness, ToolNames } from "../harness.ts";
import { parsedLine } from "./line.ts";
import type { Entries, LogEntry, SessionLog } from "./log.ts";

const TORN: Entries = [{ kind: "flaw", why: "torn" }];

/**
 * A reader for one file of session logs, which is given each line that matters in turn. Entries have tools, inputs and events
 * under our names; the agent's own tool and input are kept if they differ.
 */
export function logReader(
  agent: Harness & { readonly log: SessionLog },
  path: string,
): (line: string) => Entries {
  const read = agent.log.reader(path);
  const named = underOurNames(agent);
  return (text) => {
    const line = parsedLine(text);
    return line ? read(line).map((entry) => (entry.kind === "flaw" ? entry : named(entry))) : TORN;
  };
}

function underOurNames({ tools, events }: Harness): (entry: LogEntry) => LogEntry {
  const event = (name: string) => (Object.hasOwn(events, name) ? (events[name]?.event ?? name) : name);
  return (entry) => {
    if (entry.kind === "hook") return { ...entry, event: event(entry.event) };
    if (entry.kind === "result" && entry.event !== undefined) return { ...entry, event: event(entry.event) };
    if (entry.kind !== "call" || !Object.hasOwn(tools, entry.tool)) return entry;
    const { name, input: fields } = tools[entry.tool] as ToolNames;
    return {
      ...entry,
      tool: name,
      input: renamed(entry.input, fields),
      native: { tool: entry.tool, input: entry.input },
    };
  };
}
