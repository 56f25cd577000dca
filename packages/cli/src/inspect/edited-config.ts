import { sep } from "node:path";
import { type Diagnostic, type EventRecord, type Outcome, replay } from "@belay/core";
import type { EventDetail } from "@belay/inspector/api";

/** A config that is a file for a moment, in a folder of its own. */
export interface EditedConfig {
  readonly folder: string;
  readonly file: string;
}

/**
 * What is said of it, with that file called what its author knows it by: nobody can correct anything in a folder that is
 * gone. Lines stay: "the edited config:3".
 */
export function namingEdited(text: string, { folder, file }: EditedConfig): string {
  return text
    .replaceAll(file, "the edited config")
    .replaceAll(folder + sep, `.${sep}`)
    .replaceAll(folder, "the folder of the edited config");
}

/**
 * The same in the facts that are ours: where hooks stand, why one was not run, what the config's problems are. The outcome
 * follows from them, so what hooks say is in it as they said it.
 */
export function recordNamingEdited(
  record: EventRecord,
  edited: EditedConfig,
): { readonly record: EventRecord; readonly outcome: Outcome } {
  const hooks = record.hooks.map(({ run, source, ...hook }) => {
    const { failure, ...facts } = run;
    const named = failure && { failure: { ...failure, detail: namingEdited(failure.detail, edited) } };
    return { ...hook, source: namingEdited(source, edited), run: { ...facts, ...named } };
  });
  const extra = record.extra.map((diagnostic) => diagnosticNamingEdited(diagnostic, edited));
  const outcome = replay({ ...record, hooks, extra });
  const { runs: _, ...settled } = outcome;
  return { record: { ...record, hooks, extra, outcome: settled }, outcome };
}

function diagnosticNamingEdited({ path, ...said }: Diagnostic, edited: EditedConfig): Diagnostic {
  return {
    ...said,
    message: namingEdited(said.message, edited),
    fix: namingEdited(said.fix, edited),
    ...(path !== undefined && { path: namingEdited(path, edited) }),
  };
}

type Matched = Pick<EventDetail, "matches" | "unmatched">;

export function matchedNamingEdited({ matches, unmatched }: Matched, edited: EditedConfig): Matched {
  return {
    matches: matches.map((match) => ({
      ...match,
      source: namingEdited(match.source, edited),
      explanation: namingEdited(match.explanation, edited),
    })),
    ...(unmatched !== undefined && { unmatched: namingEdited(unmatched, edited) }),
  };
}
