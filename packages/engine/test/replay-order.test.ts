import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type EventRecord, type Outcome, replay } from "@belay/engine";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";

/** What a hook says, and what that makes of a call when it is the strictest. */
const ANSWERS = {
  silence: ["", 0],
  allow: ['{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}', 0],
  ask: ['{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}', 0],
  deny: ['{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}', 0],
  context: ['{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"mind the gap"}}', 0],
  refusal: ["", 2],
  fault: ["{", 0],
  failure: ["", 1],
} as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "belay-order-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Slow {
  readonly answer: keyof typeof ANSWERS;
  readonly delay: number;
  readonly onFailure: "continue" | "block";
  readonly sequential: boolean;
}

/** All entries on one line and under one name: a record has to keep them apart all the same. */
function configOf(hooks: readonly Slow[]): string {
  const groups = hooks.map(({ answer, delay, onFailure, sequential }) => {
    const [stdout, code] = ANSWERS[answer];
    const command = `sleep 0.0${delay}; printf '%s' '${stdout}'; exit ${code}`;
    return { sequential, hooks: [{ type: "command", command, onFailure, name: "guard" }] };
  });
  return JSON.stringify({ hooks: { PreToolUse: groups } });
}

async function fireWith(hooks: readonly Slow[]): Promise<{ outcome: Outcome; record: EventRecord }> {
  const home = mkdtempSync(join(folder, "home-"));
  const config = join(home, "settings.json");
  const journal = join(home, "journal");
  writeFileSync(config, configOf(hooks));
  const engine = await createEngine({ cwd: home, home, configFiles: [config], journal });
  try {
    const outcome = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: { command: "true" } });
    const [file = ""] = readdirSync(journal);
    return { outcome, record: JSON.parse(readFileSync(join(journal, file), "utf8")) };
  } finally {
    await engine.close();
  }
}

const timeless = ({ runs, ...outcome }: Outcome) => ({
  ...outcome,
  runs: runs.map((run) => ({ ...run, source: "", executionTime: 0 })),
});

const anyHook: fc.Arbitrary<Slow> = fc.record({
  answer: fc.constantFrom(...(Object.keys(ANSWERS) as (keyof typeof ANSWERS)[])),
  delay: fc.nat(9),
  onFailure: fc.constantFrom("continue", "continue", "block"),
  sequential: fc.boolean(),
});

const distinct = fc.uniqueArray(anyHook, {
  minLength: 2,
  maxLength: 6,
  selector: ({ answer, onFailure }) => `${answer} ${onFailure}`,
});

it("decides the same whoever finishes first, and a record of it replays to the same outcome", async () => {
  const cases = distinct.chain((hooks) =>
    fc.tuple(fc.constant(hooks), fc.array(fc.nat(9), { minLength: hooks.length, maxLength: hooks.length })),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ([hooks, delays]) => {
      const others = hooks.map((hook, index) => ({ ...hook, delay: delays[index] ?? 0 }));
      const [one, other] = await Promise.all([fireWith(hooks), fireWith(others)]);
      expect(timeless(other.outcome)).toEqual(timeless(one.outcome));
      const { runs: _runs, ...again } = replay(one.record);
      expect(again).toEqual(one.record.outcome);
      const { runs: _own, ...fired } = JSON.parse(JSON.stringify(one.outcome));
      expect(again).toEqual(fired);
    }),
    { numRuns: 25 },
  );
});
