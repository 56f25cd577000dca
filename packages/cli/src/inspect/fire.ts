import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { isEventName, replay } from "@belay/core";
import { isObject } from "@belay/core/internal";
import { createEngine, type Engine, UsageError } from "@belay/engine";
import { linesFromEnd } from "@belay/engine/internal";
import type { Fired, FireRequest } from "@belay/inspector/api";
import { lacksSecrets, payloadProblems } from "@belay/inspector/payload";
import { mapText } from "../testing/run/case-folders.ts";
import { type Looking, matchesOf } from "./hooks.ts";
import { share } from "./share.ts";
import { aboutOf } from "./timeline.ts";

export type Fires = ReturnType<typeof openFires>;

/** The events that are being fired. `close` ends them, and waits until their hooks and folders are gone. */
export function openFires() {
  const ended = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    fire: (options: Looking, request: unknown, flags: string, signal: AbortSignal) => {
      const fired = fireOnce(options, request, flags, AbortSignal.any([signal, ended.signal]));
      const done = fired.catch(() => {}).finally(() => running.delete(done));
      running.add(done);
      return fired;
    },
    close: async () => {
      ended.abort();
      await Promise.all(running);
    },
  };
}

/** Fires one event for the playground. Its hooks really run; it is recorded in a scratch folder alone. */
async function fireOnce(
  options: Looking,
  request: unknown,
  flags: string,
  signal: AbortSignal,
): Promise<Fired> {
  const { event, payload, config } = checked(request);
  const folder = mkdtempSync(join(tmpdir(), "belay-inspect-"));
  try {
    const file = join(folder, "settings.json");
    if (config !== undefined) writeFileSync(file, config, { mode: 0o600 });
    const { pluginDirs: _, ...own } = options;
    const edited = config === undefined ? undefined : { ...own, configFiles: [file] };
    const rename = edited && ((text: string) => namingEdited(text, folder, file));
    const journal = join(folder, "journal");
    mkdirSync(journal, { mode: 0o700 });
    const engine = await createEngine({
      ...(edited ?? options),
      journal,
      launcher: "off",
      limits: { stopCap: Number.POSITIVE_INFINITY },
    });
    try {
      refuseBroken(engine, rename);
      const outcome = await engine.fire(event, payload, { signal }).catch((error: unknown) => {
        // The reason of an abort may be anything; the server answers with an error alone.
        throw signal.aborted ? new UsageError("the event was stopped; nothing is decided") : error;
      });
      const [line] = linesFromEnd(journal);
      if (!line || !("record" in line))
        throw new UsageError(`the event was not recorded in ${journal}`, "make room there, and fire again");
      // A payload that was recorded before may lack its secrets, and what is made of it lacks them too.
      const record = { ...line.record, ...(lacksSecrets(payload) && { redacted: true as const }) };
      const matched = await matchesOf(edited ?? options, event, payload);
      const fired = {
        record,
        ...aboutOf(record),
        ...matched,
        outcome,
        share: await share(record, options, flags, edited),
      };
      return rename ? firedAtEdited(fired, rename) : fired;
    } finally {
      await engine.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Calls the edited config what its author knows it by: nobody can correct anything in a folder that is gone. Lines stay:
 * "the edited config:3".
 */
function namingEdited(text: string, folder: string, file: string): string {
  return text
    .replaceAll(file, "the edited config")
    .replaceAll(folder + sep, `.${sep}`)
    .replaceAll(folder, "the folder of the edited config");
}

/**
 * Renames the edited config in Belay's own words: where hooks stand, why one was not run, what the config's problems are.
 * The outcome follows from these facts, so the words of hooks stay as hooks said them.
 */
function firedAtEdited({ record, share, outcome: _, ...matched }: Fired, rename: (text: string) => string) {
  const renamed = <T>(value: T) => mapText(value, rename) as T;
  const facts = {
    ...record,
    hooks: record.hooks.map(({ run, source, ...hook }) => ({
      ...hook,
      source: rename(source),
      run: { ...run, ...(run.failure && { failure: renamed(run.failure) }) },
    })),
    extra: renamed(record.extra),
  };
  const { runs, ...settled } = replay(facts);
  return {
    ...renamed(matched),
    record: { ...facts, outcome: settled },
    isEdited: true as const,
    outcome: { ...settled, runs },
    share,
  };
}

function checked(request: unknown) {
  const { event, payload, config } = (isObject(request) ? request : {}) as Partial<FireRequest>;
  if (event === undefined || !isEventName(event))
    throw new UsageError("there is no such event", "choose one of the list");
  if (!isObject(payload)) throw new UsageError("the payload is no JSON object", "start from a sample");
  if (config !== undefined && typeof config !== "string") throw new UsageError("the config is no text");
  const problems = payloadProblems(event, payload);
  if (problems.length > 0)
    throw new UsageError(`the payload does not fit ${event}: ${problems.join("; ")}`, "start from a sample");
  return { event, payload, config };
}

function refuseBroken({ problems }: Engine, rename?: (text: string) => string): void {
  const broken = problems.find(({ code }) => code === "config-unreadable");
  if (!broken) return;
  if (!rename) throw new UsageError(broken.message, broken.fix);
  throw new UsageError(rename(broken.message), "Correct it here, and fire again.");
}
