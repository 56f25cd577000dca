import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isEventName, isObject } from "@belay/core";
import { createEngine, type Engine, UsageError } from "@belay/engine";
import { findProject, linesFromEnd } from "@belay/engine/tools";
import type { Fired, FireRequest } from "@belay/inspector/api";
import { payloadProblems } from "@belay/inspector/payload-problems";
import { type CaseHooks, caseHooks } from "./case-hooks.ts";
import { namingEdited } from "./edited-config.ts";
import { type Looking, matchesOf, relativeHooks } from "./hooks.ts";
import { share } from "./share.ts";

/** The events that are being fired: whoever ends the server waits until their hooks and folders are gone. */
export interface Fires {
  readonly fire: typeof fireOnce;
  close(): Promise<void>;
}

export function openFires(): Fires {
  const ended = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    fire: (options, request, flags, signal) => {
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

/** Fires one event for the playground: really, and recorded in a scratch folder alone. */
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
    const meant = config === undefined ? options : { ...own, configFiles: [file] };
    const journal = join(folder, "journal");
    mkdirSync(journal, { mode: 0o700 });
    const engine = await createEngine({
      ...meant,
      journal,
      launcher: "off",
      limits: { stopCap: Number.POSITIVE_INFINITY },
    });
    try {
      refuseBroken(engine, config === undefined ? undefined : { folder, file });
      const outcome = await engine.fire(event, payload, { signal });
      const [line] = linesFromEnd(journal);
      if (!line || !("record" in line))
        throw new UsageError(`the event was not recorded in ${journal}`, "make room there, and fire again");
      const { record } = line;
      const matched = await matchesOf(meant, event, payload);
      const shared = share(record, outcome, {
        flags: config === undefined ? flags : "",
        named: config === undefined ? caseHooks(options, record) : ofEdited(options),
        relative: await relativeHooks(meant, record.cwd),
        editedConfig: config !== undefined,
      });
      const fired = { record, ...matched, outcome, share: shared };
      if (config === undefined) return fired;
      return namingEdited({ ...fired, isEdited: true as const }, { folder, file });
    } finally {
      await engine.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An edited config has no name yet. */
function ofEdited({ cwd, home, dialect }: Looking): CaseHooks {
  return { project: findProject(cwd, home), names: dialect ? { dialect } : {}, unread: [] };
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

/** `edited`: where an edited config was for a moment. */
function refuseBroken({ problems }: Engine, edited: { folder: string; file: string } | undefined): void {
  const broken = problems.find(({ code }) => code === "config-unreadable");
  if (!broken) return;
  if (edited === undefined) throw new UsageError(broken.message, broken.fix);
  throw new UsageError(namingEdited(broken.message, edited), "Correct it here, and fire again.");
}
