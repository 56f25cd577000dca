import { relative } from "node:path";
import type { EventName } from "@belay/core";
import { doubtsAbout } from "../../args/payload.ts";
import { homeOfConfig, homeOfScript, sayMisread } from "../../hooks/dialect-hint.ts";
import type { CaseFile } from "./case-file.ts";
import { notesOn } from "./how-to-run.ts";
import type { Path, Source } from "./source.ts";

/** Something that the author of a case file should know, although the file can be run. */
export interface FileWarning {
  readonly line: number;
  readonly message: string;
  readonly fix?: string;
}

export function warningsIn(read: CaseFile, source: Source): FileWarning[] {
  const { data, cases, hooks } = read;
  const notes = "runnable" in hooks ? notesOn(hooks.runnable) : [];
  const { defaults = {} } = data;
  const payloads = [
    { of: "defaults", path: ["defaults"], payload: defaults.payload, event: defaults.event },
    ...cases.map(({ name, event, index }) => ({
      of: `case ${JSON.stringify(name)}`,
      path: ["cases", index],
      payload: data.cases[index]?.payload,
      event,
    })),
  ];
  return [
    ...notes.map(({ message, fix }) => ({ line: source.lineAt(["hook"]), message, fix })),
    ...misread(read, source),
    ...cases.filter(({ only }) => only).map(({ name, index }) => forgotten(name, index, source)),
    ...payloads.flatMap(({ of, path, payload, event }) => slips(of, path, payload, event, source)),
  ];
}

/** Warns of files of another system that are read by the default dialect, where the case file names none. */
function misread({ data, hooks, folder }: CaseFile, source: Source): FileWarning[] {
  if (data.dialect !== undefined) return [];
  const [at, files, homeOf] =
    "runnable" in hooks
      ? (["hook", [hooks.runnable.script?.file ?? []].flat(), homeOfScript] as const)
      : (["config", hooks.configFiles ?? [], homeOfConfig] as const);
  return files.flatMap((file) => {
    const home = homeOf(file);
    if (home === undefined) return [];
    return {
      line: source.lineAt([at]),
      message: sayMisread(relative(folder, file), home),
      fix: `add dialect: ${home} to read it as there`,
    };
  });
}

/** Warns of `only`: a suite in which it was forgotten is green, whatever the other cases would say. */
function forgotten(name: string, index: number, source: Source): FileWarning {
  return {
    line: source.lineAt(["cases", index, "only"]),
    message: `case ${JSON.stringify(name)} says only: cases without it are skipped, in every file`,
    fix: "take `only` out before you commit",
  };
}

function slips(
  of: string,
  path: Path,
  payload: Readonly<Record<string, unknown>> | undefined,
  event: EventName | undefined,
  source: Source,
): FileWarning[] {
  if (payload === undefined || event === undefined) return [];
  return doubtsAbout(event, payload).map((doubt) => ({
    line: source.lineAt([...path, "payload"]),
    message: `${of}: ${doubt}`,
  }));
}
