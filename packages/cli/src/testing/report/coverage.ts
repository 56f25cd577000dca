import { plural } from "@belay/core";
import { shownPath } from "@belay/engine/tools";
import type { Io } from "../../io.ts";
import { hang, oneLine, paintFor } from "../../render/text.ts";
import type { Coverage, HookCoverage } from "../coverage.ts";

const OF_WHICH =
  "a script named by hook: counts for itself; entries of settings count where a case file is about them";

/** A line per hook, then what no case exercised. */
export function coverageReport({ hooks, unseen, hasScripts }: Coverage, cwd: string, io: Io): string {
  const paint = paintFor(io);
  const ran = hooks.filter(({ cases }) => cases > 0).length;
  const lines = hooks.flatMap((hook) => {
    const never = hook.cases === 0;
    const sign = never ? paint.red("✗") : hook.unfired.length > 0 ? paint.yellow("!") : paint.green("✓");
    const place = paint.dim(oneLine(shownPath(hook.place, cwd)));
    const head = `${oneLine(hook.name)}  ${hook.event}  ${place}`;
    return [...hang(`  ${sign} `, head, io.columns), ...hang("      ", detail(hook), io.columns)];
  });
  const left = hooks.length === 0 ? "no case came to a hook" : answersLeft(unseen);
  const notes = [left, ...(hasScripts ? [paint.dim(OF_WHICH)] : [])];
  return `${[
    "",
    paint.bold(`coverage: ${ran} of ${plural(hooks.length, "hook")} ran`),
    ...lines,
    ...notes.flatMap((note) => hang("  ", note, io.columns)),
  ].join("\n")}\n`;
}

function answersLeft(unseen: Coverage["unseen"]): string {
  return unseen.length === 0 ? "every kind of answer was given" : `no case saw: ${unseen.join(", ")}`;
}

function detail({ cases, notStarted, kinds, unfired, matcher }: HookCoverage): string {
  if (cases === 0 && notStarted > 0) return `it could not start in ${plural(notStarted, "case")}`;
  if (cases === 0)
    return `no case runs it${matcher === "" || matcher === "*" ? "" : ` (matcher ${oneLine(matcher)})`}`;
  const never = unfired.length > 0 ? `; its matcher's ${unfired.map(oneLine).join(", ")} never fired` : "";
  return `${plural(cases, "case")}: ${kinds.join(", ")}${never}`;
}
