import { redactText, secretValues } from "@belay/engine/internal";
import type { LogStats } from "./count.ts";

/** The texts that a count shows, without the secrets in them: commands of hooks, and reasons. */
export function redactStats(stats: LogStats): LogStats {
  const secrets = { values: secretValues(process.env), patterns: [] };
  const hide = (text: string) => redactText(text, secrets);
  const hidden = <T extends object>(row: T, names: readonly (keyof T)[]): T => {
    const texts = names.flatMap((name) => {
      const text = row[name];
      return typeof text === "string" ? [[name, hide(text)]] : [];
    });
    return { ...row, ...Object.fromEntries(texts) };
  };
  return {
    ...stats,
    hooks: stats.hooks.map((row) => hidden(row, ["hook", "failure"])),
    denials: stats.denials.map((row) => hidden(row, ["hook", "reason"])),
    missed: stats.missed.map((row) => hidden(row, ["hook"])),
  };
}
