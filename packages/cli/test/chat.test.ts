import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, scratch } from "./cli.ts";

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
    stderr: "Bash failed: not here\n",
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
    what: "a blocked prompt",
    prompt: "hello",
    hooks: hook("UserPromptSubmit", "echo 'no secrets' >&2; exit 2"),
    code: 2,
    stopReason: "prompt-blocked",
    stderr: "error: no secrets\n",
  },
  {
    what: "continue: false",
    prompt: "run echo hello",
    args: BYPASS,
    hooks: hook("PreToolUse", says({ continue: false, stopReason: "enough" })),
    code: 2,
    stopReason: "stopped",
    stderr: /error: enough/,
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
  // The last state of every block is what json has of it.
  const last = new Map(
    lines
      .slice(0, -1)
      .map(({ type, message, block }) => [`${type} ${message} ${block.id ?? block.content}`, block]),
  );
  const kept = messages.flatMap(({ blocks }: { blocks: object[] }) => blocks.map(anonymous));
  const seen = [...last.values()].map(anonymous);
  // A prompt that was erased was seen all the same.
  expect(seen.slice(seen.length - kept.length)).toEqual(kept);
});

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
  const blocks = messages.map(({ source, blocks }: { source: string; blocks: { type: string }[] }) => [
    source,
    ...blocks.map(({ type }) => type),
  ]);
  expect(blocks).toEqual([
    ["prompt", "text"],
    ["hook", "warn"],
    ["model", "tool"],
    ["hook", "hook"],
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
