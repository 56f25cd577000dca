import { realpathSync } from "node:fs";
import { basename, dirname, relative, sep } from "node:path";
import {
  DEFAULT_DIALECT,
  type Diagnostic,
  type DialectName,
  type Outcome,
  type RunReport,
} from "@belay/core";
import { clean, oneLine } from "@belay/core/clean";
import { eventRow, plural, shellWord } from "@belay/core/internal";
import {
  createEngine,
  type Engine,
  type EngineOptions,
  type EventName,
  type EventRecord,
  type ExplainedMatch,
  UsageError,
} from "@belay/engine";
import { everyPlace, findProject, homeFolder, trustCommand } from "@belay/engine/internal";
import { BELAY, isFolder, nextCommand } from "../args/flags.ts";
import { disabledEntries, errorsIn, unreadIn } from "../hooks/disabled.ts";
import { shorten } from "../render/text.ts";
import { type Compared, type Comparison, firedAnew, silentOf, whyNotFired } from "./comparison.ts";

export type Rerun = ReturnType<typeof openRerun>;

interface Ran {
  runs: number;
  isConfigured: boolean;
  /** Of the events that were fired: those with a run in their record, and the last of them. */
  recorded: number;
  last?: EventRecord["event"];
  /** Of the events that were fired: runs that came to an answer, then and now. */
  answered: number;
  failed?: { readonly hook: string; readonly why: string; readonly event: EventName };
}

/** Engines that are kept; an event's folder says which config files and which project are meant. */
const MAX_ENGINES = 16;

export interface RerunOptions extends EngineOptions {
  readonly cwd: string;
  /** Where events are fired instead of the folder that was recorded. */
  readonly inFolder: string | undefined;
  readonly ownJournal: boolean;
}

export function openRerun({ inFolder, ownJournal, ...options }: RerunOptions) {
  const engines = new Map<string, { engine: Promise<Engine>; users: number }>();
  const skipped = skippedHooks(options);
  const away = otherProjects(options, ownJournal);
  const dialects = dialectsMet(options);
  const ran: Ran = { runs: 0, isConfigured: false, recorded: 0, answered: 0 };

  const open = (cwd: string) =>
    createEngine({
      ...options,
      cwd,
      journal: false,
      program: BELAY,
      limits: { stopCap: Number.POSITIVE_INFINITY },
    });

  async function closeIdle(): Promise<void> {
    for (const [cwd, { engine, users }] of engines) {
      if (users > 0 || engines.size < MAX_ENGINES) continue;
      engines.delete(cwd);
      await (await engine).close();
    }
  }

  async function withEngine<T>(cwd: string, use: (engine: Engine) => Promise<T>): Promise<T> {
    const kept = engines.get(cwd) ?? { engine: open(cwd), users: 0 };
    engines.set(cwd, kept);
    kept.users += 1;
    try {
      return await use(await kept.engine);
    } finally {
      kept.users -= 1;
      await closeIdle();
    }
  }

  /** A stop knows of the stops before it, and here they may come in any order: each has an engine without memories. */
  async function withOwnEngine<T>(cwd: string, use: (engine: Engine) => Promise<T>): Promise<T> {
    const engine = await open(cwd);
    try {
      return await use(engine);
    } finally {
      await engine.close();
    }
  }

  return {
    fire: async (record: EventRecord, signal: AbortSignal): Promise<Compared> => {
      const why = whyNotFired(record);
      if (why) return why;
      const cwd = inFolder ?? record.cwd;
      if (!isFolder(cwd)) return "folder-gone";
      const using = eventRow(record.event).stopChain === "link" ? withOwnEngine : withEngine;
      return using(cwd, async (engine) => {
        if (skipped.unreadable(engine.problems, cwd)) return "config-unreadable";
        const payload = { ...record.payload, cwd };
        const matches = await matchesOf(engine, record.event, payload);
        if (!matches) return "payload-refused";
        if (skipped.untrusted(matches.filter(isNotTrusted), cwd)) return "untrusted";
        if (inFolder === undefined) away.fired(cwd);
        const outcome = await engine.fire(record.event, payload, { signal });
        dialects.fired(record, outcome.runs);
        if (matches.length > 0) ran.isConfigured = true;
        const compared = firedAnew(record, outcome);
        count(ran, record, outcome, compared);
        return compared;
      });
    },
    skipped,
    otherProjects: away,
    dialects,
    ran,
    close: async () => {
      await Promise.all([...engines.values()].map(async ({ engine }) => (await engine).close()));
    },
  };
}

