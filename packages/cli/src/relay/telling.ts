import type { Outcome, Relayed } from "@belay/core";
import { findProject } from "@belay/engine/internal";
import {
  type Asked,
  abilitiesOf,
  type Encoded,
  encode,
  type Harness,
  type Told,
  versionOf,
} from "@belay/harness";
import type { Said } from "../questions/ask.ts";
import type { AskedCall } from "../questions/denied.ts";
import type { Sent } from "./sent.ts";

/** What an agent is told of one event. */
export interface Telling {
  /** Settles what the agent cannot do itself; called once, before the event is recorded. */
  relay(decided: Outcome): Promise<Relayed>;
  encode(outcome: Outcome): Encoded;
}

export function tellingOf(harness: Harness, asked: Asked, sent: Sent): Telling {
  const begun = performance.now();
  let said: Said | undefined;
  const tell = (outcome: Outcome) => encode(harness, asked, said ? withAnswer(outcome, said) : outcome);
  return {
    relay: async (decided) => {
      const call = decided.decision.kind === "ask" ? callOf(harness, asked, sent, decided) : undefined;
      if (call) {
        const { askPerson } = await import("../questions/ask.ts");
        said = await askPerson({
          call,
          limitMs: harness.settings.limitMs - ANSWER_MS - (performance.now() - begun),
        });
      }
      const version = versionOf(harness, sent.payload, process.env);
      return {
        agent: harness.name,
        ...(version !== undefined && { version }),
        losses: tell(decided).losses,
        ...(said && { asked: { allowed: said.allowed, by: said.by } }),
      };
    },
    encode: tell,
  };
}

/** What a person is asked about: undefined where the agent asks itself, where nothing can be refused, and where no input can be shown. */
function callOf(
  harness: Harness,
  { native }: Asked,
  { payload, cwd }: Sent,
  { decision: { reason, hook }, updatedInput, updatedPrompt }: Outcome,
): AskedCall | undefined {
  const { session_id: session, tool_name: tool, tool_input, prompt } = payload;
  const input = tool_input ?? prompt;
  if (abilitiesOf(harness, native).ask !== "deny" || input === undefined) return undefined;
  const rewritten = updatedInput ?? updatedPrompt;
  return {
    agent: harness.name,
    title: harness.title,
    session: typeof session === "string" ? session : "",
    project: findProject(cwd),
    event: native,
    tool: typeof tool === "string" ? tool : "",
    input,
    ...(rewritten !== undefined && { updatedInput: rewritten }),
    ...(reason !== undefined && { reason }),
    ...(hook !== undefined && { hook }),
  };
}

/** A yes takes the question away and grants nothing: the agent's own permissions stand. */
function withAnswer(outcome: Outcome, { allowed, by, reason }: Said): Told {
  if (by === "nobody") return outcome;
  const messages = outcome.messages.filter(({ block }) => block.content !== outcome.decision.reason);
  const denied = `A person denied this${reason === undefined ? "" : `: ${reason}`}`;
  return { ...outcome, messages, decision: allowed ? { kind: "none" } : { kind: "deny", reason: denied } };
}

/** What it takes the relay to start and to answer. */
const ANSWER_MS = 5_000;
