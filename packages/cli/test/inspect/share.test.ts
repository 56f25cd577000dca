import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { clean } from "@belay/core/clean";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fired } from "../../../inspector/src/api.ts";
import { inYaml } from "../../src/inspect/share.ts";
import { parseYaml } from "../../src/testing/read/source.ts";
import { type Scratch, scratch } from "../cli.ts";
import { journal, lineOf } from "./journal.ts";
import { serve } from "./server.ts";
import { sharedOf } from "./shared.ts";

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
    const config = room.config({ PreToolUse: [{ hooks: [SAVES] }] });
    const found: unknown[] = [];
    for (const { commandLine } of await sharedOf(room, ["--config", config])) {
      // The recorded folder is not this project: hooks write beside the config.
      const here = commandLine.replace(/ --cwd \S+/, ' --cwd "$PWD"');
      await room.shell(`${here} > /dev/null; true`);
      const lines = (await room.shell("cat seen; rm -f seen")).trim();
      found.push((JSON.parse(lines) as { tool_input: unknown }).tool_input);
    }
    expect(found).toEqual(COMMANDS.map((command) => ({ command })));
  });

  it("keeps the mode that its session was in", async () => {
    const room = scratch();
    const command = `grep -q '"permission_mode": *"plan"' && { echo "only plans" >&2; exit 2; }; exit 0`;
    const config = room.config({ PreToolUse: [{ hooks: [{ type: "command", command }] }] });
    for (const mode of ["plan", "default"])
      await room.belay(["run", "PreToolUse", "--config", config, "--set", `permission_mode="${mode}"`]);
    const [planned, usual] = await sharedOf(room, ["--config", config]);
    expect(await room.shell(planned?.commandLine ?? "")).toContain("only plans");
    expect(usual?.commandLine).not.toContain("permission_mode");
    room.file("case.hooks.yaml", planned?.testCase ?? "");
    const { code, stdout } = await room.belay(["test"]);
    expect(code, stdout).toBe(0);
  });

  it("says which of its fields were absent, and are filled in", async () => {
    const room = scratch();
    const served = await serve(room);
    const lacksOf = async (payload: object) =>
      (await served.api<Fired>("/api/fire", { event: "Stop", payload })).share.lacks;
    expect(await lacksOf({ stop_hook_active: false })).toContain("had no last_assistant_message:");
    expect(await lacksOf({ stop_hook_active: false, last_assistant_message: "" })).toBeUndefined();
  });

  it("holds no secret that its hooks said, in the playground neither", async () => {
    const room = scratch();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const hook = { type: "command", command: `echo the token is ${secret}` };
    const served = await serve(room, ["--config", room.config({ UserPromptSubmit: [{ hooks: [hook] }] })]);
    const request = { event: "UserPromptSubmit", payload: { prompt: "hello" } };
    const { testCase, lacks } = (await served.api<Fired>("/api/fire", request)).share;
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
    for (const [index, { testCase }] of (await sharedOf(room)).entries())
      room.file(`case-${index}.hooks.yaml`, `config: "hooks-${index}.json"\n${testCase}`);
    const { code, stdout, stderr } = await room.belay(["test"]);
    expect({ code, passed: /\b3 (?:cases )?pass/.test(stdout) }, stdout + stderr).toEqual({
      code: 0,
      passed: true,
    });
  });
});

const SAVES = {
  type: "command",
  command: 'cat >> "$BELAY_PROJECT_DIR/seen"; echo >> "$BELAY_PROJECT_DIR/seen"',
};

/** What the page copies of an event with this payload, that happened in this folder. */
async function copied(room: Scratch, payload: object, cwd = room.project, event = "PreToolUse") {
  const record = JSON.parse(lineOf({ id: "1", event })) as object;
  const common = { session_id: "s", cwd, hook_event_name: event };
  // Entries, and not a spread: a field may be named __proto__.
  const whole = Object.fromEntries([...Object.entries(common), ...Object.entries(payload)]);
  journal(room, [`${JSON.stringify({ ...record, cwd, payload: whole })}\n`]);
  const config = room.config({ PreToolUse: [{ hooks: [SAVES] }], UserPromptSubmit: [{ hooks: [SAVES] }] });
  const [shared] = await sharedOf(room, ["--config", config]);
  return shared ?? { commandLine: "", testCase: "" };
}

