import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createAgent, offlineModel } from "@belay/agent";
import { createEngine } from "@belay/engine";
import { expect, it, onTestFinished } from "vitest";
import { findUntrusted } from "../src/tui/trust.tsx";
import { BIN, type Scratch, scratch } from "./cli.ts";

const hook = (event: string, command: string) => ({
  [event]: [{ hooks: [{ type: "command", command, name: "h" }] }],
});
const says = (answer: object) => `printf '%s' '${JSON.stringify(answer)}'`;
const permits = (permissionDecision: string, permissionDecisionReason: string) =>
  says({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason } });
const BLOCKS_STOP = says({ decision: "block", reason: "once more" });

const BYPASS = ["--mode", "bypass"];
const PLAIN = [...BYPASS, "--dialect", "session-hooks"];
const HELLO = "run echo hello";
const THRICE = "run echo 1 then run echo 2 then run echo 3";
const UNASKED = "Bash failed: Bash needs a permission, and nobody is there to give it";

/** How a turn can end, and what a script sees of it. */
it.each<
  [
    what: string,
    given: [prompt: string, args: readonly string[], hooks?: object],
    code: number,
    stopReason: string,
    stderr: unknown,
  ]
>([
  ["done", [HELLO, BYPASS], 0, "done", ""],
  [
    "a call that a hook denied",
    [HELLO, BYPASS, hook("PreToolUse", "echo 'not here' >&2; exit 2")],
    0,
    "done",
    "Bash failed (h says no): not here\n",
  ],
  [
    "a call that a hook allowed, saying why",
    [HELLO, [], hook("PreToolUse", permits("allow", "I vouch for it"))],
    0,
    "done",
    "note: h: I vouch for it\n",
  ],
  [
    "a hook that speaks plainly where that is for the user",
    [HELLO, PLAIN, hook("PostToolUse", "echo it was logged")],
    0,
    "done",
    "note: h: it was logged\n",
  ],
  [
    "a stop that was blocked too often",
    [HELLO, [...BYPASS, "--stop-cap", "2"], hook("Stop", BLOCKS_STOP)],
    0,
    "done",
    expect.stringMatching(/^warning: belay: the stop was blocked 2 times in a row .*--stop-cap/),
  ],
  [
    "a blocked prompt",
    ["hello", [], hook("UserPromptSubmit", "echo 'no secrets' >&2; exit 2")],
    2,
    "prompt-blocked",
    "error: h: no secrets\n",
  ],
  [
    "continue: false",
    [HELLO, BYPASS, hook("PreToolUse", says({ continue: false, stopReason: "enough" }))],
    2,
    "stopped",
    expect.stringContaining("error: h: enough"),
  ],
  ["a question that nobody answers", [HELLO, []], 2, "unanswered", `${UNASKED}: it runs a command\n`],
  [
    "a hook's question that nobody answers",
    [HELLO, BYPASS, hook("PreToolUse", permits("ask", "look first"))],
    2,
    "unanswered",
    `note: h: look first\n${UNASKED}\n`,
  ],
  [
    "too many turns",
    [THRICE, [...BYPASS, "--max-turns", "2"]],
    1,
    "turn-limit",
    expect.stringMatching(/^error: the agent was stopped after 2 turns/),
  ],
])("ends after %s", async (_, [prompt, args, hooks = {}], code, stopReason, stderr) => {
  const folder = scratch();
  const flags = ["chat", "-p", prompt, ...args, "--config", folder.config(hooks)];
  const [text, json, stream] = await Promise.all([
    folder.belay(flags),
    folder.belay([...flags, "--output", "json"]),
    folder.belay([...flags, "--output", "stream-json"]),
  ]);
  expect([text.code, json.code, stream.code]).toEqual([code, code, code]);
  expect([text.stderr, json.stderr, stream.stderr]).toEqual([stderr, "", ""]);
  const whole = JSON.parse(json.stdout);
  const { messages, result, ...rest } = whole;
  expect(rest).toEqual({
    sessionId: expect.stringMatching(/^[\w-]{36}$/),
    stopReason,
    ...(rest.detail !== undefined && { detail: expect.any(String) }),
    exitCode: code,
  });
  expect(text.stdout).toBe(result === "" ? "" : `${result}\n`);
  const lines = stream.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.at(-1)).toEqual({ type: "result", ...rest, result, sessionId: lines.at(-1).sessionId });
  const kept = messages.map(({ blocks }: { blocks: object[] }) => blocks.map(anonymous));
  expect(built(lines.slice(0, -1))).toEqual(kept);
});

