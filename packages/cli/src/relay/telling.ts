import { ENGINE, isRefused, type Outcome, type Relayed } from "@belay/core";
import { eventRow, inOrder } from "@belay/core/internal";
import type { SessionMemory } from "@belay/engine";
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
import type { Asking, Said } from "../questions/ask.ts";
import type { AskedCall } from "../questions/denied.ts";
import type { Sent } from "./sent.ts";
import { type Claimed, type RelaySession, relaySession } from "./session.ts";

/** What an agent is told of one event. */
export interface Telling {
  /** For the engine that fires it. */
  readonly memory: SessionMemory;
  /** The same call was answered before, so no hook is asked. */
  readonly wasAnswered: boolean;
  /** Settles what the agent cannot do itself; called once, before the event is recorded. */
  relay(decided: Outcome): Promise<Relayed>;
  encode(outcome: Outcome): Encoded;
  /** Lets the same call, where it waits, have the answer; without one it finds its own. */
  end(): void;
}

/** What it takes the relay to start and to answer. */
const ANSWER_MS = 5_000;

interface Circumstances {
  /** Variables of the caller; absent: those of this process. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Milliseconds that the agent has waited already. */
  readonly waitedMs: number;
  /** What the hooks may take. */
  readonly spentMs: number;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Waits for the answer to the same call where it is open: an agent may load an entry of ours from two files. */
export async function openTelling(
  harness: Harness,
  asked: Asked,
  sent: Sent,
  { env = process.env, waitedMs, spentMs, signal }: Circumstances,
): Promise<Telling> {
  const begun = performance.now() - waitedMs;
  const waitMs = () => harness.settings.limitMs - ANSWER_MS - (performance.now() - begun);
  const { session_id: id } = sent.payload;
  const session = relaySession(typeof id === "string" ? id : undefined);
  // A resident that did not answer may hold this very call.
  const claimed = claimedBy(sent, waitedMs > 0 ? 0 : waitMs() - spentMs);
  const claim = await session.claim(claimed);
  const version = versionOf(harness, sent.payload, env);
  let told: ((outcome: Outcome) => Told) | undefined;
  let answer: Told | undefined;
  let isForOne = false;
  let hasEnded = false;
  const encodeTold = (outcome: Told) => encode(harness, asked, outcome);
  return {
    memory: { has: (_, what) => session.has(what), add: (_, what) => session.add(what) },
    wasAnswered: claim.before !== undefined,
    relay: async (decided) => {
      const head = { agent: harness.name, ...(version !== undefined && { version }) };
      const { before } = claim;
      if (before) {
        told = () => before;
        return { ...head, losses: encodeTold(before).losses, before: before.decision.kind };
      }
      const withSession = sessionTelling(session, sent, encodeTold);
      const asks = decided.decision.kind === "ask" && !withSession.isStopped;
      const call = asks ? callOf(harness, asked, sent, decided) : undefined;
      const said = call && (await askFor({ call, limitMs: waitMs(), signal }));
      // Without a number it may be another call of the same words, and the person allowed one.
      isForOne = said?.allowed === true && !claimed.isNumbered;
      told = (outcome) => withSession.tell(said ? withAnswer(outcome, said) : outcome);
      const { losses } = encodeTold(told(decided));
      return {
        ...head,
        losses: withSession.settle(told(decided), losses),
        ...(said && { asked: { allowed: said.allowed, by: said.by } }),
      };
    },
    encode: (outcome) => {
      answer = told ? told(outcome) : outcome;
      return encodeTold(answer);
    },
    // Context and messages are told once.
    end: () => {
      if (!hasEnded) claim.end(answer && !isForOne ? { ...answer, messages: [] } : undefined);
      hasEnded = true;
    },
  };
}

/** All of the payload but what may differ from one hook to the next of the same call. */
function claimedBy({ event, payload, cwd }: Sent, waitMs: number): Claimed {
  const { native: _native, timestamp: _timestamp, ...rest } = payload as Record<string, unknown>;
  const { tool_use_id, tool_call_id, toolCallId } = rest;
  const isNumbered = [tool_use_id, tool_call_id, toolCallId].some(
    (id) => typeof id === "string" && id !== "",
  );
  return { text: JSON.stringify(inOrder([event, cwd, rest])), isNumbered, waitMs };
}

/** What the calls of a session before this one left to it, and what it leaves to the next. */
function sessionTelling(
  session: RelaySession,
  { event, payload }: Sent,
  encodeTold: (told: Told) => Encoded,
) {
  const { phase } = eventRow(event);
  const { prompt } = payload as { readonly prompt?: unknown };
  // An agent may fire the event with no words of the user's, in the middle of a turn.
  if (phase === "prompt" && prompt !== "") session.goOn();
  const stopped = phase === "before a tool call" ? session.stopped() : undefined;
  let carried: readonly string[] | undefined;
  /** Context of before, where this answer carries it. */
  const withKept = (told: Told): Told => {
    const withTexts = (texts: readonly string[]): Told => ({
      ...told,
      messages: [
        ...texts.map((content) => ({
          to: "agent" as const,
          hook: ENGINE,
          block: { type: "text" as const, content },
        })),
        ...told.messages,
      ],
    });
    if (carried === undefined && session.hasKept()) {
      const { losses } = encodeTold(withTexts(["kept"]));
      carried = losses.some(({ what }) => what === "context") ? [] : session.takeKept();
    }
    return carried && carried.length > 0 ? withTexts(carried) : told;
  };
  return {
    isStopped: stopped !== undefined,
    tell: (told: Told): Told => {
      const isStopped = stopped !== undefined && !isRefused(told.decision.kind);
      return withKept(
        isStopped ? { ...told, decision: { kind: "deny", reason: `Stopped: ${stopped}` } } : told,
      );
    },
    /** Keeps what could not be told now. Returns the losses as they are then. */
    settle: ({ decision, messages }: Told, losses: Encoded["losses"]): Relayed["losses"] => {
      if (losses.some(({ what }) => what === "stop"))
        session.stop(decision.reason ?? "a hook has stopped the agent");
      return losses.map((loss) => {
        if (loss.what !== "context") return loss;
        const texts = messages
          .filter(({ to, block }) => to === "agent" && block.content !== decision.reason)
          .map(({ block }) => block.content);
        return texts.map((text) => session.keep(text)).includes(false)
          ? { ...loss, became: "nothing" }
          : loss;
      });
    },
  };
}

async function askFor(asking: Asking): Promise<Said> {
  const { askPerson } = await import("../questions/ask.ts");
  return askPerson(asking);
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
function withAnswer(outcome: Told, { allowed, by, reason }: Said): Told {
  if (by === "nobody") return outcome;
  const messages = outcome.messages.filter(({ block }) => block.content !== outcome.decision.reason);
  const denied = `A person denied this${reason === undefined ? "" : `: ${reason}`}`;
  return { ...outcome, messages, decision: allowed ? { kind: "none" } : { kind: "deny", reason: denied } };
}