function count(ran: Ran, record: EventRecord, { runs }: Outcome, { before, after }: Comparison): void {
  const { event, hooks } = record;
  ran.runs += runs.length;
  ran.answered += hooks.length - before.faults.length + runs.length - after.faults.length;
  const [silent] = silentOf(runs, event);
  if (silent) ran.failed ??= { ...silent, event };
  if (hooks.length === 0) return;
  ran.recorded += 1;
  ran.last = event;
}

/** Undefined for a payload that is refused before any hook is asked: only a journal that was not written here has one. */
async function matchesOf(engine: Engine, event: EventName, payload: Record<string, unknown>) {
  try {
    return (await engine.explain(event, payload)).matches;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/** It would fire and is not run. One that was edited would refuse, and that says nothing of what it would have answered. */
function isNotTrusted({ because }: ExplainedMatch): boolean {
  return because === "untrusted" || because === "edited";
}

/** Does a task for each item of a stream, a few at once. Results come in the order of the stream. */
export async function* inOrder<From, To>(
  source: AsyncIterable<From>,
  atOnce: number,
  task: (item: From) => Promise<To>,
): AsyncGenerator<To> {
  const underWay: Promise<To>[] = [];
  for await (const item of source) {
    const started = task(item);
    // It is awaited later: a rejection must not count as unhandled until then.
    started.catch(() => {});
    underWay.push(started);
    if (underWay.length >= atOnce) yield await (underWay.shift() as Promise<To>);
  }
  for (const rest of underWay) yield await rest;
}

/** Whether hooks are read as they were: what one dialect refuses, another may let through, with the policy unchanged. */
function dialectsMet({ dialect, configFiles, pluginDirs }: EngineOptions) {
  const events = new Map<string, { readonly was: DialectName; readonly is: string; count: number }>();
  const recorded = new Set<DialectName | undefined>();
  return {
    fired: ({ hooks }: EventRecord, runs: readonly RunReport[]) => {
      for (const { dialect: was, source } of hooks) recorded.add(isOfBelay(source) ? undefined : was);
      // A plugin is read as plugins are written, whatever it is held against.
      if (pluginDirs) return;
      const [was] = hooks.map((hook) => hook.dialect);
      const is = runs.find((run) => hooks.every((hook) => hook.dialect !== run.dialect))?.dialect;
      if (was === undefined || is === undefined) return;
      const kept = events.get(`${was} ${is}`) ?? { was, is, count: 0 };
      events.set(`${was} ${is}`, { ...kept, count: kept.count + 1 });
    },
    /** The one dialect whose files had the hooks that ran when recorded, if another one's are looked for now. */
    missed: () => {
      const [only, another] = recorded;
      if (configFiles || pluginDirs || another !== undefined) return undefined;
      return only === (dialect ?? DEFAULT_DIALECT) ? undefined : only;
    },
    sentences: () =>
      [...events.values()].map(({ was, is, count }) => {
        const next = dialect === undefined ? `; next: the same with --dialect ${was}` : "";
        return `hooks of ${plural(count, "event")} were read as ${was} when recorded, and as ${is} now${next}`;
      }),
  };
}

/** Belay's own files may name any dialect, and are read without the flag. */
function isOfBelay(source: string): boolean {
  return basename(dirname(source)) === ".belay" || basename(dirname(dirname(source))) === ".belay";
}

/* What a rerun did not ask, and whom it asked instead: a step in CI must not pass judgement on hooks that were not run. */

const MAX_SENTENCES = 3;
const MAX_NAMES = 5;
const MAX_NAME = 60;

/** Hooks of the policy that did not run: one sentence for each command that changes this. */
export function skippedHooks(options: EngineOptions) {
  const byCommand = new Map<string, { hooks: Set<string>; events: number }>();
  const broken = new Map<string, string>();
  return {
    /** Notes hooks of an event that are not trusted. Returns true if there are any. */
    untrusted: (hooks: readonly ExplainedMatch[], cwd: string) => {
      if (hooks.length === 0) return false;
      const folders = { project: findProject(cwd), cwd, home: homeFolder() };
      const asker = { program: BELAY, dialect: options.dialect };
      const command = trustCommand(
        asker,
        folders,
        hooks.map(({ hook }) => hook),
      );
      const kept = byCommand.get(command) ?? { hooks: new Set(), events: 0 };
      for (const { hook } of hooks) kept.hooks.add(hook.name);
      kept.events += 1;
      byCommand.set(command, kept);
      return true;
    },
    /** Notes problems that keep hooks of a folder off. Returns true if there are any. */
    unreadable: (problems: readonly Diagnostic[], cwd: string) => {
      const [unread] = unreadIn(problems);
      const off = errorsIn(problems);
      const why = unread?.message ?? (off.length > 0 ? `in ${cwd} ${disabledEntries(off)}` : undefined);
      const { configFiles: config, pluginDirs: plugin, dialect } = options;
      if (why !== undefined) broken.set(nextCommand("check", { config, plugin, dialect, cwd }), why);
      return why !== undefined;
    },
    sentences: () =>
      capped(
        [
          ...[...broken].map(([command, message]) => `${oneLine(message)}; next: ${command}`),
          ...[...byCommand].map(
            ([command, { hooks, events }]) =>
              `not trusted, and so not run on ${plural(events, "event")}: ${namesOf([...hooks])}; next: ${oneLine(command)}`,
          ),
        ],
        (more) => `and ${more} more of this kind`,
      ),
  };
}

function namesOf(hooks: readonly string[]): string {
  const named = hooks.slice(0, MAX_NAMES).map((name) => shorten(oneLine(name), MAX_NAME));
  const more = hooks.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function capped(sentences: readonly string[], rest: (more: number) => string): string[] {
  const more = sentences.length - MAX_SENTENCES;
  return more > 0 ? [...sentences.slice(0, MAX_SENTENCES), rest(more)] : [...sentences];
}

/**
 * Events that were fired in another project than the one a command is about, and so with the scripts there. `ownJournal`: the
 * records are of the project's own journal, and folders below the project belong to it.
 */
export function otherProjects(options: EngineOptions & { readonly cwd: string }, ownJournal: boolean) {
  const meant = meantProjects(options);
  const byProject = new Map<string, { readonly instead: string; events: number }>();
  const projects = new Map<string, string>();
  const count = () => [...byProject.values()].reduce((sum, { events }) => sum + events, 0);
  return {
    fired: (cwd: string) => {
      const project = projects.get(cwd) ?? projectOf(cwd);
      projects.set(cwd, project);
      const instead = meant.find((one) => one !== project && !(ownJournal && isBelow(project, one)));
      if (instead === undefined) return;
      const kept = byProject.get(project) ?? { instead, events: 0 };
      kept.events += 1;
      byProject.set(project, kept);
    },
    count,
    sentences: () =>
      capped(
        [...byProject].map(
          ([project, { instead, events }]) =>
            `${plural(events, "event")} fired in ${oneLine(project)}, with the scripts there and not those of ${oneLine(instead)}; next: the same with --in ${shellWord(clean(typedPath(instead)))}`,
        ),
        (more) => `and in ${plural(more, "project")} more`,
      ),
  };
}

/**
 * The projects whose own settings are named; else the one that the command is given in. A plugin means none: it brings its
 * scripts along, and those of its folder run wherever an event is fired.
 */
function meantProjects({
  cwd,
  configFiles = [],
  dialect,
}: EngineOptions & { readonly cwd: string }): string[] {
  const owners = configFiles.flatMap((file) => {
    const project = findProject(dirname(file));
    const where = { cwd: project, project, ...(dialect && { dialect }) };
    const isOwn = everyPlace(where).places.some((place) => place.layer !== "user" && place.file === file);
    return isOwn ? [projectOf(project)] : [];
  });
  return owners.length > 0 ? [...new Set(owners)] : [projectOf(cwd)];
}

function projectOf(cwd: string): string {
  return realpathSync(findProject(realpathSync(cwd)));
}

function isBelow(folder: string, above: string): boolean {
  return folder.startsWith(above.endsWith(sep) ? above : above + sep);
}

function typedPath(folder: string): string {
  const path = relative(realpathSync("."), folder);
  if (path === "") return ".";
  return path.startsWith("..") ? folder : path;
}
