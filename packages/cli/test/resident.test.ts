import type { ChildProcess } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Scratch, scratch } from "./cli.ts";
import { gone, records, scriptOf, serving, viaScript } from "./relay-ways.ts";

const CALL = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
const input = JSON.stringify(CALL);
const DENIED = '"permissionDecision":"deny"';

/** A scratch folder whose hooks are trusted. */
async function trusted(...hooks: object[]): Promise<Scratch> {
  const made = scratch();
  made.config({ PreToolUse: [{ hooks }] }, ".belay/settings.json");
  await made.belay(["trust", "--yes"]);
  return made;
}

const says = (words: string) => ({ name: "says", type: "command", command: `${words} >&2; exit 2` });
const socketOf = (made: Scratch) => readFileSync(`${scriptOf(made)}.paths`, "utf8").split("\n")[2] ?? "";

/** A request as anyone who reaches the socket may send it. */
function send(
  made: Scratch,
  { path = "/call", method = "POST", body = "", headers = {} }: Record<string, unknown> & { body?: string },
): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const asking = request(
      {
        socketPath: socketOf(made),
        path: String(path),
        method: String(method),
        headers: { "content-length": Buffer.byteLength(body), ...(headers as object) },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("close", () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    asking.on("error", () => resolve({ status: 0, text: "" }));
    asking.end(body);
  });
}

describe("the resident: what a hook sees", () => {
  it("gives each of two agents at once its own variables and folder", async () => {
    const made = await trusted(says('sleep 0.3; printf "%s in %s" "$WHOSE" "$PWD"'));
    await serving(made, { WHOSE: "the daemon" });
    mkdirSync(join(made.project, "sub"));
    const relay = viaScript(made);
    const [one, two] = await Promise.all([
      relay(["codex"], { input, env: { WHOSE: "a\nb='\"$(x)`\\" } }),
      relay(["codex"], { input, cwd: join(made.project, "sub"), env: { WHOSE: "é%" } }),
    ]);
    const reason = (text: string) => JSON.parse(text).hookSpecificOutput.permissionDecisionReason;
    expect(reason(one.stdout)).toBe(`a\nb='"$(x)\`\\ in ${made.project}`);
    expect(reason(two.stdout)).toBe(`é% in ${join(made.project, "sub")}`);
    expect((await records(made)).every(({ relayed }) => !("twice" in (relayed as object)))).toBe(true);
  });

  it("keeps a warm process for callers of equal variables alone", async () => {
    const made = await trusted({
      name: "warm",
      type: "command",
      warm: true,
      command: `node -e '
        let n = 0;
        require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
          const { id } = JSON.parse(line);
          n += 1;
          console.log(JSON.stringify({ id, exitCode: 2, stderr: process.env.WHOSE + " " + n }));
        })'`,
    });
    await serving(made, { WHOSE: "the daemon" });
    const asked = ["a", "a", "b", "a", "b"];
    const told: string[] = [];
    for (const WHOSE of asked) {
      const { stdout } = await viaScript(made)(["codex"], { input, env: { WHOSE } });
      told.push(JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason);
    }
    expect(told).toEqual(["a 1", "a 2", "b 1", "a 3", "b 2"]);
  });

  it("keeps a module's thread for callers of equal variables alone", async () => {
    const made = scratch();
    made.file(
      ".belay/m.mjs",
      "let n = 0;\nexport default () => ({ decision: 'deny', reason: `${process.env.WHOSE} ${++n}` });\n",
    );
    made.config(
      { PreToolUse: [{ hooks: [{ name: "m", type: "module", module: "m.mjs" }] }] },
      ".belay/settings.json",
    );
    await made.belay(["trust", "--yes"]);
    await serving(made, { WHOSE: "the daemon" });
    const told: string[] = [];
    for (const WHOSE of ["a", "a", "b", "c", "d", "e", "a"]) {
      const { stdout } = await viaScript(made)(["codex"], { input, env: { WHOSE } });
      told.push(JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason);
    }
    expect(told).toEqual(["a 1", "a 2", "b 1", "c 1", "d 1", "e 1", "a 1"]);
  });

  it("sees an edit of the config, and that nobody has trusted it, at the next event", async () => {
    const made = await trusted(says("echo first"));
    await serving(made);
    const relay = viaScript(made);
    expect((await relay(["codex"], { input })).stdout).toContain("first");
    made.config(
      { PreToolUse: [{ hooks: [{ ...says("echo second"), onFailure: "block" }] }] },
      ".belay/settings.json",
    );
    const { stdout } = await relay(["codex"], { input });
    expect(stdout).toContain(DENIED);
    expect(stdout).not.toContain("second");
    await made.belay(["trust", "--yes"]);
    expect((await relay(["codex"], { input })).stdout).toContain("second");
  });

  it("keeps the agent's secrets out of the record", async () => {
    const made = await trusted(says('echo "$MY_API_TOKEN"'));
    await serving(made);
    await viaScript(made)(["codex"], { input, env: { MY_API_TOKEN: "tok-1234567890abcdef-xyz" } });
    expect(JSON.stringify(await records(made))).not.toContain("tok-1234567890abcdef-xyz");
  });

  it("leaves a caller with another home, or other variables of Node, to Belay itself", async () => {
    const made = await trusted(says("echo no"));
    await serving(made);
    const { stdout } = await viaScript(made)(["codex"], { input, env: { NODE_OPTIONS: "--no-warnings" } });
    expect(stdout).toContain(DENIED);
    expect((await made.belay(["daemon", "status"])).stdout).toContain("events    0");
  });
});