/** The conversation as a reader of stream-json has it. */
function built(lines: readonly { type: string; message: string; index: number; block: object }[]) {
  const messages = new Map<string, object[]>();
  for (const { type, message, index, block } of lines)
    if (type === "remove") messages.delete(message);
    else if (type === "reset") messages.clear();
    else {
      const blocks = messages.get(message) ?? [];
      blocks[index] = anonymous(block);
      messages.set(message, blocks);
    }
  return [...messages.values()];
}

/** Ids and times differ between two sessions. */
function anonymous(block: object): object {
  return { ...block, id: "" };
}

it("prints every block, those for the agent included", async () => {
  const folder = scratch();
  const config = folder.config({
    ...hook("UserPromptSubmit", says({ systemMessage: "mind the gap" })),
    ...hook(
      "PostToolUse",
      says({ hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "it is Monday" } }),
    ),
  });
  const flags = ["chat", "-p", HELLO, ...BYPASS, "--config", config, "--output", "json"];
  const { messages } = JSON.parse((await folder.belay(flags)).stdout);
  const blocks = messages.map(
    ({ source, blocks }: { source: string; blocks: { type: string; hook?: string }[] }) => [
      source,
      ...blocks.map(({ type, hook }) => (hook === undefined ? type : `${type} by ${hook}`)),
    ],
  );
  expect(blocks).toEqual([
    ["prompt", "text"],
    ["hook", "warn by h"],
    ["model", "tool"],
    ["hook", "hook by h"],
    ["model", "text"],
  ]);
  expect(JSON.stringify(messages)).toContain("it is Monday");
});

it.each([
  { what: "without -p", args: [] },
  { what: "with -p -", args: ["-p", "-"] },
])("reads the prompt from stdin $what", async ({ args }) => {
  const input = "write a.txt: from stdin\n";
  const folder = scratch();
  const { code, stdout } = await folder.belay(["chat", ...args, "--mode", "acceptEdits"], { input });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("I wrote `a.txt`") });
});

it("says on stderr that a project's hooks are not trusted, and does not run them", async () => {
  const folder = scratch();
  folder.file(".belay/settings.json", JSON.stringify({ hooks: hook("UserPromptSubmit", "exit 2") }));
  const { code, stderr } = await folder.belay(["chat", "-p", "hello"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^warning: .*belay trust/);
});

it.each<[args: readonly string[], stderr: string]>([
  [["-p", "x", "--output", "jsn"], 'there is no output "jsn"; did you mean json?'],
  [["-p", "x", "--mode", "plann"], 'there is no mode "plann"; did you mean plan?'],
  [
    ["-p", "x", "--max-turns", "many"],
    '--max-turns "many" is no number of turns; write a whole number above 0',
  ],
  [
    ["-p", "x", "--stop-cap", "1.5"],
    '--stop-cap "1.5" is no number of stops; write a whole number, 0 or above',
  ],
  [["-p"], "-p needs a value; a value that begins with a dash is written --print=VALUE"],
  [["run ls"], '"run ls" is one argument too many; a prompt is written -p "run ls"'],
  [[], 'there is no prompt and no terminal; write: belay chat -p "…"'],
  [["-p", "x", "--resume"], "there is no session of this project to resume; start one with: belay chat"],
  [
    ["-p", "x", "--resume", "abc"],
    "there is no session abc of this project to resume; start one with: belay chat",
  ],
  [
    ["-p", "x", "--model", "anthropic/one"],
    "anthropic needs a key, and ANTHROPIC_API_KEY is not set. Set it in the environment: export ANTHROPIC_API_KEY=…, or use --model offline.",
  ],
])("refuses %j", async (args, stderr) => {
  const options = { input: " \n", env: { ANTHROPIC_API_KEY: "" } };
  const refused = { code: 1, stdout: "", stderr: `belay: ${stderr}\n` };
  expect(await scratch().belay(["chat", ...args], options)).toEqual(refused);
});

it("says in one sentence that a model cannot answer", async () => {
  const server = createServer((_, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: "bad key" } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const flags = ["chat", "-p", "hello", "--model", "openai/gpt", "--base-url", url];
  expect(await scratch().belay(flags, { env: { OPENAI_API_KEY: "sk-x" } })).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^.*refused the key \(HTTP 401: bad key\)\. Check OPENAI_API_KEY.*\n$/),
  });
});

