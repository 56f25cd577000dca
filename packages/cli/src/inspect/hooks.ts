import type { Hook } from "@belay/core";
import { reportOf, whyNoAnswer } from "@belay/core/compare";
import { placeOf, whatRuns } from "@belay/core/internal";
import { createEngine, type EngineOptions } from "@belay/engine";
import {
  configLoader,
  configPlaces,
  everyPlace,
  findProject,
  homeFolder,
  linesFromEnd,
  readText,
  relativeScripts,
  trustCommand,
} from "@belay/engine/internal";
import type { ConfigText, EventDetail, HookRun, HooksPage, InspectedHook } from "@belay/inspector/api";
import { configuredHook, type PlacedHook } from "@belay/inspector/configured-hook";
import { BELAY } from "../args/flags.ts";
import { unreadHooks } from "../hooks/no-hooks.ts";
import { whyNotDecided } from "../replay/comparison.ts";
import { keyOf } from "./timeline.ts";

const MAX_EVENTS = 5_000;
/** Milliseconds of the processor: a busy machine finds the same runs as an idle one. */
const SEARCH_MS = 400;
const MAX_RUNS = 60;
const MAX_CONFIG = 1024 * 1024;

export type Looking = Omit<EngineOptions, "journal"> & { readonly cwd: string };

export async function readHooks(options: Looking, folder: string): Promise<HooksPage> {
  const engine = await createEngine({ ...options, journal: false });
  try {
    const listed = await engine.hooks();
    const today = listed.map(({ hook, trusted }) => ({
      name: hook.name,
      event: hook.event,
      source: placeOf(hook.source),
      hook,
      trusted,
    }));
    const asker = { program: BELAY, dialect: options.dialect };
    const folders = { project: engine.project, cwd: options.cwd, home: homeFolder(options.home) };
    const { runs, searched, unknown, since } = recentRuns(folder, today);
    return {
      hooks: today.map((one) => ({
        ...inspected(one.hook, runs.get(one)),
        trusted: one.trusted,
        trust: trustCommand(asker, folders, [one.hook]),
      })),
      problems: engine.problems,
      unread: await unreadHooks(options),
      project: engine.project,
      searched,
      unknown,
      ...(since !== undefined && { since }),
      files: configTexts(options, engine.project),
    };
  } finally {
    await engine.close();
  }
}

function inspected(hook: Hook, recent: readonly HookRun[] = []): Omit<InspectedHook, "trusted" | "trust"> {
  const { name, event, matcher, handler, source, dialect, timeoutMs, mode, onFailure, enabled } = hook;
  return {
    name,
    event,
    matcher: matcher.source,
    type: handler.type,
    runs: handler.type === "json" ? JSON.stringify(handler.json) : whatRuns(handler),
    layer: source.layer,
    source: placeOf(source),
    path: source.path,
    dialect,
    timeoutMs,
    mode,
    onFailure,
    enabled,
    recent: [...recent].reverse(),
  };
}

function recentRuns(folder: string, today: readonly PlacedHook[]) {
  const runs = new Map<PlacedHook, HookRun[]>();
  const found = new Map<string, PlacedHook | undefined>();
  const hookOf = (recorded: PlacedHook) => {
    const key = Object.values(recorded).join("\0");
    if (!found.has(key)) found.set(key, configuredHook(recorded, today));
    return found.get(key);
  };
  const begun = process.cpuUsage();
  let searched = 0;
  let unknown = 0;
  let since: string | undefined;
  for (const line of linesFromEnd(folder)) {
    if (searched === MAX_EVENTS || process.cpuUsage(begun).user > SEARCH_MS * 1000) break;
    if ("flaw" in line) continue;
    searched += 1;
    const { record } = line;
    since = record.time;
    if (whyNotDecided(record)) {
      unknown += 1;
      continue;
    }
    for (const hook of record.hooks) {
      const now = hookOf({ name: hook.name, event: record.event, source: hook.source });
      if (!now) continue;
      const kept = runs.get(now) ?? [];
      runs.set(now, kept);
      if (kept.length === MAX_RUNS) continue;
      const report = reportOf(record.event, hook);
      const fault = whyNoAnswer(report, record.event);
      kept.push({
        key: keyOf(line),
        time: record.time,
        took: report.executionTime,
        verdict: report.verdict,
        adds: report.adds ?? [],
        ...(fault !== undefined && { fault }),
      });
    }
  }
  return { runs, searched, unknown, since };
}

/** The files that are there; one that cannot be read is among the problems. */
function configTexts(options: Looking, project: string): ConfigText[] {
  return configPlaces({ ...options, project, sessionId: options.sessionId ?? "" }).flatMap(
    ({ file, layer }) => {
      try {
        return [{ file, layer, text: readText(file, { max: MAX_CONFIG }) }];
      } catch {
        return [];
      }
    },
  );
}

/** Which of today's hooks match an event; nothing runs. Hooks of unreadable files and disabled entries are left out. */
export async function matchesOf(
  options: Looking,
  event: Hook["event"],
  payload: Readonly<Record<string, unknown>>,
): Promise<Pick<EventDetail, "matches" | "unmatched">> {
  const engine = await createEngine({ ...options, journal: false });
  try {
    const explained = await engine.explain(event, payload);
    const broken = engine.problems.filter(
      ({ code, severity }) => severity === "error" && code.startsWith("config-"),
    );
    const matches = explained.matches.map(({ hook, fires, because, explanation }) => ({
      hook: hook.name,
      source: placeOf(hook.source),
      fires,
      because,
      explanation,
      event: hook.event,
      ...(hook.sequential && { group: hook.group }),
    }));
    const unmatched = broken.map(({ message, fix }) => `${message}. ${fix}`).join(" ");
    return { matches, ...(unmatched !== "" && { unmatched }) };
  } finally {
    await engine.close();
  }
}

/** Places of today's hooks, of any layer, that name a script relative to the folder of an event. */
export async function relativeHooks(options: Looking, cwd: string): Promise<ReadonlySet<string>> {
  const home = homeFolder(options.home);
  const project = findProject(options.cwd, home);
  const { hooks } = await configLoader().load(everyPlace({ ...options, home, project }).places);
  const folders = { project, cwd, home };
  const relative = hooks.filter((hook) => relativeScripts(hook, folders).length > 0);
  return new Set(relative.map(({ source }) => placeOf(source)));
}