describe("the resident: the bytes of an answer", () => {
  const texts: [what: string, text: string][] = [
    ["signs of a shell and of printf", "100% $HOME `x` \\n \\\\ 'q' \"d\" * ? [a] ~"],
    ["lines, and the frame's own words", "\n\n0 2\nx\n200 0.001"],
    ["no ASCII", "Grüße, 世界 🎉"],
    ["200,000 characters", "ab\\ ".repeat(50_000)],
  ];
  for (const shell of ["dash", "bash"])
    for (const [what, text] of texts)
      it(`brings ${what} through ${shell}`, async () => {
        const made = scratch();
        const json = { decision: "block", reason: text };
        made.config({ PreToolUse: [{ hooks: [{ name: "j", type: "json", json }] }] }, ".belay/settings.json");
        await made.belay(["trust", "--yes"]);
        const direct = await made.belay(["hook", "claude-code"], { input });
        await serving(made);
        expect(await viaScript(made, shell)(["claude-code"], { input })).toEqual(direct);
        expect((await made.belay(["daemon", "status"])).stdout).toContain("events    1");
        expect(direct.stdout).toContain(JSON.stringify(text).slice(1, 30));
      });

  it("is nothing at all where nothing is said, and exit 2 with words where that refuses", async () => {
    const made = scratch();
    await serving(made);
    expect(await viaScript(made)(["codex"], { input })).toEqual({ code: 0, stdout: "", stderr: "" });
    made.config({ PreToolUse: [{ hooks: [says("echo no")] }] }, ".belay/settings.json");
    await made.belay(["trust", "--yes"]);
    const direct = await made.belay(["hook", "droid"], { input });
    expect(await viaScript(made)(["droid"], { input })).toEqual(direct);
  });
});

describe("an answer that nobody takes", () => {
  it("is exit 2 on every way: a deny that is lost is a refusal all the same", async () => {
    const made = await trusted(says("echo no"));
    const child = await serving(made);
    const calls = [`"${scriptOf(made)}"`, `"$NODE" "$BIN" hook`];
    const codes = async () =>
      Promise.all(
        calls.map((call) => made.shell(`echo '${input}' | ${call} codex >/dev/full 2>/dev/null; echo $?`)),
      );
    expect(await codes()).toEqual(["2\n", "2\n"]);
    child.kill("SIGKILL");
    await gone(child);
    expect(await codes()).toEqual(["2\n", "2\n"]);
    await made.belay(["daemon", "stop"]);
  });
});

const guard = {
  name: "guard",
  type: "command",
  onFailure: "block",
  command: "echo ran >> ran; cat ran | wc -l >&2; exit 2",
};

