import type { EventName } from "@belay/core";
import type { CaseFileData } from "@belay/core/schema";
import { doubtsAbout } from "../payload-args.ts";
import type { FoundHooks } from "./hooks-of.ts";
import { notesOn } from "./how-to-run.ts";
import type { Path, Source } from "./source.ts";

/** What is to be said of a case file though it can be run: its author should know. */
export interface FileWarning {
  readonly line: number;
  readonly message: string;
  readonly fix?: string;
}

export function warningsIn(data: CaseFileData, hooks: FoundHooks, source: Source): FileWarning[] {
  const notes = "runnable" in hooks ? notesOn(hooks.runnable) : [];
  const { defaults = {}, cases } = data;
  const payloads = [
    { of: "defaults", path: ["defaults"], said: defaults, event: defaults.event },
    ...cases.map((said, index) => ({
      of: `case ${JSON.stringify(said.name)}`,
      path: ["cases", index],
      said,
      event: said.event ?? (said.record === undefined ? defaults.event : undefined),
    })),
  ];
  return [
    ...notes.map(({ message, fix }) => ({ line: source.lineAt(["hook"]), message, fix })),
    ...payloads.flatMap(({ of, path, said, event }) => slips(of, path, said.payload, event, source)),
  ];
}

function slips(
  of: string,
  path: Path,
  payload: Readonly<Record<string, unknown>> | undefined,
  event: EventName | undefined,
  source: Source,
): FileWarning[] {
  if (payload === undefined || event === undefined) return [];
  return doubtsAbout(event, {}, payload, payload).map((doubt) => ({
    line: source.lineAt([...path, "payload"]),
    message: `${of}: ${doubt}`,
  }));
}