/** What hooks are given when the line is pasted and run. */
async function firedBy(room: Scratch, line: string): Promise<object> {
  await room.shell(`${line} > /dev/null; true`);
  return JSON.parse(await room.shell("cat seen")) as object;
}

const isTyped = (line: string) => clean(line) === line && !line.includes("\n");

/** Deletes what stands before it in a terminal, begins a command to it, or turns the order of what is read. */
const ACTED_ON = [
  "\x7f".repeat(400),
  "\x9b2K",
  "\u0085",
  "\x1b[2K",
  "\u202e",
  "\u200b",
  "\u{e0041}",
  "\t\r\n",
];

describe("a copied command line holds nothing that a terminal acts on, and fires the same", () => {
  const ROWS: [what: string, event: string, payloadWith: (text: string) => object][] = [
    ["an input", "PreToolUse", (text) => ({ tool_name: "Bash", tool_input: { [text]: text } })],
    ["a tool", "PreToolUse", (text) => ({ tool_name: text, tool_input: {} })],
    ["a field", "PreToolUse", (text) => ({ tool_name: "Bash", tool_input: {}, note: text })],
    ["the name of a field", "PreToolUse", (text) => ({ tool_name: "Bash", tool_input: {}, [text]: 1 })],
    ["a prompt", "UserPromptSubmit", (text) => ({ prompt: text })],
  ];

  it.each(ROWS)(
    "%s, also with half of a character, which no command line can hold",
    async (_, event, payloadWith) => {
      for (const text of [`ls${ACTED_ON.join("; ")} it's`, "\ud800x"]) {
        const room = scratch();
        const payload = payloadWith(text);
        const { commandLine } = await copied(room, payload, room.project, event);
        expect(isTyped(commandLine), JSON.stringify(commandLine)).toBe(true);
        expect(await firedBy(room, commandLine)).toMatchObject(payload);
      }
    },
  );

  it("an input that is too long for an argument", async () => {
    const room = scratch();
    const payload = { tool_name: "Write", tool_input: { content: "語".repeat(60_000), more: "a's" } };
    const { commandLine } = await copied(room, payload);
    room.file("pasted.sh", commandLine); // for no program could be given it
    expect(await firedBy(room, ". ./pasted.sh")).toMatchObject(payload);
  });

  const FOLDERS = [...ACTED_ON, "100% \\ it's !x\x7f", "-é\x1b1", "two\nlines", "last\n\n", "\n"];

  it.each(FOLDERS)("a folder named %j", async (name) => {
    const room = scratch();
    // No system takes a longer one.
    const folder = join(room.project, name.slice(0, 200));
    mkdirSync(folder);
    const { commandLine } = await copied(room, { tool_name: "Bash", tool_input: {} }, folder);
    expect(isTyped(commandLine), JSON.stringify(commandLine)).toBe(true);
    expect(await firedBy(room, commandLine)).toMatchObject({ cwd: folder });
  });
});

describe("a copied event", () => {
  it("keeps fields that are named as those of every object", async () => {
    const room = scratch();
    const fields = JSON.parse('{ "__proto__": { "a": 1 }, "constructor": "b", "toString": "c" }') as object;
    const { commandLine, testCase } = await copied(room, fields);
    const { value } = await parseYaml(testCase);
    const { cases } = value as { cases: { payload: object }[] };
    expect(Object.entries(cases[0]?.payload ?? {})).toEqual(Object.entries(fields));
    const fired = await firedBy(room, commandLine);
    expect(Object.entries(fired)).toEqual(expect.arrayContaining(Object.entries(fields)));
  });

  it("says nothing of a folder that was not recorded", async () => {
    const room = scratch();
    const { testCase } = await copied(room, { tool_name: "Bash", tool_input: { command: "ls -a" } }, "");
    expect(testCase).toContain("command: ls -a\n");
  });
});
