import { type Diagnostic, diagnose, type Run } from "@belay/core";
import { type ProcessSpec, runProcess } from "../process/run-process.ts";
import type { Launcher } from "./launcher.ts";

/** Who starts the processes of command hooks: "on" a companion, "off" the host, "auto" whoever is faster. */
export const LAUNCHER_MODES = ["auto", "on", "off"] as const;
export type LauncherMode = (typeof LAUNCHER_MODES)[number];

export interface Launch {
  run(spec: ProcessSpec): Promise<Run>;
  /** That a companion was wanted and could not be started. */
  failure(): Diagnostic | undefined;
  close(): Promise<void>;
}

/** From this size on, the host's own fork takes longer than the way through the companion. */
const PAYS_FROM_BYTES = 100 * 1024 * 1024;
/** A host that runs fewer hooks ends before a companion has paid for its start. */
const WORTH_AFTER = 3;
/** How long a measurement of the host's memory counts. */
const MEASURED_MS = 1000;

export function launchBy(mode: LauncherMode, handleSignals: boolean): Launch {
  let opening: Promise<Launcher> | undefined;
  let launcher: Launcher | undefined;
  /** Loads the companion's client when it is first needed: most starts do without. */
  const open = () => {
    opening ??= import("./launcher.ts").then(({ openLauncher }) => {
      launcher = openLauncher();
      return launcher;
    });
    return opening;
  };
  const isWorthIt = worthIt();
  const companion = async (spec: ProcessSpec) => (launcher ?? (await open())).run(spec);
  const runs: Record<LauncherMode, Launch["run"]> = {
    off: runProcess,
    on: companion,
    // Also while the companion starts: else many hooks at once would be as many forks of the host.
    auto: (spec) => (isWorthIt() ? companion(spec) : runProcess(spec)),
  };
  return {
    run: (spec) => runs[mode]({ ...spec, handleSignals }),
    failure: () => {
      const detail = launcher?.whyNot();
      return detail === undefined ? undefined : diagnose("launcher-failed", { detail });
    },
    close: async () => (await opening)?.close(),
  };
}

/** Tells whether the host is large enough and has run enough hooks. */
function worthIt(): () => boolean {
  let runs = 0;
  let measured = Number.NEGATIVE_INFINITY;
  let isLarge = false;
  return () => {
    runs += 1;
    if (runs < WORTH_AFTER || performance.now() - measured < MEASURED_MS) return isLarge;
    measured = performance.now();
    isLarge = process.memoryUsage.rss() >= PAYS_FROM_BYTES;
    return isLarge;
  };
}
