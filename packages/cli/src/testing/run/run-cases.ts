import { mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Outcome } from "@belay/core";
import { messageOf } from "@belay/core/internal";
import type { ListedHook } from "@belay/engine";
import type { CaseFile, TestCase } from "../read/case-file.ts";
import {
  type CaseFolders,
  caseFolders,
  isStubborn,
  keptFolders,
  makeRemovable,
  whyItStays,
} from "./case-folders.ts";
import { compare, expectsNothing, type Got, gotFrom, type Mismatch } from "./compare.ts";
import type { Places } from "./lane.ts";
import { closeLane, engineFor, type Lane, openLane } from "./lane.ts";
import { whyKeptOff, whyUntested } from "./not-run.ts";
import { type Planned, plan } from "./plan.ts";
import { putFiles } from "./put-files.ts";

export interface CaseResult {
  readonly test: TestCase;
  readonly status: "pass" | "fail" | "skip";
  /** Why it was not run. */
  readonly skipped?: string;
  /** Besides mismatches: it could not be run at all, has tested nothing, or expects nothing. */
  readonly error?: string;
  /** The error is one of its config. */
  readonly isKeptOff?: true;
  readonly mismatches: readonly Mismatch[];
  /** What may be written into its expectations. */
  readonly got?: Got;
  readonly outcome?: Outcome;
  /** The hooks that it could have come to. */
  readonly hooks?: readonly ListedHook[];
  /** The payload that was fired. */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Where it ran; they may be gone. */
  readonly places?: Places;
  /** Its folder, when it was asked to be kept. */
  readonly kept?: string;
  /** Milliseconds. */
  readonly time: number;
}

export interface Suite {
  readonly results: readonly CaseResult[];
  /** The hooks of each file, as its engine sees them. */
  readonly hooks: ReadonlyMap<CaseFile, readonly ListedHook[]>;
  /** The folder of all cases, where it could not be removed, and why. */
  readonly left?: { readonly folder: string; readonly why: string };
}

export interface RunOptions {
  readonly parallel: number;
  readonly keep: boolean;
  readonly signal: AbortSignal;
  readonly onResult: (result: CaseResult) => void;
}

/** Whether a case is to be run, by its name. Others count as nothing at all. */
export type Wanted = (test: TestCase) => boolean;

/** Runs the cases of these files, a few at a time; results come in the order of the files. */
export async function runCases(
  files: readonly CaseFile[],
  wanted: Wanted,
  options: RunOptions,
): Promise<Suite> {
  const all = files.flatMap(({ cases }) => cases).filter(wanted);
  const isOnly = all.some(({ only }) => only);
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), "belay-test-")));
  const folders = options.keep ? keptFolders(root) : caseFolders(root, all);
  const hooks = new Map<CaseFile, readonly ListedHook[]>();
  const results: CaseResult[] = [];
  const put = (index: number, result: CaseResult) => {
    results[index] = result;
    options.onResult(result);
  };
  let next = 0;
  const work = async (lane: Lane, planned: Planned) => {
    while (next < all.length && !options.signal.aborted) {
      const index = next++;
      const test = all[index] as TestCase;
      const skipped = test.skip ?? (isOnly && !test.only ? "another case says only" : undefined);
      const result: CaseResult =
        skipped === undefined
          ? await runCase(test, planned, lane, index, folders, options.signal, hooks)
          : { test, status: "skip", skipped, mismatches: [], time: 0 };
      // What was under way when it was interrupted says nothing of a hook.
      if (!options.signal.aborted) put(index, result);
    }
  };
  const lanes = Array.from({ length: Math.min(options.parallel, all.length) }, (_, index) =>
    openLane(root, index),
  );
  const interrupt = () => void Promise.allSettled(lanes.map(closeLane));
  options.signal.addEventListener("abort", interrupt);
  let why: string | undefined;
  try {
    const planned = plan(files, root);
    await Promise.all(lanes.map((lane) => work(lane, planned)));
  } finally {
    options.signal.removeEventListener("abort", interrupt);
    await Promise.all(lanes.map(closeLane));
    if (!options.keep) why = await removed(root);
  }
  return {
    results: results.filter((result) => result !== undefined),
    hooks,
    ...(why !== undefined && { left: { folder: root, why } }),
  };
}

/** How long a folder may take to go; what is written meanwhile may keep it for ever. */
const REMOVE_MS = 5000;

/** Why it is still there, if it is: what a hook left running may write as it goes, and cost no case its result. */
async function removed(root: string): Promise<string | undefined> {
  const late = new AbortController();
  const remove = () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  const removing = remove()
    .catch((error) => {
      if (!isStubborn(error)) throw error;
      makeRemovable(root);
      return remove();
    })
    .then(
      () => undefined,
      (error) => messageOf(whyItStays(error)),
    );
  const waiting = setTimeout(REMOVE_MS, "something still writes to it", { signal: late.signal });
  const why = await Promise.race([removing, waiting.catch(() => undefined)]);
  late.abort();
  return why;
}

async function runCase(
  test: TestCase,
  planned: Planned,
  lane: Lane,
  index: number,
  folders: CaseFolders,
  signal: AbortSignal,
  hooks: Map<CaseFile, readonly ListedHook[]>,
): Promise<CaseResult> {
  const started = performance.now();
  const since = () => performance.now() - started;
  try {
    await using places = folders.lend(index, lane.home);
    await putFiles(test, places);
    await using lease = await engineFor(test, planned, lane, places);
    const { engine } = lease;
    const listed = hooks.get(test.file) ?? (await engine.hooks());
    hooks.set(test.file, listed);
    const { event, payload } = planned.payloadOf(test, places);
    const off = whyKeptOff(engine.problems, test, event, planned.hooks.get(test.file));
    // Where diagnostics are expected, the difference says more.
    if (off !== undefined && test.expect?.diagnostics === undefined)
      return { test, status: "fail", error: off, isKeptOff: true, mismatches: [], time: since() };
    signal.throwIfAborted();
    // Without the signal, which would cost every case its time: an interruption closes the lanes.
    const firing = engine.fire(event, payload);
    setImmediate(folders.tidy);
    const outcome = await firing;
    const time = since();
    const expect = test.expect ?? {};
    const got = gotFrom(outcome, expect, places);
    const mismatches = compare(expect, got);
    const untested = off ?? whyUntested(outcome, expect);
    const error =
      untested ?? (expectsNothing(expect) ? "it expects nothing; --update writes what came" : undefined);
    return {
      test,
      status: mismatches.length > 0 || error !== undefined ? "fail" : "pass",
      mismatches,
      ...(untested === undefined && { got }),
      outcome,
      hooks: listed,
      payload,
      places: { cwd: places.cwd, home: places.home },
      time,
      ...(error !== undefined && { error }),
      ...(off !== undefined && { isKeptOff: true as const }),
      ...(places.kept !== undefined && { kept: places.kept }),
    };
  } catch (error) {
    return { test, status: "fail", error: messageOf(error), mismatches: [], time: since() };
  }
}
