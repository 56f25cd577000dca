import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Outcome } from "@belay/core";
import { messageOf, withoutPlace } from "@belay/core/internal";
import type { Expectation } from "@belay/core/schema";
import { readText } from "@belay/engine/internal";
import { MAX_BYTES, patternOf } from "../read/case-file.ts";
import { type CaseFolders, takeOut } from "./case-folders.ts";

export interface Got {
  readonly decision: string;
  readonly reason: string | undefined;
  readonly by: string | undefined;
  readonly blocked: boolean;
  readonly action: string;
  readonly interrupt: boolean;
  readonly user: readonly string[];
  readonly agent: readonly string[];
  readonly updatedInput: Readonly<Record<string, unknown>> | undefined;
  readonly updatedPrompt: string | undefined;
  readonly updatedToolOutput: unknown;
  readonly diagnostics: readonly string[];
  readonly runs: readonly string[];
  readonly files: Readonly<Record<string, string | undefined>>;
}

export interface Mismatch {
  readonly field: keyof Got;
  readonly expected: unknown;
  readonly got: unknown;
}

export function gotFrom(outcome: Outcome, expect: Expectation, folders: CaseFolders): Got {
  const { decision, messages, runs, diagnostics } = outcome;
  const to = (reader: "user" | "agent") =>
    messages.filter((message) => message.to === reader).map(({ block }) => block.content);
  const files = Object.keys(expect.files ?? {}).map((name) => [name, contentOf(name, folders)]);
  return takeOut(
    {
      decision: decision.kind,
      reason: decision.reason,
      by: decision.hook,
      blocked: outcome.blocked,
      action: outcome.action,
      interrupt: decision.interrupt ?? false,
      user: to("user"),
      agent: to("agent"),
      updatedInput: outcome.updatedInput,
      updatedPrompt: outcome.updatedPrompt,
      updatedToolOutput: outcome.updatedToolOutput,
      diagnostics: diagnostics.map(({ code }) => code).sort(),
      runs: runs.map(({ hook }) => hook).sort(),
      files: Object.fromEntries(files),
    },
    folders,
  );
}

/** Throws for what is no plain file: a hook may have put a pipe there, or a link to a device. */
function contentOf(name: string, { cwd }: CaseFolders): string | undefined {
  const file = join(cwd, name);
  try {
    return existsSync(file) ? readText(file, { max: MAX_BYTES }) : undefined;
  } catch (error) {
    throw new Error(`expect.files: ${name} cannot be read: ${messageOf(error)}`);
  }
}

type Text = NonNullable<Expectation["user"]>[number];
type Check = (expected: never, got: never) => boolean;

const same = (expected: unknown, got: unknown) => isDeepStrictEqual(expected ?? undefined, got);
const sameWords = (expected: readonly string[], got: readonly string[]) =>
  isDeepStrictEqual([...expected].sort(), got);

const CHECKS: Record<keyof Got, Check> = {
  decision: same,
  reason: isText,
  by: isHook,
  blocked: same,
  action: same,
  interrupt: same,
  user: areTold,
  agent: areTold,
  updatedInput: same,
  updatedPrompt: isText,
  updatedToolOutput: same,
  diagnostics: sameWords,
  runs: sameWords,
  files: (expected: NonNullable<Expectation["files"]>, got: Got["files"]) =>
    Object.entries(expected).every(([name, text]) => isText(text, got[name])),
};

function isText(expected: Text | null, got: string | undefined): boolean {
  if (expected === null || got === undefined) return expected === null && got === undefined;
  if (typeof expected !== "string") return got === expected.exact;
  return patternOf(expected)?.test(got) ?? got === expected;
}

/** A hook without a name is known by its command as well, as belay shows it. */
function isHook(expected: Text | null, got: string | undefined): boolean {
  return isText(expected, got) || (got !== undefined && isText(expected, withoutPlace(got)));
}

function areTold(expected: readonly Text[], got: readonly string[]): boolean {
  if (expected.length === 0) return got.length === 0;
  return expected.every((text) => got.some((message) => isPart(text, message)));
}

function isPart(expected: Text, message: string): boolean {
  if (typeof expected !== "string") return message === expected.exact;
  return patternOf(expected)?.test(message) ?? message.includes(expected);
}

/** True if there is no expectation. An empty list expects that there is none; `files` without a name expects nothing. */
export function expectsNothing({ files = {}, ...others }: Expectation): boolean {
  return Object.keys(others).length === 0 && Object.keys(files).length === 0;
}

export function compare(expect: Expectation, got: Got): Mismatch[] {
  return (Object.keys(CHECKS) as (keyof Got)[]).flatMap((field) => {
    const expected = expect[field];
    if (expected === undefined || CHECKS[field](expected as never, got[field] as never)) return [];
    return [{ field, expected, got: got[field] }];
  });
}
