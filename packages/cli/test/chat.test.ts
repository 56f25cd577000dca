import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createAgent, offlineModel } from "@belay/agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, type Scratch, scratch } from "./cli.ts";

const hook = (event: string, command: string, matcher?: string) => ({
  [event]: [{ ...(matcher && { matcher }), hooks: [{ type: "command", command, name: "h" }] }],
});
const says = (answer: object) => `printf '%s' '${JSON.stringify(answer)}'`;

const BYPASS = ["--mode", "bypass"];

/** How a turn can end, and what a script sees of it. */
it.each<{
  what: string;
  prompt: string;
  args?: readonly string[];
  hooks?: object;
  code: number;
  stopReason: string;
  stderr?: string | RegExp;
}>([
  { what: "done", prompt: "run echo hello", args: BYPASS, code: 0, stopReason: "done", stderr: "" },
  {
    what: "a call that a hook denied",
    prompt: "run echo hello",
    args: BYPASS,
    hooks: hook("PreToolUse", "echo 'not here' >&2; exit 2"),
    code: 0,
    stopReason: "done",
    stderr: "Bash failed (h says no): not here\n",
  },
  {
    what: "a call that a hook allowed, saying why",
    prompt: "run echo hello",
    hooks: hook(
      "PreToolUse",
      says({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow",
          permissionDecisionReason: "I vouch for it",
        },
      }),
    ),
    code: 0,
    stopReason: "done",
    stderr: "note: h: I vouch for it\n",
  },
  {
    what: "a hook that speaks plainly where that is for the user",
    prompt: "run echo hello",
    args: [...BYPASS, "--dialect", "session-hooks"],
    hooks: hook("PostToolUse", "echo it was logged"),
    code: 0,
    stopReason: "done",
    stderr: "note: h: it was logged\n",
  },
  {
    what: "a hook that never lets it stop",
    prompt: "run echo hello",
    args: BYPASS,
    hooks: hook("Stop", says({ decision: "block", reason: "once more" })),
    code: 0,
    stopReason: "done",
    stderr: /^warning: .*8/,
  },
  {
    what: "fewer blocked stops",
    prompt: "run echo hello",
    args: [...BYPASS, "--stop-cap", "2"],
    hooks: hook("Stop", says({ decision: "block", reason: "once more" })),
    code: 0,
    stopReason: "done",
    stderr: /^warning: belay: the stop was blocked 2 times .*--stop-cap/,
  },
  {
    what: "one blocked stop",
    prompt: "run echo hello",
    args: [...BYPASS, "--stop-cap", "1"],
    hooks: hook("Stop", says({ decision: "block", reason: "once more" })),
    code: 0,
    stopReason: "done",
    stderr: /^warning: belay: the stop was blocked 1 time in a row without a tool call/,
  },
  {
    what: "a blocked prompt",
    prompt: "hello",
    hooks: hook("UserPromptSubmit", "echo 'no secrets' >&2; exit 2"),
    code: 2,
    stopReason: "prompt-blocked",
    stderr: "error: h: no secrets\n",
  },
  {
    what: "continue: false",
    prompt: "run echo hello",
    args: BYPASS,
    hooks: hook("PreToolUse", says({ continue: false, stopReason: "enough" })),
    code: 2,
    stopReason: "stopped",
    stderr: /error: h: enough/,
  },
  {
    what: "a question that nobody answers",
    prompt: "run echo hello",
    code: 2,
    stopReason: "unanswered",
    stderr: "Bash failed: Bash needs a permission, and nobody is there to give it: it runs a command\n",
  },
  {
    what: "a hook's question that nobody answers",
    prompt: "run echo hello",
    args: BYPASS,
    hooks: hook(
      "PreToolUse",
      says({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "ask",
          permissionDecisionReason: "look first",
        },
      }),
    ),
    code: 2,
    stopReason: "unanswered",
    stderr: /nobody is there to give it: look first/,
  },
  {
    what: "one turn too many",
    prompt: "run echo 1 then run echo 2",
    args: [...BYPASS, "--max-turns", "1"],
    code: 1,
    stopReason: "turn-limit",
    stderr: "error: the agent was stopped after 1 turn; send a prompt to let it go on\n",
  },
  {
    what: "too many turns",
    prompt: "run echo 1 then run echo 2 then run echo 3",
    args: [...BYPASS, "--max-turns", "2"],
    code: 1,
    stopReason: "turn-limit",
    stderr: /^error: the agent was stopped after 2 turns/,
  },
])("exits $code after $what", async ({ prompt, args = [], hooks, code, stopReason, stderr = "" }) => {
  const folder = scratch();
  const config = hooks ? ["--config", folder.config(hooks)] : [];
  const flags = ["chat", "-p", prompt, ...args, ...config];
  const text = await folder.belay(flags);
  const json = await folder.belay([...flags, "--output", "json"]);
  const stream = await folder.belay([...flags, "--output", "stream-json"]);
  expect([text.code, json.code, stream.code]).toEqual([code, code, code]);
  if (typeof stderr === "string") expect(text.stderr).toBe(stderr);
  else expect(text.stderr).toMatch(stderr);
  expect([json.stderr, stream.stderr]).toEqual(["", ""]);
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
  const flags = ["chat", "-p", "run echo hi", "--mode", "bypass", "--config", config, "--output", "json"];
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

it("says on stderr that a project's hooks are not trusted, and does not run them", async () => {
  const folder = scratch();
  folder.file(".belay/settings.json", JSON.stringify({ hooks: hook("UserPromptSubmit", "exit 2") }));
  const { code, stderr } = await folder.belay(["chat", "-p", "hello"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^warning: .*belay trust/);
});

/** A server that answers every request so. */
async function serverThat(status: number, body: object): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/v1`;
}

describe("a model that cannot answer", () => {
  it.each<{ what: string; url: () => Promise<string>; model?: string; says: RegExp }>([
    {
      what: "refuses the key",
      url: () => serverThat(401, { error: { message: "bad key" } }),
      model: "openai/gpt",
      says: /refused the key \(HTTP 401: bad key\)\. Check OPENAI_API_KEY/,
    },
    {
      what: "does not know the model",
      url: () => serverThat(404, { error: { message: "no such model" } }),
      says: /does not know compatible\/m \(HTTP 404: no such model\)/,
    },
    { what: "is not there", url: closedPort, says: /No connection to http:\/\/127\.0\.0\.1:\d+\/v1/ },
  ])("is told in one sentence: it $what", async ({ url, model = "m", says }) => {
    const flags = ["chat", "-p", "hello", "--model", model, "--base-url", await url()];
    const { code, stdout, stderr } = await scratch().belay(flags, { env: { OPENAI_API_KEY: "sk-x" } });
    expect({ code, stdout, lines: stderr.split("\n").length }).toEqual({ code: 1, stdout: "", lines: 2 });
    expect(stderr).toMatch(says);
  });
});

it.each<{ args: readonly string[]; input?: string; stderr: string }>([
  { args: ["-p", "x", "--outptu", "json"], stderr: "there is no option --outptu; did you mean --output?" },
  { args: ["-p", "x", "--output", "jsn"], stderr: 'there is no output "jsn"; did you mean json?' },
  { args: ["-p", "x", "--mode", "plann"], stderr: 'there is no mode "plann"; did you mean plan?' },
  {
    args: ["-p", "x", "--max-turns", "many"],
    stderr: '--max-turns "many" is no number of turns; write a whole number above 0',
  },
  {
    args: ["-p", "x", "--stop-cap", "1.5"],
    stderr: '--stop-cap "1.5" is no number of stops; write a whole number, 0 or above',
  },
  { args: ["-p"], stderr: "-p needs a value; a value that begins with a dash is written --print=VALUE" },
  { args: ["run ls"], stderr: '"run ls" is one argument too many; a prompt is written -p "run ls"' },
  { args: [], input: " \n", stderr: 'there is no prompt and no terminal; write: belay chat -p "…"' },
  {
    args: ["-p", "x", "--resume"],
    stderr: "there is no session of this project to resume; start one with: belay chat",
  },
  {
    args: ["-p", "x", "--resume", "abc"],
    stderr: "there is no session abc of this project to resume; start one with: belay chat",
  },
  {
    args: ["-p", "x", "--model", "acme/one"],
    stderr:
      'There is no provider "acme". Use --model offline, anthropic/<model>, openai/<model>, or compatible/<model> with --base-url <url>.',
  },
  {
    args: ["-p", "x", "--model", "anthropic/one"],
    stderr:
      "anthropic needs a key, and ANTHROPIC_API_KEY is not set. Set it in the environment: export ANTHROPIC_API_KEY=…, or use --model offline.",
  },
])("refuses $args", async ({ args, input = "", stderr }) => {
  const env = { ANTHROPIC_API_KEY: "" };
  expect(await scratch().belay(["chat", ...args], { input, env })).toEqual({
    code: 1,
    stdout: "",
    stderr: `belay: ${stderr}\n`,
  });
});

it("does not mind a reader that leaves", async () => {
  const prompt = "run echo 1 then run echo 2 then run echo 3";
  const line = `belay chat -p "${prompt}" --mode bypass --output stream-json | head -n 1`;
  const printed = await scratch().shell(line);
  expect(JSON.parse(printed)).toMatchObject({ type: "block", role: "user", block: { content: prompt } });
});

it("ends what runs at Ctrl-C", async () => {
  const { project, home } = scratch();
  const flags = ["chat", "-p", "run touch began && sleep 30 && touch ended", ...BYPASS, "--output", "json"];
  const child = spawn(process.execPath, [BIN, ...flags], {
    cwd: project,
    env: { ...process.env, HOME: home },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const ended = new Promise((resolve) => child.on("close", resolve));
  await expect.poll(() => existsSync(join(project, "began")), { timeout: 20_000 }).toBe(true);
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ stopReason: "aborted", exitCode: 130 });
  expect(existsSync(join(project, "ended"))).toBe(false);
});
