import { COMMON_EVENT_NAMES } from "@belay/core/internal";
import {
  createEngine,
  type Engine,
  type EngineOptions,
  EVENT_NAMES,
  type EventName,
  UsageError,
} from "@belay/engine";
import { hintAtDialects } from "../hooks/dialect-hint.ts";
import type { Io } from "../io.ts";
import { noArguments, oneOf } from "./args.ts";
import { BELAY, type EventFlags, refuseBroken, simulatingOptions } from "./flags.ts";
import { doubtsAbout, type Given, payloadFor, readGiven, saidFields } from "./payload.ts";

export interface EventCall {
  readonly event: EventName;
  readonly payload: Record<string, unknown>;
  readonly engine: Engine;
}

/** Reads the event and its payload, and opens the engine; anything wrong is said before a hook runs. */
export async function openEvent(
  values: EventFlags,
  positionals: readonly string[],
  usage: string,
  io: Io,
  onHook?: EngineOptions["onHook"],
): Promise<EventCall> {
  const named = positionals.length === 0 && values.input !== undefined ? await readGiven(values) : undefined;
  const event = named ? eventIn(named, usage) : oneEvent(positionals, usage);
  const engine = await openEngine(values, onHook);
  const given = named ?? (await readGiven(values, event));
  const payload = payloadFor(event, values, given, engine.sessionId);
  hintAtDialects(values, io);
  for (const doubt of doubtsAbout(event, payload, saidFields(given, values)))
    io.err(`belay: warning: ${doubt}\n`);
  return { event, payload, engine };
}

export function oneEvent([name, ...extra]: readonly string[], usage: string): EventName {
  if (name === undefined) throw noEvent("", usage);
  const event = oneOf(name, EVENT_NAMES, "event");
  noArguments(extra, `usage: ${usage}`);
  return event;
}

function eventIn({ hook_event_name: name }: Given, usage: string): EventName {
  if (typeof name !== "string") throw noEvent(": the payload has no hook_event_name", usage);
  return oneEvent([name], usage);
}

function noEvent(why: string, usage: string): UsageError {
  return new UsageError(
    `an event is needed${why}`,
    `usage: ${usage}; events: ${COMMON_EVENT_NAMES.join(", ")} and those of \`${BELAY} schema\``,
  );
}

async function openEngine(values: EventFlags, onHook: EngineOptions["onHook"]): Promise<Engine> {
  const engine = await createEngine({
    ...simulatingOptions(values),
    program: BELAY,
    // One event and gone: a companion would never pay.
    launcher: "off",
    limits: { stopCap: Number.POSITIVE_INFINITY },
    ...(onHook && { onHook }),
    ...(values.session !== undefined && { sessionId: values.session }),
  });
  refuseBroken(engine.problems, values);
  return engine;
}
