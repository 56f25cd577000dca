import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratch } from "./cli.ts";

it("writes what an agent fires into the journal, under our names, and says nothing", async () => {
  const { belay, project, file } = scratch();
  // None of the project's own hooks is asked.
  const guard = { type: "command", command: "touch asked; exit 2" };
  file(".belay/settings.json", JSON.stringify({ hooks: { PreToolUse: [{ hooks: [guard] }] } }));
  const sent = {
    session_id: "s1",
    cwd: project,
    hook_event_name: "BeforeTool",
    tool_name: "run_shell_command",
    tool_input: { command: "ls" },
  };
  const recorded = await belay(["record", "gemini"], { input: JSON.stringify(sent) });
  expect(recorded).toEqual({ code: 0, stdout: "", stderr: "" });
  const { stdout } = await belay(["tail", "--json"]);
  expect(JSON.parse(stdout)).not.toHaveProperty("untrusted");
  expect(JSON.parse(stdout)).toMatchObject({
    event: "PreToolUse",
    session: "s1",
    hooks: [],
    payload: {
      tool_name: "Bash",
      tool_input: { command: "ls" },
      native: { agent: "gemini", event: "BeforeTool" },
    },
  });
});

const ROWS: [name: string, args: string[], input: string, said: string][] = [
  ["no JSON", ["codex"], "oops", "the payload on stdin is no JSON"],
  ["a list", ["codex"], "[]", "the payload on stdin is no JSON object"],
  [
    "no event",
    ["codex"],
    "{}",
    "the payload does not say which event of Codex it is; name it: belay record codex <event>",
  ],
  ["no such agent", ["codx"], "{}", 'there is no agent "codx" that is known here'],
  ["no agent", [], "{}", "an agent is needed; usage: belay record <agent> [event]"],
  ["too many words", ["codex", "Stop", "x"], "{}", '"x" is one argument too many'],
  ["no such flag", ["codex", "--quiet"], "{}", "there is no option --quiet"],
];
for (const [name, args, input, said] of ROWS)
  it(`decides nothing for bad input: ${name}`, async () => {
    const { belay } = scratch();
    const { code, stdout, stderr } = await belay(["record", ...args], { input });
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain(`belay: not recorded: ${said}`);
    // What a hook writes to stderr reaches nobody in most agents.
    const tail = await belay(["tail"], { env: { COLUMNS: "1000" } });
    expect(tail.stdout).toMatch(/^nothing has been recorded yet in .*; the last of what was not recorded, /);
    expect(tail.stdout).toContain(`, of ${args[0] ?? "no agent"}: ${said}`);
  });

it("keeps the last of what was not recorded, and no more", async () => {
  const { belay, home } = scratch();
  for (const input of ["oops", "[]"]) await belay(["record", "codex"], { input });
  const journal = join(home, ".belay", "journal");
  const [folder = ""] = readdirSync(journal);
  const file = join(journal, folder, "not-recorded.txt");
  expect(readFileSync(file, "utf8")).toMatch(
    /^\d{4}-\d\d-\d\dT[\d:.]+Z, of codex: the payload on stdin is no JSON object\n$/,
  );
  expect(statSync(file).mode & 0o077).toBe(0);
});