it("does not mind a reader that leaves", async () => {
  const line = `belay chat -p "${THRICE}" --mode bypass --output stream-json | head -n 1`;
  const printed = await scratch().shell(line);
  expect(JSON.parse(printed)).toMatchObject({ type: "block", role: "user", block: { content: THRICE } });
});

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "ends what runs, and the session, at %s",
  async (signal) => {
    const { project, home, config } = scratch();
    const prompt = "run touch began && sleep 30 && touch ended";
    const hooks = config(hook("SessionEnd", "touch over"));
    const flags = ["chat", "-p", prompt, ...BYPASS, "--output", "json", "--config", hooks];
    const child = spawn(process.execPath, [BIN, ...flags], {
      cwd: project,
      env: { ...process.env, HOME: home },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    const ended = new Promise((resolve) => child.on("close", resolve));
    await expect.poll(() => existsSync(join(project, "began"))).toBe(true);
    child.kill(signal);
    expect(await ended).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ stopReason: "aborted", exitCode: 130 });
    expect(["ended", "over"].map((name) => existsSync(join(project, name)))).toEqual([false, true]);
  },
);

it("goes on with a session, and prints only what is new", async () => {
  const folder = scratch();
  const config = folder.config(hook("UserPromptSubmit", says({ systemMessage: "mind the gap" })));
  await folder.belay(["chat", "-p", "run echo one", ...BYPASS, "--config", config]);
  const flags = ["chat", "--resume", "-p", "run echo two", ...BYPASS, "--output"];
  const stream = await folder.belay([...flags, "stream-json"]);
  expect(stream.stdout).not.toMatch(/mind the gap|echo one/);
  const whole = JSON.parse((await folder.belay([...flags, "json"])).stdout);
  expect(JSON.stringify(whole.messages)).toMatch(/mind the gap.*echo one.*echo two/);
});

it("says at each start without its flags which hooks of the session are missing", async () => {
  const folder = scratch();
  folder.config({ Stop: [{ hooks: [{ type: "command", command: "true", name: "gate" }] }] });
  const flags = ["--config", "hooks.json", ...BYPASS];
  const chat = async (...args: string[]) => {
    const { stderr } = await folder.belay(["chat", "-p", "run echo one", ...args]);
    return stderr.replaceAll(folder.project, ".").replaceAll(/[\da-f]{8}/g, "ID");
  };
  const said =
    "warning: 1 hook that this session had is missing now: Stop gate (./hooks.json:1). Next: belay chat --resume ID --config hooks.json --mode bypass\n";
  expect(await chat(...flags)).toBe("");
  expect(await chat("--resume", ...BYPASS)).toBe(said);
  expect(await chat("--resume", ...BYPASS)).toBe(said);
  expect(await chat("--resume", ...flags)).toBe("");
  folder.config({});
  expect(await chat("--resume", ...flags)).toBe(`${said.slice(0, said.indexOf(". Next"))}\n`);
  expect(await chat("--resume", ...flags)).toBe("");
});

