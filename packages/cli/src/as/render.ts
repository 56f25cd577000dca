import { plural } from "@belay/core/internal";
import { type Emulated, harnessNamed, type Loss } from "@belay/harness";
import type { Io } from "../io.ts";
import { hang, oneLine, paintFor, widest } from "../render/text.ts";
import { type EmulatedAs, losesRestriction } from "./emulated.ts";

const STEPS: Record<EmulatedAs["step"], string> = {
  runs: "goes on",
  refused: "refused",
  asks: "asks",
  unknown: "not known: a hook gave no answer here",
};

/** One line for each agent: what happens there, and what is lost. Why it is lost and how to mend it follows once for all agents. */
export function renderEmulated(emulated: readonly EmulatedAs[], io: Io): string {
  const paint = paintFor(io);
  const notes = notesOf(emulated);
  const rows = emulated.map((one) => {
    const isBad = losesRestriction(one);
    const isUnknown = one.step === "unknown";
    const sign = isBad
      ? paint.red("✗")
      : isUnknown
        ? paint.yellow("?")
        : one.lost.length > 0
          ? paint.yellow("!")
          : paint.green("✓");
    const what = [
      STEPS[one.step],
      ...(one.input ? ["with the new input"] : []),
      ...(one.turn === "ends" ? ["the turn ends"] : []),
    ].join(", ");
    const lost = one.lost.map(
      (loss) => `${loss.what} lost [${notes.findIndex((note) => isSame(note, loss)) + 1}]`,
    );
    return { sign, title: titleOf(one), text: [isBad ? paint.red(what) : what, ...lost].join("; ") };
  });
  const why = notes.flatMap(({ code, what, why: text, fix }, index) => [
    ...hang(`[${index + 1}] `, `${what}: ${oneLine(text)} (${code})`, io.columns),
    ...hang("    fix: ", oneLine(fix), io.columns),
  ]);
  const lossy = emulated.filter(losesRestriction).length;
  const summary =
    lossy === 0 || emulated.length === 1
      ? []
      : [paint.red(`${plural(lossy, "agent")} of ${emulated.length} would do what a hook wanted to stop`)];
  return `${[...agentLines(rows, io), ...why, ...summary].join("\n")}\n`;
}

interface AgentRow {
  readonly sign: string;
  readonly title: string;
  readonly text: string;
}

/** What happens in each agent, below one another. */
export function agentLines(rows: readonly AgentRow[], { columns }: Io): string[] {
  const size = widest(rows.map(({ title }) => title));
  return rows.flatMap(({ sign, title, text }) => hang(`${sign} ${title.padEnd(size)}  `, text, columns));
}

/** The agent as people call it, with the version that was measured. */
export function titleOf({ agent, version }: Pick<Emulated, "agent" | "version">): string {
  return `${harnessNamed(agent)?.title ?? agent} ${version}`.trim();
}

function isSame(a: Loss, b: Loss): boolean {
  return a.code === b.code && a.what === b.what && a.why === b.why && a.fix === b.fix;
}

function notesOf(emulated: readonly EmulatedAs[]): Loss[] {
  const all = emulated.flatMap(({ lost }) => lost);
  return all.filter((loss, index) => all.findIndex((other) => isSame(other, loss)) === index);
}
