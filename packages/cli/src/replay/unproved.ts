import { plural } from "@belay/core";
import { nextCommand } from "../next.ts";
import { oneLine } from "../render/text.ts";
import type { Rerun } from "./rerun.ts";

interface Values {
  readonly config?: readonly string[];
  readonly plugin?: readonly string[];
  readonly dialect?: string;
  readonly in?: string;
  readonly cwd?: string;
}

/**
 * Why a rerun says nothing of the policy although events were compared: hooks ran when recorded and now none does, or none
 * of them ever answered. `isGreen`: nothing loosened, and nothing else is wrong.
 */
export function whyUnproved(rerun: Rerun, values: Values, isGreen: boolean): string | undefined {
  const { config, plugin, dialect } = values;
  const where = { config, plugin, dialect, cwd: values.in ?? values.cwd };
  const { runs, recorded, answered, failed } = rerun.ran;
  if (runs === 0 && recorded > 0) return whyNoneRan(rerun, where, isGreen);
  if (!isGreen || answered > 0 || failed === undefined) return undefined;
  const { hook, why, event } = failed;
  return `no hook gave an answer, now or when recorded: ${oneLine(`${hook}: ${why}`)}; next: ${nextCommand("run", where, event)}`;
}

/**
 * A policy was not looked at, and what loosened may not be its doing. Not said where something else was: what could not
 * be asked has its own next command.
 */
function whyNoneRan(
  { ran, dialects, unasked, elsewhere }: Rerun,
  where: Readonly<Record<string, unknown>>,
  isGreen: boolean,
): string | undefined {
  const missed = dialects.missed();
  const isSaid = unasked.said().length > 0 || elsewhere.count() > 0;
  if (!isGreen && isSaid && missed === undefined) return undefined;
  const { isConfigured, recorded, last } = ran;
  const none = isConfigured ? "none that is configured fits them" : "none is configured";
  const next = isConfigured ? nextCommand("why", where, last) : nextCommand("check", where);
  const why =
    missed === undefined
      ? `${none}; next: ${next}`
      : `${none}, and they were of ${missed}; next: the same with --dialect ${missed}`;
  return `no hook ran, and ${plural(recorded, "event")} had run hooks when recorded: ${why}`;
}
