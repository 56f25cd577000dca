import { join } from "node:path";
import { DEFAULT_DIALECT, outcomeOf } from "@belay/core";
import { messageOf, toRecord } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import {
  findProject,
  journalFolder,
  makeFolder,
  openJournal,
  ownFolders,
  randomId,
  writeWholeSync,
} from "@belay/engine/internal";
import { type Command, noArguments, readFlags } from "../args/args.ts";
import { agentNamed } from "../as/agents.ts";
import type { Io } from "../io.ts";
import { NOT_RECORDED } from "../records/journal.ts";
import { ownSender, readSent, type Sent } from "../relay/sent.ts";
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
  const [agent = "no agent"] = args;
  try {
    const { positionals } = readFlags(args, {});
    const [name, native, ...more] = positionals;
    if (name === undefined) throw new UsageError("an agent is needed", `usage: ${USAGE}`);
    noArguments(more, `usage: ${USAGE}`);
    const harness = agentNamed(name);
    const sent = await readSent(harness, native, "record", ownSender());
    const problem = "problem" in sent ? sent.problem : write(sent, name);
    if (problem !== undefined) throw new Error(problem);
  } catch (error) {
    const next = error instanceof UsageError && error.next ? `; ${error.next}` : "";
    const why = oneLine(messageOf(error) + next);
    io.err(`belay: not recorded: ${why}\n`);
    noteNotRecorded(agent, why);
  }
  return 0;
}

/** Agents throw away what a hook that exits 0 writes to stderr. A journal that stays empty says why. */
function noteNotRecorded(agent: string, why: string): void {
  const folder = journalFolder(findProject(process.cwd()));
  const note = `${new Date().toISOString()}, of ${oneLine(agent)}: ${why}\n`;
  try {
    makeFolder(folder);
    writeWholeSync(join(folder, NOT_RECORDED), note, 0o600);
  } catch {
    // Where nothing can be written there is nowhere else to say it.
  }
}

/** Writes the event with no hooks: none was asked, and nothing was decided. Returns why it could not. */
function write({ event, payload, cwd }: Sent, agent: string): string | undefined {
  const { session_id: session } = payload as { session_id?: unknown };
  const folder = journalFolder(findProject(cwd));
  const facts = { event, dialect: DEFAULT_DIALECT, hooks: [], context: {}, extra: [] };
  const stamp = { id: randomId(), time: new Date().toISOString(), untrusted: undefined };
  const named = { ...payload, cwd, session_id: typeof session === "string" ? session : agent };
  const journal = openJournal(folder, undefined, ownFolders(folder));
  try {
    return journal.write(toRecord({ ...facts, ...stamp, payload: named }, [], outcomeOf(facts)));
  } finally {
    journal.close();
  }
}
