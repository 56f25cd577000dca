import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { clean } from "@belay/core/clean";
import { describe, expect, it } from "vitest";
import { parseYaml } from "../../src/testing/read/yaml.ts";
import { type Scratch, scratch } from "../cli.ts";
import { journal, lineOf } from "./journal.ts";
import { sharedOf } from "./shared.ts";

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

  it.each(ROWS)("%s", async (_, event, payloadWith) => {
    const room = scratch();
    const payload = payloadWith(`ls${ACTED_ON.join("; ")} it's`);
    const { commandLine } = await copied(room, payload, room.project, event);
    expect(isTyped(commandLine), JSON.stringify(commandLine)).toBe(true);
    expect(await firedBy(room, commandLine)).toMatchObject(payload);
  });

  it.each(ROWS)(
    "%s with half of a character, which no command line can hold",
    async (_, event, payloadWith) => {
      const room = scratch();
      const payload = payloadWith("\ud800x");
      const { commandLine } = await copied(room, payload, room.project, event);
      expect(await firedBy(room, commandLine)).toMatchObject(payload);
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
