import type { Diagnostic, EventName, Message, Outcome } from "@belay/core";
import { ANY_EVENT } from "@belay/core/advise";
import { whyNoAnswer } from "@belay/core/compare";
import { shownPath } from "@belay/engine/internal";
import type { EmulatedAs } from "../as/emulated.ts";
import { renderEmulated } from "../as/render.ts";
import type { Io } from "../io.ts";
import { decisionLines, diagnosticLines, eventLine, runLines, stagesOf } from "./stages.ts";
import { cleanOutput, hang, oneLine, paintFor, shorten, wrap } from "./text.ts";

export interface TryView {
  readonly name: string;
  readonly note: { readonly message: string; readonly fix: string } | undefined;
  readonly tries: readonly {
    event: EventName;
    payload: Record<string, unknown>;
    outcome: Outcome;
    emulated?: readonly EmulatedAs[];
  }[];
  readonly problems: readonly Diagnostic[];
  readonly isGuess: boolean;
  readonly isGiven: boolean;
  readonly verbose: boolean;
  readonly cwd: string;
}

export function renderTry(view: TryView, io: Io): string {
  const { name, note, tries, problems, isGuess, verbose, cwd } = view;
  const paint = paintFor(io);
  const { stage, columns, isNarrow, room } = stagesOf(io);
  const blocks = tries.map(({ event, payload, outcome, emulated }) => {
    const seen = { outcome, journalFolder: undefined, verbose };
    return [
      ...stage("event", [paint.bold(shorten(eventLine({ event, payload }), room))]),
      ...stage("run", runLines(seen, isNarrow, room, paint)),
      ...stage("decide", decisionLines(outcome, room, paint)),
      ...READERS.flatMap((reader) => {
        const told = toldLines(outcome, reader, room);
        return told.length === 0 ? [] : stage(reader, told);
      }),
      ...(emulated ? ["", renderEmulated(emulated, io).trimEnd()] : []),
    ].join("\n");
  });
  const events = [...new Set(tries.map(({ event }) => event))];
  const hints = [
    ...(isGuess && events.length > 1
      ? [`${oneLine(name)} may be for ${events.join(", ")}: name one to try it alone`]
      : []),
    ...failedHint(tries),
    ...(tries.every(isSilent) ? [SILENT[view.isGiven ? "given" : "sample"]] : []),
  ];
  const placed = problems.map((problem) =>
    problem.path === undefined ? problem : { ...problem, path: shownPath(problem.path, cwd) },
  );
  return `${[
    ...(note
      ? [
          ...hang(paint.yellow("! "), oneLine(note.message), columns),
          ...hang("  fix: ", oneLine(note.fix), columns),
          "",
        ]
      : []),
    blocks.join("\n\n"),
    ...diagnosticLines([...fresh(tries), ...placed], columns, paint),
    ...hints.flatMap((hint) => ["", ...wrap(paint.dim(hint), columns)]),
  ].join("\n")}\n`;
}

const READERS = ["user", "agent"] as const;

function toldLines({ messages }: Outcome, reader: Message["to"], room: number): string[] {
  return messages
    .filter(({ to }) => to === reader)
    .flatMap(({ block }) => hang("", cleanOutput(block.content), room));
}

function failedHint(tries: TryView["tries"]): string[] {
  const failed = tries.filter(isFailed).length;
  if (failed === 0) return [];
  const who = failed === tries.length ? "It" : `To ${failed} of ${tries.length} payloads it`;
  return [
    `${who} gave no answer of its own: any exit code but 0 and 2 is an error that the user reads, and work goes on.`,
  ];
}

const SILENT = {
  given: "It said nothing to this payload.",
  sample: "It said nothing to any sample; --payload gives it another.",
};

/** True if a hook failed by its exit code alone. A fault, or an exit 2 of its interpreter, has a diagnostic. */
function isFailed({ event, outcome }: TryView["tries"][number]): boolean {
  return outcome.runs.some(
    (run) => run.fault === undefined && run.exitCode !== 2 && whyNoAnswer(run, event) !== undefined,
  );
}

function isSilent({ outcome }: TryView["tries"][number]): boolean {
  return (
    outcome.messages.length === 0 &&
    outcome.runs.every(
      ({ verdict, adds, fault }) => verdict === "abstain" && adds === undefined && fault === undefined,
    )
  );
}

/** Every diagnostic once. One that several events raised names none of them. */
function fresh(tries: TryView["tries"]): Diagnostic[] {
  const told = new Map<string, Diagnostic>();
  for (const { event, outcome } of tries) {
    for (const one of outcome.diagnostics) {
      const general = { ...one, message: atAny(one.message, event), fix: atAny(one.fix, event) };
      const key = `${general.code} ${general.message}`;
      const isFirst = (told.get(key)?.message ?? one.message) === one.message;
      told.set(key, isFirst ? one : general);
    }
  }
  return [...told.values()];
}

function atAny(text: string, event: EventName): string {
  return text.replaceAll(new RegExp(`\\b${event}\\b`, "g"), ANY_EVENT);
}
