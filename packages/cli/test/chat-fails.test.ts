import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BYPASS } from "./chat-hooks.ts";
import { BIN, scratch } from "./cli.ts";

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

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "ends what runs, and the session, at %s",
  async (signal) => {
    const { project, home } = scratch();
    const hooks = { SessionEnd: [{ hooks: [{ type: "command", command: "touch over" }] }] };
    mkdirSync(join(home, ".belay"), { recursive: true });
    writeFileSync(join(home, ".belay", "settings.json"), JSON.stringify({ hooks }));
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
    child.kill(signal);
    expect(await ended).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ stopReason: "aborted", exitCode: 130 });
    expect(["ended", "over"].map((name) => existsSync(join(project, name)))).toEqual([false, true]);
  },
);
