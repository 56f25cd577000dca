import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  compileMatcher,
  diagnose,
  EVENT_NAMES,
  type EventName,
  type EventRecord,
  type Hook,
  type Outcome,
  type Run,
  replay,
} from "@belay/core";
import { eventRow } from "@belay/core/internal";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { anyDialect, anyRun, anyTerms, runOf } from "../../core/test/arbitraries.ts";
import { type FireInput, fire } from "../src/fire.ts";
import { openJournal } from "../src/journal/write.ts";

/*
 * What `fire` decided, against what a replay of the line it wrote decides. Only the runs of the hooks are given: rewrites
 * handed down a sequential group, inputs that do not fit the tool, capped stops and the engine's own diagnostics all have
 * to get into the record and out of it again.
 */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "belay-fire-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Events with something in their record beyond the runs come oftener: rewrites, and stops that are counted. */
const RICH = EVENT_NAMES.filter((event) => {
  const { answers, stopChain } = eventRow(event);
  return answers.includes("updatedInput") || answers.includes("updatedPrompt") || stopChain === "link";
});
const anEvent = fc.oneof(
  { arbitrary: fc.constantFrom(...RICH), weight: 4 },
  { arbitrary: fc.constantFrom(...EVENT_NAMES), weight: 1 },
);

const SECRET = `ghp_${"hunter2".repeat(5)}`;

/** Nearly always 0: other codes leave an answer unheard. */
const heard = fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 2);

/** An answer that rewrites what is asked for, allows it, or blocks; now and then with a secret in it. */
const telling = (event: EventName): fc.Arbitrary<Run> =>
  fc
    .record(
      {
        permissionDecision: fc.constantFrom("allow", "allow", "ask"),
        updatedInput: fc.record({ command: fc.constantFrom<unknown>("ls", 7, 8, `curl ${SECRET}`) }),
        updatedPrompt: fc.constantFrom("say it", "say it again"),
        decision: fc.constantFrom("block", "approve"),
      },
      { requiredKeys: [] },
    )
    .map(({ decision, ...specific }) => {
      const answers: readonly string[] = eventRow(event).answers;
      const said = Object.entries(specific).filter(([name]) => answers.includes(name));
      return {
        ...(decision && answers.includes("decision") && { decision, reason: "not yet" }),
        hookSpecificOutput: { hookEventName: event, ...Object.fromEntries(said) },
      };
    })
    .chain((answer) => heard.map((exitCode) => runOf({ exitCode }, JSON.stringify(answer), "")));

const aHook = (event: EventName) =>
  fc.record({
    terms: anyTerms,
    dialect: anyDialect,
    run: fc.oneof({ arbitrary: telling(event), weight: 6 }, { arbitrary: anyRun(event), weight: 1 }),
    group: fc.constantFrom("one", "one", "other"),
    sequential: fc.constantFrom(true, true, true, false),
  });

const stops = fc.record({ soFar: fc.nat(3), cap: fc.nat(3) });
const untested = diagnose("matcher-untested", { event: "PreToolUse", field: "tool_name", count: "1 hook" });

const aCase = anEvent.chain((event) =>
  fc.record({
    event: fc.constant(event),
    dialect: anyDialect,
    hooks: fc.array(aHook(event), { maxLength: 5 }),
    stops:
      eventRow(event).stopChain === "link" ? fc.option(stops, { nil: undefined }) : fc.constant(undefined),
    extra: fc.constantFrom([], [], [untested]),
  }),
);
type Case = typeof aCase extends fc.Arbitrary<infer T> ? T : never;

function hookOf(
  event: EventName,
  { terms, dialect, group, sequential }: Case["hooks"][number],
  index: number,
): Hook {
  return {
    ...terms,
    event,
    dialect,
    group,
    sequential,
    matcher: compileMatcher("*", undefined),
    handler: { type: "command", command: `./hook-${index}.sh` },
    timeoutMs: 1000,
    condition: undefined,
    once: false,
    statusMessage: undefined,
    ignored: [],
    files: [],
    enabled: true,
    source: { file: "settings.json", layer: "config", line: index + 1, path: `hooks.${index}` },
    identity: `${index}`,
  };
}

/** Fires with the runs given, and reads back the line that the journal holds. */
async function fired({
  event,
  dialect,
  hooks,
  ...given
}: Case): Promise<{ outcome: Outcome; record: EventRecord }> {
  const runs = new Map(hooks.map((hook, index) => [hookOf(event, hook, index), hook.run]));
  const payload = { session_id: "s", cwd: "/project", tool_name: "Bash", tool_input: { command: "true" } };
  const input: FireInput = {
    event,
    dialect,
    payload,
    hooks: [...runs.keys()],
    extra: given.extra,
    ...(given.stops && { stops: given.stops }),
  };
  const journal = openJournal(mkdtempSync(join(folder, "journal-")));
  const outcome = await fire(input, {
    trust: ({ matched }) => ({ hooks: matched, told: [] }),
    run: async (hook) => runs.get(hook) as Run,
    misfit: async ({ command }) => (typeof command === "string" ? undefined : "command: expected a string"),
    record: (record) => {
      expect(journal.write(record)).toBeUndefined();
      return [];
    },
    stamp: () => ({ id: "00000000-0000-4000-8000-000000000000", time: "2026-11-15T12:00:00.000Z" }),
  });
  journal.close();
  return { outcome, record: lastRecord(journal.folder) };
}

function lastRecord(journal: string): EventRecord {
  const [file = ""] = readdirSync(journal);
  const lines = readFileSync(join(journal, file), "utf8").trimEnd().split("\n");
  return JSON.parse(lines.at(-1) ?? "");
}

/** What a secret taken out may change is words; what was decided stays. */
function decided({ runs, decision, ...outcome }: Outcome) {
  const { event, dialect, action, blocked, diagnostics, messages, updatedInput, updatedPrompt } = outcome;
  return {
    ...{ event, dialect, action, blocked, kind: decision.kind, hook: decision.hook },
    ...{ codes: diagnostics.map(({ code }) => code), to: messages.map(({ to, block }) => [to, block.type]) },
    rewrites: [updatedInput && Object.keys(updatedInput), typeof updatedPrompt],
    runs: runs.map(({ source, read }) => [source, read]),
  };
}

function expectReplayed(outcome: Outcome, record: EventRecord): void {
  const again = replay(record);
  expect(decided(again)).toEqual(decided(outcome));
  if (!record.redacted)
    expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(JSON.stringify(outcome)));
}

it("the record of an event replays to the outcome that fire gave", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(aCase, async (given) => {
      const { outcome, record } = await fired(given);
      expectReplayed(outcome, record);
      if (record.hooks.some(({ saw }) => saw !== undefined)) seen.add("handed-down");
      if (record.redacted) seen.add("redacted");
      for (const { code } of outcome.diagnostics) seen.add(code);
    }),
    { numRuns: 800 },
  );
  const rare = ["handed-down", "redacted", "rewrite-refused", "rewrite-lost", "stop-cap"];
  expect(rare.filter((name) => !seen.has(name))).toEqual([]);
});