describe("the resident: its deaths", () => {
  const slow = { ...guard, command: `echo ran >> ran; sleep 1.5; echo no >&2; exit 2` };
  const deaths: [what: string, hurt: (child: ChildProcess) => void, twice: boolean][] = [
    ["is killed while a hook runs", (child) => void child.kill("SIGKILL"), true],
    ["stands still while a hook runs", (child) => void child.kill("SIGSTOP"), true],
    ["is told to end while a hook runs", (child) => void child.kill("SIGTERM"), false],
  ];
  for (const [what, hurt, twice] of deaths)
    it(`refuses all the same: it ${what}`, async () => {
      const made = await trusted(slow);
      const child = await serving(made);
      const answered = viaScript(made)(["codex"], { input });
      await expect.poll(() => existsSync(join(made.project, "ran")), { timeout: 10_000 }).toBe(true);
      const began = Date.now();
      hurt(child);
      const { stdout, code } = await answered;
      expect({ stdout, code }).toMatchObject({ code: 0, stdout: expect.stringContaining(DENIED) });
      expect(Date.now() - began).toBeLessThan(20_000);
      child.kill("SIGKILL");
      const last = (await records(made)).at(-1);
      expect((last?.relayed as { twice?: true } | undefined)?.twice).toBe(twice ? true : undefined);
      await made.belay(["daemon", "stop"]);
    });

  it("refuses all the same, whenever it is killed", async () => {
    const made = await trusted(guard);
    let child = await serving(made);
    for (let afterMs = 0; afterMs < 48; afterMs += 3) {
      const answered = viaScript(made)(["codex"], { input });
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      child.kill("SIGKILL");
      const { stdout, stderr, code } = await answered;
      expect({ afterMs, stderr, code }).toEqual({ afterMs, stderr: "", code: 0 });
      expect(stdout).toContain(DENIED);
      expect(stdout.match(/hookSpecificOutput/g)).toHaveLength(1);
      // Where the answer came before the end, nobody has started another.
      const { stdout: status } = await made.belay(["daemon"]);
      const pid = Number(/process (\d+)/.exec(status)?.[1]);
      child = { kill: () => process.kill(pid, "SIGKILL") } as unknown as ChildProcess;
    }
    child.kill("SIGKILL");
  }, 120_000);

  it("answers, and starts another, where one stood still before it was asked", async () => {
    const made = await trusted(guard);
    const child = await serving(made);
    child.kill("SIGSTOP");
    expect((await viaScript(made)(["codex"], { input })).stdout).toContain(DENIED);
    await expect
      .poll(async () => (await made.belay(["daemon", "status"])).stdout, { timeout: 20_000 })
      .toContain("events    0");
    child.kill("SIGCONT");
    await gone(child); // it sees that its place is taken
    expect((await viaScript(made)(["codex"], { input })).stdout).toContain(DENIED);
    await made.belay(["daemon", "stop"]);
  });

  const places: [what: string, spoil: (made: Scratch, socket: string) => void][] = [
    ["a socket that nobody listens at", () => {}],
    ["no socket", (_, socket) => rmSync(socket)],
    ["a file in place of the socket", (_, socket) => replaceFile(socket)],
    ["a folder that is open to others", ({ home }) => chmodSync(join(home, ".belay/run"), 0o755)],
    ["a folder behind a link", ({ home }) => moveBehindLink(join(home, ".belay/run"), join(home, "run"))],
    ["a socket of another user", (_, socket) => process.getuid?.() === 0 && chownSync(socket, 65534, 65534)],
    ["no curl", (made) => replacePath(made, 3, "/nowhere/curl")],
    ["no cat at its place", (made) => replacePath(made, 4, "")],
  ];
  for (const [what, spoil] of places)
    it(`has the same answer with ${what}`, async () => {
      const made = await trusted(guard);
      const child = await serving(made);
      const socket = socketOf(made);
      child.kill("SIGKILL");
      await gone(child);
      spoil(made, socket);
      const { stdout, stderr, code } = await viaScript(made)(["codex"], { input });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain(DENIED);
      expect(await records(made)).toMatchObject([{ relayed: { agent: "codex", losses: [] } }]);
      await made.belay(["daemon", "stop"]);
    });

  it("asks through Node where there is no curl", async () => {
    const made = await trusted(guard);
    await serving(made);
    replacePath(made, 3, "");
    expect((await viaScript(made)(["codex"], { input })).stdout).toContain(DENIED);
    expect((await made.belay(["daemon", "status"])).stdout).toContain("events    1");
  });

  const gones: [what: string, line: number, path: string][] = [
    ["Node", 0, "/nowhere/node"],
    ["Belay", 1, "/nowhere/belay.js"],
    ["a Belay that still starts", 1, "broken.js"],
  ];
  for (const [what, line, path] of gones)
    it(`refuses without ${what}`, async () => {
      const made = await trusted(guard);
      const child = await serving(made);
      child.kill("SIGKILL");
      await gone(child);
      replacePath(made, line, path.startsWith("/") ? path : made.file(path, "throw new Error('x');\n"));
      const { code, stdout, stderr } = await viaScript(made)(["codex"], { input });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain("this is refused");
    });

  it("starts by itself with the first call, and holds no stream of the agent's", async () => {
    const made = await trusted(guard);
    const child = await serving(made);
    child.kill("SIGTERM");
    await gone(child);
    const began = Date.now();
    await viaScript(made)(["codex"], { input }); // resolves when every holder of its streams is gone
    expect(Date.now() - began).toBeLessThan(5_000);
    await expect.poll(async () => (await made.belay(["daemon", "status"])).code, { timeout: 20_000 }).toBe(0);
    expect((await made.belay(["daemon", "stop"])).stdout).toBe("the resident ends\n");
    await expect.poll(() => existsSync(socketOf(made)), { timeout: 10_000 }).toBe(false);
  });
});

function replaceFile(socket: string): void {
  rmSync(socket);
  writeFileSync(socket, "");
}

function moveBehindLink(folder: string, away: string): void {
  renameSync(folder, away);
  symlinkSync(away, folder);
}

