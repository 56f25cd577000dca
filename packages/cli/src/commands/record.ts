import { isObject, messageOf } from "@belay/core/internal";
import { createEngine, UsageError } from "@belay/engine";
import { decode } from "@belay/harness";
import { type Command, noArguments, readFlags } from "../args/args.ts";
import { BELAY, isFolder } from "../args/flags.ts";
import { readStdin } from "../args/payload.ts";
import { agentsNamed } from "../as/agents.ts";
import type { Io } from "../io.ts";
import { oneLine } from "../render/text.ts";

const USAGE = "belay record <agent> [event]";

export const command: Command = {
  usage: USAGE,
  summary:
    "The command of a hook that only looks on: it writes the payload that an agent sends into this project's journal, and decides nothing. For agents whose own logs say too little. The event is the agent's name for it, where the payload does not say it.\nIt prints nothing to stdout, and exits 0 whatever happens: an agent must not take it for an answer.",
  flags: {},
  examples: [
    '{ "type": "command", "command": "belay record codex" }',
    '{ "type": "command", "bash": "belay record copilot preToolUse" }',
  ],
  run: record,
};

async function record(args: readonly string[], io: Io): Promise<number> {
  const { positionals } = readFlags(args, {});
  const [name, native, ...more] = positionals;
  if (name === undefined) throw new UsageError("an agent is needed", `usage: ${USAGE}`);
  noArguments(more, `usage: ${USAGE}`);
  try {
    const [harness, other] = agentsNamed(name);
    if (harness === undefined || other) throw new Error("it takes one agent");
    const sent = await readPayload();
    const decoded = decode(harness, sent, native);
    if ("problem" in decoded) throw new Error(`${decoded.problem}; name it: ${BELAY} record ${name} <event>`);
    const { event, payload } = decoded;
    const { cwd } = payload as { cwd?: unknown };
    // No config: nothing is asked, and the journal has the event.
    const engine = await createEngine({
      cwd: typeof cwd === "string" && isFolder(cwd) ? cwd : process.cwd(),
      configFiles: [],
      launcher: "off",
    });
    await engine.fire(event, payload).finally(() => engine.close());
  } catch (error) {
    io.err(`belay: not recorded: ${oneLine(messageOf(error))}\n`);
  }
  return 0;
}

async function readPayload(): Promise<Record<string, unknown>> {
  const text = await readStdin();
  let sent: unknown;
  try {
    sent = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new Error(`the payload on stdin is no JSON`);
  }
  if (isObject(sent)) return sent;
  throw new Error("the payload on stdin is no JSON object");
}
