import { oneLine } from "@belay/core/clean";
import { nearest } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { HARNESSES, type Harness, harnessNamed, harnessNames } from "@belay/harness";

/** Every agent that runs programs as hooks, in `--as`. */
const ALL = "all";

/** The harnesses that `--as` names: one, several with commas between them, or all that run programs. */
export function agentsNamed(given: string): readonly Harness[] {
  const names = given.split(",").map((name) => name.trim());
  const found = names.flatMap((name) => (name === ALL ? programs() : [named(name)]));
  return [...new Set(found)];
}

function programs(): Harness[] {
  return HARNESSES.filter(({ reads }) => reads !== undefined);
}

function named(name: string): Harness {
  const harness = harnessNamed(name);
  if (harness) return harness;
  const guess = nearest(name, harnessNames);
  throw new UsageError(
    `there is no agent ${JSON.stringify(oneLine(name))} that is known here`,
    guess === undefined ? `one of: ${[...harnessNames, ALL].join(", ")}` : `did you mean ${guess}?`,
  );
}
