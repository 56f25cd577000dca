import { realpathSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import { clean, oneLine } from "@belay/core/clean";
import { plural, shellWord } from "@belay/core/internal";
import type { EngineOptions } from "@belay/engine";
import { everyPlace, findProject } from "@belay/engine/internal";

/**
 * Events that were fired in another project than the one a command is about: with the scripts there, whatever the settings
 * here say. A step in CI would pass judgement on a checkout that it has not looked at.
 */
export interface Elsewhere {
  /** Notes an event that is fired in this folder. */
  fired(cwd: string): void;
  count(): number;
  /** A sentence for each project, with the flag that runs the events in the one that is meant. */
  said(): string[];
}

/** Projects that are named. */
const MAX_SAID = 3;

/** `ownJournal`: the records are of the project's own journal, and folders below the project belong to it. */
export function elsewhere(options: EngineOptions & { readonly cwd: string }, ownJournal: boolean): Elsewhere {
  const meant = meantProjects(options);
  const byProject = new Map<string, { readonly instead: string; events: number }>();
  const insteadOf = remembered((cwd: string) => {
    const project = projectOf(cwd);
    const instead = meant.find((one) => one !== project && !(ownJournal && isBelow(project, one)));
    return instead === undefined ? undefined : { project, instead };
  });
  const count = () => [...byProject.values()].reduce((sum, { events }) => sum + events, 0);
  return {
    fired: (cwd) => {
      const found = insteadOf(cwd);
      if (!found) return;
      const kept = byProject.get(found.project) ?? { instead: found.instead, events: 0 };
      kept.events += 1;
      byProject.set(found.project, kept);
    },
    count,
    said: () => {
      const sentences = [...byProject].map(
        ([project, { instead, events }]) =>
          `${plural(events, "event")} fired in ${oneLine(project)}, with the scripts there and not those of ${oneLine(instead)}; next: the same with --in ${shellWord(clean(typedPath(instead)))}`,
      );
      const more = sentences.length - MAX_SAID;
      return more > 0
        ? [...sentences.slice(0, MAX_SAID), `and in ${plural(more, "project")} more`]
        : sentences;
    },
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

function remembered<To>(find: (key: string) => To): (key: string) => To {
  const known = new Map<string, To>();
  return (key) => {
    if (!known.has(key)) known.set(key, find(key));
    return known.get(key) as To;
  };
}
