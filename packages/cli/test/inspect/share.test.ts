import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Shared } from "../../../inspector/src/api.ts";
import { inYaml } from "../../src/inspect/share.ts";
import { parseYaml } from "../../src/testing/read/yaml.ts";
import { scratch } from "../cli.ts";
import { journal, lineOf } from "./journal.ts";
import { serve } from "./server.ts";

describe("YAML", () => {
  const NAMES = [
    "on",
    "no",
    "<<",
    "=",
    "~",
    "null",
    "0x1f",
    "1e3",
    ".inf",
    "2026-11-15",
    "- a",
    "a: b",
    "a #b",
    "*a",
  ];
  const word = fc.oneof(
    fc.constantFrom(...NAMES),
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
  );

  it("is read by belay test as what it was", () =>
    fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          word,
          fc.jsonValue().chain((value) => fc.oneof(fc.constant(value), word)),
        ),
        async (value) => {
          const plain = JSON.parse(JSON.stringify(value)) as unknown;
          expect((await parseYaml(inYaml(plain))).value).toEqual(plain);
        },
      ),
      { numRuns: 2000 },
    ));

  it("is what a person would write", () =>
    expect(inYaml({ cases: [{ name: "a b", on: true, text: "two\nlines" }] })).toBe(
      "cases:\n  - name: a b\n    'on': true\n    text: |-\n      two\n      lines\n",
    ));
});

describe("a recorded event", () => {
  const COMMANDS = ["ls", "it's", 'say "hi"', "$HOME `x` \\", "two\nlines", "-rf", "é \u0001 ✓", ""];

  it("is a command line that fires the same payload", async () => {
    const room = scratch();
    journal(
      room,
      COMMANDS.map((command, index) => lineOf({ id: `${index}`, command })),
    );
    const hook = {
      type: "command",
      command: 'cat >> "$BELAY_PROJECT_DIR/seen"; echo >> "$BELAY_PROJECT_DIR/seen"',
    };
    const config = room.config({ PreToolUse: [{ hooks: [hook] }] });
    const served = await serve(room, ["--config", config]);
    const cookie = await served.signIn();
    const { json } = await served.ask("/api/events", { headers: cookie });
    const { rows } = json as { rows: { key: string }[] };
    const found: unknown[] = [];
    for (const { key } of rows) {
      const shared = (await served.ask(`/api/test-case/${key}`, { headers: cookie })).json as Shared;
      // The recorded folder is not this project: hooks write beside the config.
      const here = shared.commandLine.replace(/ --cwd \S+/, ' --cwd "$PWD"');
      await room.shell(`${here} > /dev/null; true`);
      const lines = (await room.shell("cat seen; rm -f seen")).trim();
      found.push((JSON.parse(lines) as { tool_input: unknown }).tool_input);
    }
    expect(found.reverse()).toEqual(COMMANDS.map((command) => ({ command })));
  });

  it("keeps the mode that its session was in", async () => {
    const room = scratch();
    const command = `grep -q '"permission_mode": *"plan"' && { echo "only plans" >&2; exit 2; }; exit 0`;
    const config = room.config({ PreToolUse: [{ hooks: [{ type: "command", command }] }] });
    for (const mode of ["plan", "default"])
      await room.belay(["run", "PreToolUse", "--config", config, "--set", `permission_mode="${mode}"`]);
    const served = await serve(room, ["--config", config]);
    const cookie = await served.signIn();
    const { json } = await served.ask("/api/events", { headers: cookie });
    const shared: Shared[] = [];
    for (const { key } of (json as { rows: { key: string }[] }).rows)
      shared.push((await served.ask(`/api/test-case/${key}`, { headers: cookie })).json as Shared);
    const [usual, planned] = shared;
    expect(await room.shell(planned?.commandLine ?? "")).toContain("only plans");
    expect(usual?.commandLine).not.toContain("permission_mode");
    room.file("case.hooks.yaml", planned?.testCase ?? "");
    const { code, stdout } = await room.belay(["test"]);
    expect(code, stdout).toBe(0);
  });

  it("says which of its fields were absent, and are filled in", async () => {
    const room = scratch();
    const served = await serve(room);
    const headers = {
      ...(await served.signIn()),
      Origin: `http://127.0.0.1:${served.port}`,
      "Content-Type": "application/json",
    };
    const lacksOf = async (payload: object) => {
      const body = JSON.stringify({ event: "Stop", payload });
      const { json } = await served.ask("/api/fire", { method: "POST", headers, body });
      return (json as { share: Shared }).share.lacks;
    };
    expect(await lacksOf({ stop_hook_active: false })).toContain("had no last_assistant_message:");
    expect(await lacksOf({ stop_hook_active: false, last_assistant_message: "" })).toBeUndefined();
  });

  it("holds no secret that its hooks said, in the playground neither", async () => {
    const room = scratch();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const hook = { type: "command", command: `echo the token is ${secret}` };
    const served = await serve(room, ["--config", room.config({ UserPromptSubmit: [{ hooks: [hook] }] })]);
    const headers = {
      ...(await served.signIn()),
      Origin: `http://127.0.0.1:${served.port}`,
      "Content-Type": "application/json",
    };
    const body = JSON.stringify({ event: "UserPromptSubmit", payload: { prompt: "hello" } });
    const { json } = await served.ask("/api/fire", { method: "POST", headers, body });
    const { testCase, lacks } = (json as { share: Shared }).share;
    expect(testCase).toMatch(/agent:\n +- the token is \[redacted\]\n/);
    expect(lacks).toContain("Secrets were replaced");
  });

  const REASONS = ["plain", "/looks like a pattern/", "two\nlines: 'and' \"quotes\" # no comment"];

  it("is a test case that passes", async () => {
    const room = scratch();
    const deny = (reason: string) => ({
      type: "json",
      json: {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: reason,
        },
      },
    });
    for (const [index, reason] of REASONS.entries()) {
      const config = room.config({ PreToolUse: [{ hooks: [deny(reason)] }] }, `hooks-${index}.json`);
      await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config]);
    }
    const served = await serve(room);
    const cookie = await served.signIn();
    const { json } = await served.ask("/api/events", { headers: cookie });
    for (const [index, { key }] of (json as { rows: { key: string }[] }).rows.reverse().entries()) {
      const { testCase } = (await served.ask(`/api/test-case/${key}`, { headers: cookie })).json as Shared;
      room.file(`case-${index}.hooks.yaml`, `config: "hooks-${index}.json"\n${testCase}`);
    }
    const { code, stdout, stderr } = await room.belay(["test"]);
    expect({ code, passed: /\b3 (?:cases )?pass/.test(stdout) }, stdout + stderr).toEqual({
      code: 0,
      passed: true,
    });
  });
});
