import { relative, sep } from "node:path";
import { type EventRecord, isDialectName } from "@belay/core";
import type { CaseFileData } from "@belay/core/schema";
import { configPlaces, findProject, sessionOf } from "@belay/engine/tools";
import type { Looking } from "./hooks.ts";

/** How the file of a test case names the hooks of an event. */
export interface CaseHooks {
  /** Where the file belongs: its paths begin there. */
  readonly project: string;
  readonly names: Pick<CaseFileData, "config" | "plugin" | "dialect">;
  /** Files with hooks that took part and that such a case does not read. */
  readonly unread: readonly string[];
}

/** A page that was given no flags goes by the record: its dialect is named where that is how its hooks were found. */
export function caseHooks(looking: Looking, record: EventRecord): CaseHooks {
  const { cwd, home, configFiles = [], pluginDirs = [], dialect } = looking;
  const project = findProject(cwd, home);
  const tookPart = filesOf(record);
  const unread = unreadBy({ ...looking, project }, tookPart);
  const isGiven = configFiles.length > 0 || pluginDirs.length > 0 || dialect !== undefined;
  if (!isGiven && unread.length > 0 && isDialectName(record.dialect)) {
    const found = unreadBy({ ...looking, project, dialect: record.dialect }, tookPart);
    if (found.length === 0) return { project, names: { dialect: record.dialect }, unread: [] };
  }
  const listed = (files: readonly string[]) => {
    const paths = files.map((file) => pathFrom(project, file));
    return paths.length === 1 ? paths[0] : paths;
  };
  const names = {
    ...(configFiles.length > 0 && { config: listed(configFiles) }),
    ...(pluginDirs.length > 0 && { plugin: listed(pluginDirs) }),
    ...(dialect && { dialect }),
  };
  return { project, names, unread };
}

/** As it is written in a case file, on every system. */
export function pathFrom(project: string, path: string): string {
  return relative(project, path).split(sep).join("/") || ".";
}

/** But not those of sessions, which no case can name. */
function filesOf({ hooks }: EventRecord): string[] {
  const files = hooks.map(({ source }) => source.replace(/:\d+$/, ""));
  return [...new Set(files)].filter((file) => sessionOf(file) === undefined);
}

function unreadBy(looking: Looking & { readonly project: string }, files: readonly string[]): string[] {
  const places = configPlaces({ ...looking, sessionId: "" }).filter(({ layer }) => layer !== "user");
  const read = new Set(places.map(({ file }) => file));
  return files.filter((file) => !read.has(file));
}
