import { readFileSync } from "node:fs";
import { type Diagnostic, diagnose, type Run } from "@belay/core";
import { type ProcessSpec, runProcess } from "../process/run-process.ts";
import type { Launcher } from "./launcher.ts";

/** Who starts the processes of command hooks: "on" a companion, "off" the host, "auto" whoever is faster. */
export const LAUNCHER_MODES = ["auto", "on", "off"] as const;
export type LauncherMode = (typeof LAUNCHER_MODES)[number];

export interface Launch {
  run(spec: ProcessSpec): Promise<Run>;
  /** That there is no companion though one was wanted, the first time this is asked afterwards. */
  news(): readonly Diagnostic[];
  close(): Promise<void>;
}

/**
 * From this size on, the host's own fork takes longer than the way through the companion. What counts is memory of its own,
 * which a fork goes through: a Node program of 100 MB has about this much, and else the files that it is made of.
 */
const PAYS_FROM = 62 * 1024 * 1024;
const PAYS_FROM_IN_ALL = 100 * 1024 * 1024;
/** A host that runs fewer hooks than this is gone before a companion has paid for its start. */
const WORTH_AFTER = 3;
/** How long a measurement of the host's memory counts. */
const MEASURED_MS = 1000;

export function launchBy(mode: LauncherMode, handleSignals: boolean): Launch {
  let opening: Promise<Launcher> | undefined;
  let launcher: Launcher | undefined;
  let isTold = false;
  /** The companion's client is loaded with the first need of it: most starts have none. */
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
    // Also while the companion starts: many hooks at once would else be as many forks before it is there.
    auto: (spec) => (isWorthIt() ? companion(spec) : runProcess(spec)),
  };
  return {
    run: (spec) => runs[mode]({ ...spec, handleSignals }),
    news: () => {
      const detail = launcher?.whyNot();
      if (detail === undefined || isTold) return [];
      isTold = true;
      return [diagnose("launcher-failed", { detail })];
    },
    close: async () => (await opening)?.close(),
  };
}

/** Whether the host is large enough and lives long enough. */
function worthIt(): () => boolean {
  let runs = 0;
  let measured = Number.NEGATIVE_INFINITY;
  let isLarge = false;
  return () => {
    runs += 1;
    if (runs < WORTH_AFTER || performance.now() - measured < MEASURED_MS) return isLarge;
    measured = performance.now();
    isLarge = wouldForkSlowly();
    return isLarge;
  };
}

function wouldForkSlowly(): boolean {
  const inAll = process.memoryUsage.rss();
  const share = shareOfItsOwn();
  return share === undefined ? inAll >= PAYS_FROM_IN_ALL : inAll * share >= PAYS_FROM;
}

/** How much of a process's memory is no file's; undefined where the system does not say. */
function shareOfItsOwn(): number | undefined {
  try {
    const [, inAll = 0, ofFiles = 0] = readFileSync("/proc/self/statm", "latin1").split(" ").map(Number);
    return inAll > 0 ? 1 - ofFiles / inAll : undefined;
  } catch {
    return undefined;
  }
}
