import { ENGINE } from "@belay/core";
import { isObject, messageOf } from "@belay/core/internal";
import { createEngine, type EventName, UsageError } from "@belay/engine";
import { type Asked, type Encoded, encode, type Harness, type Told } from "@belay/harness";
import { type Command, noArguments, readFlags } from "../args/args.ts";
import { BELAY } from "../args/flags.ts";
import { agentNamed } from "../as/agents.ts";
import type { Io } from "../io.ts";
import { readSent, type Sent, type Unread } from "../relay/sent.ts";
import { openTelling } from "../relay/telling.ts";
import { oneLine } from "../render/text.ts";

const USAGE = "belay hook <agent> [event]";

export const command: Command = {
  usage: USAGE,
  summary:
    "The relay: the command of a hook in another agent. It reads what the agent sends, fires this project's hooks, and answers in that agent's own words. What the agent cannot be told becomes stricter, never looser. The event is the agent's name for it, where the payload does not say it.\nIt prints the answer and nothing else.",
  flags: {},
  examples: [
    '{ "type": "command", "command": "belay hook claude-code" }',
    '{ "type": "command", "bash": "belay hook copilot preToolUse" }',
  ],
  run: relay,
};

/** `async` hooks that take longer are ended. */
const ASYNC_WAIT_MS = 10_000;

async function relay(args: readonly string[], io: Io): Promise<number> {
  const meant = meantBy(args, io);
  if (meant === undefined) return REFUSED;
  const { harness, named } = meant;
  const sent = await readSent(harness, named, "hook");
  if ("problem" in sent) return say(await answerFailure(harness, sent), io);
  try {
    return await answer(harness, sent, io);
  } catch (error) {
    const { native, event, cwd } = sent;
    return say(await answerFailure(harness, { problem: messageOf(error), native, event, cwd }), io);
  }
}

/** The exit code that refuses, in most agents. */
const REFUSED = 2;

/** An entry with a slip would be a guard that never says a word. It refuses instead. */
function meantBy(
  args: readonly string[],
  io: Io,
): { harness: Harness; named: string | undefined } | undefined {
  try {
    const { positionals } = readFlags(args, {});
    const [name, named, ...more] = positionals;
    if (name === undefined) throw new UsageError("an agent is needed", `usage: ${USAGE}`);
    noArguments(more, `usage: ${USAGE}`);
    return { harness: agentNamed(name), named };
  } catch (error) {
    const next = error instanceof UsageError && error.next ? `; ${error.next}` : "";
    io.err(`belay: ${oneLine(messageOf(error) + next)}\n`);
    return undefined;
  }
}

async function answer(harness: Harness, { event, payload, native, cwd }: Sent, io: Io): Promise<number> {
  const { tool_name: ours, tool_input: input } = payload;
  const tool = payload.native.tool_name ?? (typeof ours === "string" ? ours : undefined);
  const asked: Asked = { native, tool, input: isObject(input) ? input : undefined };
  const telling = await openTelling(harness, asked, { event, payload, native, cwd });
  try {
    const { memory, wasAnswered, relay } = telling;
    const engine = await createEngine({ cwd, untrustedRefuse: true, program: BELAY, memory });
    let waitMs = 0;
    try {
      const outcome = await engine.fire(event, { ...payload, cwd }, { relay, wasAnswered });
      const code = say(telling.encode(outcome), io);
      telling.end();
      waitMs = ASYNC_WAIT_MS;
      return code;
    } finally {
      await engine.close({ waitMs });
    }
  } finally {
    telling.end();
  }
}

function say({ stdout, stderr, exitCode }: Omit<Encoded, "losses">, io: Io): number {
  io.out(stdout);
  io.err(stderr);
  return exitCode;
}

interface Failure extends Unread {
  readonly event?: EventName;
  readonly cwd?: string;
}

/** Where no hook could be asked, and one of them must not be missed, the step is refused. */
async function answerFailure(harness: Harness, failure: Failure): Promise<Omit<Encoded, "losses">> {
  const { native, problem } = failure;
  const row = native === undefined ? undefined : harness.events[native];
  const words = `Belay could not ask the hooks: ${oneLine(problem)}`;
  // No hook of ours waits for an event that is not known here.
  const isKnown = native === undefined || row !== undefined;
  const isRefusal = isKnown && (await hasGuard(failure, row?.event));
  if (native === undefined || row === undefined)
    return { stdout: "", stderr: `belay: ${words}\n`, exitCode: isRefusal ? REFUSED : 0 };
  return encode(harness, { native }, isRefusal ? refusal(words) : notice(words));
}

function refusal(reason: string): Told {
  return { decision: { kind: "deny", reason }, messages: [] };
}

function notice(content: string): Told {
  return {
    decision: { kind: "none" },
    messages: [{ to: "user", hook: ENGINE, block: { type: "error", content } }],
  };
}

/** True if a hook of the project, trusted or not, says that a fault refuses, or if nobody can tell. */
async function hasGuard({ cwd = process.cwd() }: Failure, event: EventName | undefined): Promise<boolean> {
  try {
    const engine = await createEngine({ cwd, journal: false, reload: false });
    const hooks = await engine.hooks();
    await engine.close();
    return hooks.some(
      ({ hook }) =>
        hook.enabled && hook.onFailure === "block" && (event === undefined || hook.event === event),
    );
  } catch {
    return true;
  }
}
