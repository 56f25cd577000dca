import { type Emulated, harnessNamed } from "@belay/harness";
import type { Io } from "../io.ts";
import { hang, oneLine, paintFor, widest } from "../render/text.ts";
import { losesRestriction } from "./emulated.ts";

const STEPS: Record<Emulated["step"], string> = { runs: "goes on", refused: "refused", asks: "asks" };

/** One line for each agent: what happens there, what is lost and how to mend it. */
export function renderEmulated(emulated: readonly Emulated[], io: Io): string {
  const paint = paintFor(io);
  const titles = emulated.map(({ agent, version }) => `${harnessNamed(agent)?.title ?? agent} ${version}`);
  const size = widest(titles);
  const lines = emulated.flatMap((one, index) => {
    const isBad = losesRestriction(one);
    const sign = isBad ? paint.red("✗") : one.lost.length > 0 ? paint.yellow("!") : paint.green("✓");
    const what = [
      STEPS[one.step],
      ...(one.input ? ["with the new input"] : []),
      ...(one.turn === "ends" ? ["the turn ends"] : []),
    ].join(", ");
    const head = `${sign} ${(titles[index] ?? "").padEnd(size)}  `;
    const lost = one.lost.map(({ what: part, why, fix }) => `${part} lost: ${why}; fix: ${fix}`);
    return hang(head, [isBad ? paint.red(what) : what, ...lost.map(oneLine)].join("; "), io.columns);
  });
  return `${lines.join("\n")}\n`;
}
