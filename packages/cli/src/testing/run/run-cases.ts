import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outcome } from "@belay/core";
import { messageOf } from "@belay/core/internal";
import type { ListedHook } from "@belay/engine";
import type { Emulated, Harness } from "@belay/harness";
import { emulateAll } from "../../as/emulated.ts";
import { agentsFor, type FailureAs, failuresAs } from "../../as/expected.ts";
import type { CaseFile, TestCase } from "../read/case-file.ts";
import {
  type CaseFolders,
  caseFolder,
  closeWorker,
  endCase,
  engineFor,
  makeFolder,
  makeHome,
  openWorker,
  putAway,
  putFiles,
  removeRoot,
  type Worker,
} from "./case-folders.ts";
import { compare, expectsNothing, type Got, gotFrom, type Mismatch } from "./compare.ts";
import { whyKeptOff, whyUntested } from "./not-run.ts";
import { type Planned, plan } from "./plan.ts";

export interface CaseResult {
  readonly test: TestCase;
  readonly status: "pass" | "fail" | "skip";
  readonly skipped?: string;
  /** Besides mismatches: it could not be run at all, has tested nothing, or expects nothing. */
  readonly error?: string;
  readonly isKeptOff?: true;
  readonly mismatches: readonly Mismatch[];
  readonly got?: Got;
  readonly outcome?: Outcome;
  readonly hooks?: readonly ListedHook[];
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly folders?: CaseFolders;
  readonly kept?: string;
  /** What happens in other agents, and why the case fails for some of them. */
  readonly emulated?: readonly Emulated[];
  readonly failuresAs?: readonly FailureAs[];
  readonly time: number;
}

export interface Suite {
  readonly results: readonly CaseResult[];
  readonly hooks: ReadonlyMap<CaseFile, readonly ListedHook[]>;
  /** The folder of all cases, where it could not be removed, and why. */
  readonly left?: { readonly folder: string; readonly why: string };
}

export interface RunOptions {
  readonly parallel: number;
  readonly keep: boolean;
  readonly signal: AbortSignal;
  readonly onResult: (result: CaseResult) => void;
  /** The agents of --as. */
  readonly agents: readonly Harness[];
}

export type Wanted = (test: TestCase) => boolean;

/** Runs the cases of these files, a few at a time; results come in the order of the files. */
export async function runCases(
  files: readonly CaseFile[],
  wanted: Wanted,
  { parallel, keep, signal, onResult, agents }: RunOptions,
): Promise<Suite> {
  const all = files.flatMap(({ cases }) => cases).filter(wanted);
  const isOnly = all.some(({ only }) => only);
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), "belay-test-")));
  const hooks = new Map<CaseFile, readonly ListedHook[]>();
  const results: CaseResult[] = [];
  let next = 0;
  const work = async (worker: Worker, planned: Planned) => {
    while (next < all.length && !signal.aborted) {
      const index = next++;
      const test = all[index] as TestCase;
      const skipped = test.skip ?? (isOnly && !test.only ? "another case says only" : undefined);
      const result: CaseResult =
        skipped === undefined
          ? await runInFolders(test, index, { root, keep, planned, worker, signal, hooks, agents })
          : { test, status: "skip", skipped, mismatches: [], time: 0 };
      // What was under way when it was interrupted says nothing of a hook.
      if (signal.aborted) return;
      results[index] = result;
      onResult(result);
    }
  };
  const workers = Array.from({ length: Math.min(parallel, all.length) }, (_, index) =>
    openWorker(root, index),
  );
  const interrupt = () => void Promise.allSettled(workers.map(closeWorker));
  signal.addEventListener("abort", interrupt);
  let why: string | undefined;
  try {
    const planned = plan(files, root);
    await Promise.all(workers.map((worker) => work(worker, planned)));
  } finally {
    signal.removeEventListener("abort", interrupt);
    await Promise.all(workers.map(closeWorker));
    if (!keep) why = await removeRoot(root);
  }
  return {
    results: results.filter((result) => result !== undefined),
    hooks,
    ...(why !== undefined && { left: { folder: root, why } }),
  };
}

interface Run {
  readonly root: string;
  readonly keep: boolean;
  readonly planned: Planned;
  readonly worker: Worker;
  readonly signal: AbortSignal;
  readonly hooks: Map<CaseFile, readonly ListedHook[]>;
  readonly agents: readonly Harness[];
}

/** Runs a case in folders that no other case had before it or has after it. Never rejects. */
async function runInFolders(test: TestCase, index: number, run: Run): Promise<CaseResult> {
  const started = performance.now();
  const { root, keep, worker } = run;
  const kept = caseFolder(root, index);
  const cwd = join(kept, "project");
  let folders: CaseFolders = { cwd, home: worker.home };
  try {
    makeFolder(root, cwd);
    folders = { cwd, home: await makeHome(worker) };
    const result = await runCase(test, folders, started, run);
    return keep ? { ...result, kept } : result;
  } catch (error) {
    const time = performance.now() - started;
    return { test, status: "fail", error: messageOf(error), mismatches: [], time };
  } finally {
    await endCase(worker, test);
    // Not waited for: the next case need not know.
    void putAway(folders, keep);
  }
}

async function runCase(
  test: TestCase,
  folders: CaseFolders,
  started: number,
  { planned, worker, signal, hooks, agents }: Run,
): Promise<CaseResult> {
  const since = () => performance.now() - started;
  await putFiles(test, folders);
  const engine = await engineFor(test, planned, worker, folders);
  const listed = hooks.get(test.file) ?? (await engine.hooks());
  hooks.set(test.file, listed);
  const { event, payload } = planned.payloadOf(test, folders);
  const off = whyKeptOff(engine.problems, test, event, planned.hooks.get(test.file));
  // Where diagnostics are expected, the difference says more.
  if (off !== undefined && test.expect?.diagnostics === undefined)
    return { test, status: "fail", error: off, isKeptOff: true, mismatches: [], time: since() };
  signal.throwIfAborted();
  // Without the signal, which would cost every case its time: an interruption closes the workers.
  const outcome = await engine.fire(event, payload);
  const time = since();
  const expect = test.expect ?? {};
  const got = gotFrom(outcome, expect, folders);
  const mismatches = compare(expect, got);
  const untested = off ?? whyUntested(outcome, expect);
  const error =
    untested ?? (expectsNothing(expect) ? "it expects nothing; --update writes what came" : undefined);
  const asked = agentsFor(agents, test.as);
  const emulated = emulateAll(
    asked,
    outcome,
    payload,
    listed.map(({ hook }) => hook),
  );
  const failures = failuresAs(emulated, expect, test.as);
  const isFailed = mismatches.length > 0 || error !== undefined || failures.length > 0;
  return {
    test,
    status: isFailed ? "fail" : "pass",
    mismatches,
    ...(asked.length > 0 && { emulated, failuresAs: failures }),
    ...(untested === undefined && { got }),
    outcome,
    hooks: listed,
    payload,
    folders,
    time,
    ...(error !== undefined && { error }),
    ...(off !== undefined && { isKeptOff: true as const }),
  };
}