function replacePath(made: Scratch, line: number, path: string): void {
  const file = `${scriptOf(made)}.paths`;
  const paths = readFileSync(file, "utf8").split("\n");
  paths[line] = path;
  writeFileSync(file, paths.join("\n"));
}

describe("the resident as a server", () => {
  it("is closed to other users", async () => {
    const made = await trusted(guard);
    await serving(made);
    const socket = socketOf(made);
    expect([join(socket, ".."), socket].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual([
      "700",
      "600",
    ]);
  });

  it("answers nothing but what it knows, and goes on", async () => {
    const made = await trusted(guard);
    await serving(made);
    const caller = {
      args: ["codex"],
      cwd: made.project,
      env: { ...process.env, HOME: made.home },
      payload: input,
    };
    const odd: [status: number, sent: Parameters<typeof send>[1]][] = [
      [404, { path: "/" }],
      [404, { method: "GET" }],
      [404, { path: "/hook?0" }],
      [404, { path: "/hook?../1" }],
      [409, { path: `/hook?${process.pid}`, body: input }],
      [409, { path: "/hook?999999999", body: input }],
      [409, { body: "oops" }],
      [409, { body: JSON.stringify({ ...caller, env: { ...caller.env, HOME: "/" } }) }],
      [409, { body: JSON.stringify({ ...caller, args: [1] }) }],
      [413, { headers: { "content-length": 50 * 1024 * 1024 } }],
      [431, { headers: { long: "x".repeat(10_000) } }],
      [200, { body: JSON.stringify(caller) }],
    ];
    for (const [status, sent] of odd) expect({ sent, ...(await send(made, sent)) }).toMatchObject({ status });
  });

  it("answers a payload of 50 MB", async () => {
    const made = await trusted(guard);
    await serving(made);
    const large = JSON.stringify({ ...CALL, tool_input: { command: "x".repeat(50 * 1024 * 1024) } });
    const { stdout } = await viaScript(made)(["codex"], { input: large });
    expect(stdout).toContain(DENIED);
    expect((await viaScript(made)(["codex"], { input })).stdout).toContain(DENIED);
    expect((await made.belay(["daemon", "status"])).stdout).toContain("events    1");
  });

  it("answers while hundreds of connections say nothing, or half of it", async () => {
    const made = await trusted(guard);
    await serving(made);
    const open: Socket[] = [];
    onTestFinished(() => {
      for (const one of open) one.destroy();
    });
    for (let i = 0; i < 400; i += 1) {
      const one = connect(socketOf(made));
      one.on("error", () => {});
      if (i % 2) one.write("POST /call HTTP/1.1\r\ncontent-length: 10\r\n");
      open.push(one);
    }
    expect((await viaScript(made)(["codex"], { input })).stdout).toContain(DENIED);
    await expect.poll(() => open.filter(({ destroyed }) => !destroyed).length, { timeout: 30_000 }).toBe(0);
    expect((await viaScript(made)(["codex"], { input })).stdout).toContain(DENIED);
  }, 60_000);

  it("answers each of 40 calls at once, and ends the hooks of a caller that is gone", async () => {
    const made = await trusted({ ...guard, command: "sleep 0.2; echo no >&2; exit 2" });
    await serving(made);
    const all = await Promise.all(Array.from({ length: 40 }, () => viaScript(made)(["codex"], { input })));
    expect(all.filter(({ stdout }) => stdout.includes(DENIED))).toHaveLength(40);
    made.config(
      { PreToolUse: [{ hooks: [{ ...guard, command: "echo $$ > pid; exec sleep 30" }] }] },
      ".belay/settings.json",
    );
    await made.belay(["trust", "--yes"]);
    const body = JSON.stringify({
      args: ["codex"],
      cwd: made.project,
      env: { ...process.env, HOME: made.home },
      payload: input,
    });
    const leaving = connect(socketOf(made));
    leaving.write(`POST /call HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    await expect.poll(() => existsSync(join(made.project, "pid")), { timeout: 10_000 }).toBe(true);
    const pid = Number(readFileSync(join(made.project, "pid"), "utf8"));
    leaving.destroy();
    const isThere = () => existsSync(`/proc/${pid}`) || process.platform !== "linux";
    await expect.poll(isThere, { timeout: 10_000 }).toBe(process.platform !== "linux");
  }, 60_000);

  it("is one: a second one ends, and an impostor's answer is no answer", async () => {
    const made = await trusted(guard);
    await serving(made);
    const { code } = await made.belay(["daemon", "--serve"]);
    expect(code).toBe(0);
    const socket = socketOf(made);
    rmSync(socket);
    const impostor = createServer((connection) =>
      connection.end("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"),
    );
    await new Promise<void>((resolve) => impostor.listen(socket, resolve));
    onTestFinished(() => void impostor.close());
    expect((await viaScript(made)(["codex"], { input })).stdout).toContain(DENIED);
  });
});
