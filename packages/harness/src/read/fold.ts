import type { Reading } from "./read-run.ts";
import type { Answers, Fold } from "./reads.ts";

/** What a harness makes of all hooks of one event. */
export interface Folded {
  readonly decision?: "allow" | "ask" | "deny";
  readonly words: readonly string[];
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/** Folds readings in configured order; `finished` holds their indexes in the order of finishing. */
export function fold(
  all: readonly Reading[],
  finished: readonly number[],
  how: Fold,
  { firstDecides }: Answers,
): Folded {
  const first = firstDecides && finished.map((index) => all[index]).find((reading) => reading?.decision);
  const readings = first ? [first] : all;
  const decision = decide(readings, how.decision);
  const deciding = readings.filter((reading) => reading.decision === decision);
  const words = deciding.flatMap(({ words: own }) => own ?? []);
  const read = how.words === "first" ? words.slice(0, 1) : how.words === "last" ? words.slice(-1) : words;
  const folded = { ...(decision && { decision }), words: read };
  if (decision === "deny") return folded;
  return { ...folded, input: first ? first.input : winner(all, finished, how.rewrite) };
}

function decide(readings: readonly Reading[], how: Fold["decision"]): Folded["decision"] {
  const has = (kind: Reading["decision"], by?: Reading["by"]) =>
    readings.some((reading) => reading.decision === kind && (by === undefined || reading.by === by));
  if (how === "strictest")
    return has("deny") ? "deny" : has("ask") ? "ask" : has("allow") ? "allow" : undefined;
  if (has("deny", "stop") || (how === "first" && has("deny", "exit"))) return "deny";
  const inJson = readings.filter(({ by }) => by === "json");
  const counts = (how === "first" ? inJson[0] : inJson.at(-1))?.decision;
  return has("deny", "exit") && counts !== "allow" ? "deny" : counts;
}

function winner(
  readings: readonly Reading[],
  finished: readonly number[],
  how: Fold["rewrite"],
): Folded["input"] {
  const ordered = how === "last-finished" ? finished.map((index) => readings[index]) : readings;
  const inputs = ordered.map((reading) => reading?.input).filter((input) => input !== undefined);
  return how === "first-configured" ? inputs[0] : inputs.at(-1);
}
