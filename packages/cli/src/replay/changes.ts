import { safeJson } from "@belay/core/clean";
import { drained, type Io } from "../io.ts";

/** Prints one JSON object whose changes come one after another: none is held. */
export function changesAsJson({ out }: Io) {
  let between = "\n";
  out('{"changes":[');
  return {
    add: async (change: object): Promise<void> => {
      out(`${between}${safeJson(change, 0)}`);
      between = ",\n";
      await drained();
    },
    /** `rest`: the other fields of the object. */
    end: (rest: object): void => out(`\n],${safeJson(rest, 0).slice(1)}\n`),
  };
}
