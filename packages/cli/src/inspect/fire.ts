import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EventRecord, isEventName, REDACTED } from "@belay/core";
import { isObject } from "@belay/core/internal";
import { createEngine, type Engine, UsageError } from "@belay/engine";
import { findProject, linesFromEnd } from "@belay/engine/internal";
import type { Fired, FireRequest } from "@belay/inspector/api";
import { payloadProblems } from "@belay/inspector/payload-problems";
import { type EditedConfig, matchedNamingEdited, namingEdited, recordNamingEdited } from "./edited-config.ts";
import { type Looking, matchesOf, relativeHooks } from "./hooks.ts";
import { type CaseHooks, caseHooks, share } from "./share.ts";

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
      const edited = config === undefined ? undefined : { folder, file };
      refuseBroken(engine, edited);
      const outcome = await engine.fire(event, payload, { signal }).catch((error: unknown) => {
        // Its reason may be anything; only an error is answered.
        throw signal.aborted ? new UsageError("the event was stopped; nothing is decided") : error;
      });
      const [line] = linesFromEnd(journal);
      if (!line || !("record" in line))
        throw new UsageError(`the event was not recorded in ${journal}`, "make room there, and fire again");
      const record = fromRecord(line.record, payload);
      const matched = await matchesOf(meant, event, payload);
      const relative = await relativeHooks(meant, record.cwd);
      if (edited) return firedNamingEdited(record, matched, { relative, named: ofEdited(options) }, edited);
      const named = caseHooks(options, record);
      return { record, ...matched, outcome, share: share(record, { flags, named, relative }) };
    } finally {
      await engine.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A payload that was recorded before may lack its secrets, and what is made of it lacks them too. */
function fromRecord(record: EventRecord, payload: FireRequest["payload"]): EventRecord {
  return JSON.stringify(payload).includes(REDACTED) ? { ...record, redacted: true } : record;
}

/** Its outcome is that of the record, where nothing names a folder that is gone. */
function firedNamingEdited(
  recorded: EventRecord,
  matched: Pick<Fired, "matches" | "unmatched">,
  { relative, named }: { readonly relative: ReadonlySet<string>; readonly named: CaseHooks },
  edited: EditedConfig,
): Fired {
  const { record, outcome } = recordNamingEdited(recorded, edited);
  const shareable = {
    flags: "",
    named,
    relative: new Set([...relative].map((source) => namingEdited(source, edited))),
    editedConfig: true,
  };
  return {
    record,
    ...matchedNamingEdited(matched, edited),
    isEdited: true,
    outcome,
    share: share(record, shareable),
  };
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
function refuseBroken({ problems }: Engine, edited: EditedConfig | undefined): void {
  const broken = problems.find(({ code }) => code === "config-unreadable");
  if (!broken) return;
  if (edited === undefined) throw new UsageError(broken.message, broken.fix);
  throw new UsageError(namingEdited(broken.message, edited), "Correct it here, and fire again.");
}
