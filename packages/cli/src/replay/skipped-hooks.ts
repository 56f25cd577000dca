import { realpathSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import type { Diagnostic } from "@belay/core";
import { clean, oneLine } from "@belay/core/clean";
import { plural, shellWord } from "@belay/core/internal";
import type { EngineOptions, ExplainedMatch } from "@belay/engine";
import { everyPlace, findProject, homeFolder, trustCommand } from "@belay/engine/internal";
import { errorsIn, keptOff, unreadIn } from "../hooks/disabled.ts";
import { BELAY, nextCommand } from "../next-command.ts";
import { shorten } from "../render/text.ts";

/* What a rerun did not ask, and whom it asked instead: a step in CI must not pass judgement on hooks that were not run. */

/** Hooks of the policy that did not run: each with the command that changes this. */
export interface SkippedHooks {
  /** Notes hooks of an event that are not trusted. Returns true if there are any. */
  untrusted(hooks: readonly ExplainedMatch[], cwd: string): boolean;
  /** Notes problems that keep hooks of a folder off. Returns true if there are any. */
  unreadable(problems: readonly Diagnostic[], cwd: string): boolean;
  /** One sentence for each command. */
  sentences(): string[];
}

/** Sentences, names in a sentence, and characters of a name. */
const MAX_SENTENCES = 3;
const MAX_NAMES = 5;
const MAX_NAME = 60;

export function skippedHooks(options: EngineOptions): SkippedHooks {
  const byCommand = new Map<string, { hooks: Set<string>; events: number }>();
  const broken = new Map<string, string>();
  return {
    untrusted: (hooks, cwd) => {
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
    unreadable: (problems, cwd) => {
      const [unread] = unreadIn(problems);
      const off = errorsIn(problems);
      const why = unread?.message ?? (off.length > 0 ? `in ${cwd} ${keptOff(off)}` : undefined);
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

/** Events that were fired in another project than the one a command is about, and so with the scripts there. */
export interface OtherProjects {
  /** Notes an event that is fired in this folder. */
  fired(cwd: string): void;
  count(): number;
  /** One sentence for each project, with the flag that runs the events in the project that is meant. */
  sentences(): string[];
}

/** `ownJournal`: the records are of the project's own journal, and folders below the project belong to it. */
export function otherProjects(
  options: EngineOptions & { readonly cwd: string },
  ownJournal: boolean,
): OtherProjects {
  const meant = meantProjects(options);
  const byProject = new Map<string, { readonly instead: string; events: number }>();
  const projects = new Map<string, string>();
  const count = () => [...byProject.values()].reduce((sum, { events }) => sum + events, 0);
  return {
    fired: (cwd) => {
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
