import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Driver } from "../../../scripts/agents/driver.mjs";
import { groups } from "../../../scripts/agents/driver.mjs";
import { DRIVERS } from "../../../scripts/agents/drivers/index.mjs";
import { probesFor } from "../../../scripts/agents/probes.mjs";
import { measure, type Probe } from "../../../scripts/agents/rows.mjs";
import { scrubber } from "../../../scripts/agents/scrub.mjs";
import { CLAUDE_WORDS } from "../../../scripts/agents/words.mjs";

const program = fileURLToPath(new URL("hosts/plain-agent.mjs", import.meta.url));
const where = { installed: dirname(program), node: process.execPath };
const plain: Driver = {
  name: "plain",
  package: "plain",
  version: "1.0.0",
  node: "20",
  program: "plain-agent.mjs",
  env: ({ url }) => ({ MODEL_URL: `${url}/v1` }),
  files: (_place, hooks) => ({ "hooks.json": JSON.stringify({ hooks: groups(hooks) }) }),
  args: (_place, prompt) => [prompt],
  limit: 30,
  unit: "s",
  events: { prompt: "UserPromptSubmit", pre: "PreToolUse", post: "PostToolUse" },
  tools: { shell: (command) => ({ tool: "Bash", input: { command } }) },
  words: CLAUDE_WORDS,
  logs: [],
};

describe("a row is measured on a program that runs", () => {
  const rows: [probe: Omit<Probe, "event">, result: object][] = [
    [
      { id: "pre-none", hooks: [{}] },
      { step: "runs", told: [] },
    ],
    [
      { id: "pre-exit1", hooks: [{ exit: 1, stderr: "ERR_TOK" }] },
      { step: "runs", told: [] },
    ],
    [
      { id: "pre-exit2", hooks: [{ exit: 2, stderr: "ERR_TOK" }] },
      { step: "refused", told: ["ERR_TOK"] },
    ],
    [
      { id: "pre-timeout", hooks: [{ exit: 2, sleep: 9000, timedOut: true }] },
      { step: "runs", told: [] },
    ],
    [
      { id: "pre-notfound", hooks: [{ notFound: true }] },
      { step: "runs", told: [] },
    ],
    [
      { id: "two", hooks: [{}, { exit: 2, stderr: "ERR_TOK2" }] },
      { finished: [0, 1], step: "refused", told: ["ERR_TOK2"] },
    ],
  ];
  for (const [probe, result] of rows)
    it(probe.id, async () => {
      const asked = { event: "PreToolUse", ...probe };
      expect(await measure(plain, where, asked)).toEqual({ ...asked, ...result, version: "1.0.0" });
    });

  it("and says so when an event does not fire", async () => {
    const probe = { id: "prompt-exit2", event: "UserPromptSubmit", hooks: [{ exit: 2 }] };
    expect(await measure(plain, where, probe)).toMatchObject({ fired: false, step: "runs" });
  });
});

it("every driver has probes of its own names, each asked once", () => {
  for (const driver of DRIVERS) {
    const ids = probesFor(driver).map(({ id }) => id);
    expect(new Set(ids).size, driver.name).toBe(ids.length);
    const names = Object.values(driver.events);
    expect(probesFor(driver).filter(({ event }) => !names.includes(event))).toEqual([]);
  }
});

it("what a run left says nothing of this machine and hour", () => {
  const started = Date.UTC(2026, 4, 3, 12, 30, 15, 250);
  const id = "01a1f08b-60d1-7083-be2b-c33051e8003e";
  const scrub = scrubber("/tmp/belay-x/home", started);
  expect(
    scrub(
      `/tmp/belay-x/home/project -tmp-belay-x-home-project 127.0.0.1:40123 ${id} session-${id.slice(0, 8)} ` +
        `2026-05-03T12:30:16.500Z rollout-2026-05-03T12-30-17 ${started + 1000} 2026/05/03 2025-01-01T00:00:00Z`,
    ),
  ).toBe(
    "/home/you/project -home-you-project 127.0.0.1:1234 00000001-0000-4000-8000-000000000000 session-00000001 " +
      "2026-01-05T10:00:01.500Z rollout-2026-01-05T10-00-02 1767607201250 2026/01/05 2025-01-01T00:00:00Z",
  );
});
