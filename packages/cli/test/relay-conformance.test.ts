import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EVENTS } from "@belay/core";
import { harnessNamed } from "@belay/harness";
import { expect, it } from "vitest";
import { configOf, stepsOf } from "../../engine/test/conformance/fire-row.ts";
import type { Row } from "../../engine/test/conformance/row.ts";
import { ROWS } from "../../engine/test/conformance/rows.ts";
import { scratch } from "./cli.ts";
import { forgetCalls, records, serving, viaScript } from "./relay-ways.ts";

const AGENT = "claude-code";
const known = new Set(Object.keys(harnessNamed(AGENT)?.events ?? {}));

/** Each row is two starts: a part of them is asked here. */
const EVERY = 7;

/** Rows of one event that this agent has, and whose hooks end by themselves, soon and with little said. */
const rows = ROWS.filter(
  (row: Row) =>
    row.event !== undefined &&
    known.has(row.event) &&
    !row.limits &&
    !row.toolTakes &&
    JSON.stringify(row).length < 2_000 &&
    !/delay|timeout|sleep|kill|head -c|seq |yes /.test(JSON.stringify(row)),
).filter((_, at) => at % EVERY === 0);

it(`answers as belay hook does: ${rows.length} rows of the conformance tests`, async () => {
  const made = scratch();
  const relay = viaScript(made);
  mkdirSync(join(made.home, ".belay"), { mode: 0o700 });
  await serving(made);
  for (const row of rows) {
    const config = JSON.stringify({ dialect: "wave", ...configOf(row) });
    writeFileSync(join(made.home, ".belay/settings.json"), config);
    for (const { event, payload } of stepsOf(row)) {
      const call = { session_id: row.says, ...EVENTS[event].sample, ...payload, hook_event_name: event };
      const input = JSON.stringify({ ...call, cwd: made.project });
      const direct = await made.belay(["hook", AGENT], { input });
      forgetCalls(made);
      expect({ row: row.says, ...(await relay([AGENT], { input })) }).toEqual({ row: row.says, ...direct });
    }
  }
  const outcomes = (await records(made)).map(({ outcome, relayed }) => JSON.stringify({ outcome, relayed }));
  expect(outcomes.length).toBeGreaterThan(0);
  for (let at = 0; at + 1 < outcomes.length; at += 2) expect(outcomes[at]).toBe(outcomes[at + 1]);
}, 300_000);