/** A session as a crash leaves it: a question is open. `edit` is done to its transcript. */
async function leftAsking(
  { project, home }: Scratch,
  prompt: string,
  edit = (transcript: string) => transcript,
): Promise<string> {
  const agent = await createAgent({ cwd: project, home, model: offlineModel(), isAttended: true });
  const turn = agent.send(prompt);
  await expect.poll(() => agent.state.pending.length).toBe(1);
  const transcript = readFileSync(agent.transcriptPath, "utf8");
  await agent.close("other");
  await turn;
  writeFileSync(agent.transcriptPath, edit(transcript));
  return agent.sessionId;
}

it("leaves a question of a resumed session open, and says that the prompt was not sent", async () => {
  const folder = scratch();
  const id = await leftAsking(folder, "write a.txt: hello");
  const flags = ["chat", "--resume", "-p", "read a.txt", "--output"];
  const why = "Write needs a permission, and nobody is there to give it: it changes files";
  const stderr = `warning: a question of the resumed session is open, and the prompt was not sent: ${why}. Next: belay chat --resume ${id.slice(0, 8)}\n`;
  expect(await folder.belay([...flags, "text"])).toEqual({ code: 2, stdout: "", stderr });
  const json = await folder.belay([...flags, "json"]);
  expect({ ...json, stdout: JSON.parse(json.stdout) }).toMatchObject({
    code: 2,
    stderr,
    stdout: { stopReason: "unanswered", detail: why },
  });
  expect(json.stdout).not.toContain("read a.txt");
  // Now the mode has the answer.
  const stream = await folder.belay([...flags, "stream-json", ...BYPASS]);
  expect({ code: stream.code, stderr: stream.stderr }).toEqual({ code: 0, stderr: "" });
  expect(stream.stdout).toMatch(/"name":"Write".*"stage":"done","success":true.*\n.*read a\.txt/s);
});

it("prints no sign of a tool's name that a terminal would follow", async () => {
  const name = "Wri\u009b31mte\u202e";
  const stdouts: string[] = [];
  for (const output of ["text", "json", "stream-json"]) {
    const folder = scratch();
    await leftAsking(folder, "write a.txt: hello", (text) =>
      text.replaceAll('"name":"Write"', `"name":${JSON.stringify(name)}`),
    );
    const { stdout, stderr } = await folder.belay(["chat", "--resume", "-p", "hello", "--output", output]);
    expect(stdout + stderr).not.toMatch(/[\u0080-\u009f\u202e]/);
    if (output === "text") expect(stderr).toContain("Wri\\u009b31mte\\u202e failed: There is no tool");
    stdouts.push(stdout);
  }
  const [, json = "", stream = ""] = stdouts;
  expect(JSON.stringify(JSON.parse(json))).toContain(name);
  expect(JSON.parse(stream.split("\n")[0] ?? "")).toMatchObject({ type: "block", index: 0, block: { name } });
});

it("what cannot be looked through to its end is not offered, and a print of it trusts nothing", async () => {
  const place = scratch();
  const { project: cwd, home } = place;
  const hook = (command: string) => ({ hooks: [{ type: "command", command }] });
  const hooks = {
    PreToolUse: [
      hook(`: ${Array.from({ length: 10_000 }, (_, n) => `w${n}`).join(" ")}; touch ran`),
      hook("exit 0"),
    ],
  };
  place.file(".belay/settings.json", JSON.stringify({ hooks }));
  const untrusted = await findUntrusted({ cwd, home, model: {} });
  expect(untrusted.hooks.map(({ hook: { handler } }) => handler)).toEqual([
    { type: "command", command: "exit 0" },
  ]);
  untrusted.accept();
  const engine = await createEngine({ cwd, home, journal: false });
  const { runs } = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
  await engine.close();
  expect(runs).toHaveLength(1);
});
