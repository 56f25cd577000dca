import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { OpenSession } from "../../inspector/src/api.ts";
import { allowDenied, makeCode, printOf, takeAllowed } from "../src/questions/denied.ts";
import { BIN, PLAIN, type Scratch, scratch } from "./cli.ts";
import { type Heard, serve } from "./inspect/server.ts";
import { serving, viaScript } from "./relay-ways.ts";
import { hasTmux, openTerminal } from "./tmux.ts";

const CALL = {
  session_id: "0b0e7a52-6a1c-4a4f-9a39-6e1f7f3f0d11",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "git push" },
};
const ASK = { permissionDecision: "ask", permissionDecisionReason: "pushing is for people" };

/** A project whose hook asks before each call, and Codex, which cannot ask. */
async function asking() {
  const room = scratch();
  const json = { hookSpecificOutput: { hookEventName: "PreToolUse", ...ASK } };
  room.config({ PreToolUse: [{ hooks: [{ name: "guard", type: "json", json }] }] }, ".belay/settings.json");
  await room.belay(["trust", "--yes"]);
  const relay = (input: object = {}, agent = "codex") =>
    room.belay(["hook", agent], { input: JSON.stringify({ ...CALL, ...input }) });
  const relayed = async () =>
    JSON.parse((await room.belay(["tail", "--json"])).stdout.trim().split("\n").at(-1) ?? "");
  return { room, relay, relayed };
}

/** The relay, in a process that can be ended. */
function startRelay({ home, project }: Scratch) {
  const env = { ...process.env, ...PLAIN, HOME: home };
  const child = spawn(process.execPath, [BIN, "hook", "codex"], { cwd: project, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.end(JSON.stringify(CALL));
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const ended = new Promise<string>((resolve) => child.once("close", () => resolve(stdout)));
  return { child, ended };
}

const denies = (stdout: string) => stdout.includes('"permissionDecision":"deny"');
const terminalIn = ({ home, project }: Scratch, args: string, env: Record<string, string> = {}) =>
  openTerminal(`"${process.execPath}" "${BIN}" ${args}`, {
    columns: 110,
    rows: 40,
    cwd: project,
    env: { HOME: home, npm_command: "", npm_lifecycle_event: "", NO_COLOR: "1", ...env },
  });
const sessionsIn = (heard: readonly Heard[]): readonly OpenSession[] => {
  const data = heard.at(-1)?.data;
  return data?.type === "questions" ? data.sessions : [];
};

describe("a call of an agent that cannot ask", () => {
  it("is denied when nobody is there, and the agent is told that a person can allow it", async () => {
    const { relay, relayed } = await asking();
    const { code, stdout, stderr } = await relay();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "A person can allow this with belay questions: pushing is for people",
    });
    expect((await relayed()).relayed).toEqual({
      agent: "codex",
      losses: [{ what: "ask", became: "deny" }],
      asked: { allowed: false, by: "nobody" },
    });
  });

  const ANSWERS = [
    ["once", false],
    ["deny", true],
  ] as const;
  for (const [kind, isDenied] of ANSWERS)
    it(`waits for the page: ${kind}`, async () => {
      const { room, relayed } = await asking();
      const served = await serve(room);
      const cookie = await served.signIn();
      const relay = startRelay(room);
      let answered: unknown;
      await served.listen(
        "/api/live",
        (heard) => {
          const [session] = sessionsIn(heard);
          const [question] = session?.questions ?? [];
          if (!session || !question) return false;
          expect(session).toMatchObject({ agent: "Codex", session: CALL.session_id, cwd: room.project });
          expect(question).toMatchObject({ toolName: "Bash", hook: "guard", toolInput: CALL.tool_input });
          answered = served.api("/api/answer", { chat: session.chat, question: question.id, kind });
          return true;
        },
        cookie,
      );
      expect(await answered).toEqual({ counted: true });
      expect(denies(await relay.ended)).toBe(isDenied);
      expect(await relayed()).toMatchObject({
        outcome: { decision: { kind: "ask" } },
        relayed: { agent: "codex", losses: [], asked: { allowed: !isDenied, by: "page" } },
      });
    });

  it("waits through the resident too, longer than anybody waits for one that hangs", async () => {
    const { room, relayed } = await asking();
    await serving(room);
    const served = await serve(room);
    const cookie = await served.signIn();
    const told = viaScript(room)(["codex"], { input: JSON.stringify(CALL) });
    let open: readonly OpenSession[] = [];
    const listening = served.listen(
      "/api/live",
      (all) => {
        open = sessionsIn(all.filter(({ data }) => data.type === "questions"));
        return all.some(({ data }) => data.type === "rows");
      },
      cookie,
    );
    await expect.poll(() => open.length, { timeout: 10_000 }).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    const [session] = open;
    const answer = { chat: session?.chat, question: session?.questions[0]?.id, kind: "once" };
    expect(await served.api("/api/answer", answer)).toEqual({ counted: true });
    expect((await told).stdout).toBe("");
    await listening;
    const { asked, twice } = (await relayed()).relayed;
    expect({ asked, twice }).toEqual({ asked: { allowed: true, by: "page" }, twice: undefined });
  });

  it("can still be allowed on the page when it was denied: that call, once", async () => {
    const { room, relay } = await asking();
    await relay();
    const served = await serve(room);
    const cookie = await served.signIn();
    const heard = await served.listen("/api/live", (all) => sessionsIn(all).length > 0, cookie);
    const [session] = sessionsIn(heard);
    expect(session).toMatchObject({ agent: "Codex", isOver: true });
    const answer = { chat: session?.chat, question: session?.questions[0]?.id, kind: "once" };
    expect(await served.api("/api/answer", answer)).toEqual({ counted: true });
    expect(await served.api("/api/answer", answer)).toMatchObject({ counted: false });
    expect(denies((await relay({ tool_input: { command: "git push -f" } })).stdout)).toBe(true);
    expect(denies((await relay()).stdout)).toBe(false);
    expect(denies((await relay()).stdout)).toBe(true);
  });
});

describe.runIf(hasTmux())("a person in a terminal", () => {
  it("answers a call that waits, with y", async () => {
    const { room, relayed } = await asking();
    const terminal = terminalIn(room, "questions --watch");
    await terminal.shows("as they come up");
    const relay = startRelay(room);
    await terminal.shows("Allow this call, once? [y/n]");
    expect(terminal.screen()).toContain("Codex wants Bash");
    expect(terminal.screen()).toContain('"command": "git push"');
    terminal.type("y");
    terminal.press("Enter");
    await terminal.shows("Allowed once.");
    expect(denies(await relay.ended)).toBe(false);
    expect((await relayed()).relayed.asked).toEqual({ allowed: true, by: "terminal" });
    terminal.press("C-c");
    await terminal.shows("ended 0");
  });

  it("is not heard for another call when the first ends under the prompt", async () => {
    const { room } = await asking();
    const terminal = terminalIn(room, "questions --watch");
    await terminal.shows("as they come up");
    const relay = startRelay(room);
    await terminal.shows("Allow this call, once? [y/n]");
    relay.child.kill("SIGKILL");
    await terminal.shows("It does not wait any more.");
    const second = startRelay(room);
    terminal.type("y");
    terminal.press("Enter");
    await terminal.shows(/once\? \[y\/n\] *\n?$/);
    terminal.type("n");
    terminal.press("Enter");
    expect(denies(await second.ended)).toBe(true);
  });

  it("is allowed for one of two calls of the same words, if they have no numbers", async () => {
    const { room } = await asking();
    const terminal = terminalIn(room, "questions --watch");
    await terminal.shows("as they come up");
    const relays = [startRelay(room), startRelay(room)];
    await terminal.shows("Allow this call, once? [y/n]");
    terminal.type("y");
    terminal.press("Enter");
    await terminal.shows(/Allowed once\.[\s\S]*\[y\/n\]/);
    terminal.type("n");
    terminal.press("Enter");
    const told = await Promise.all(relays.map(({ ended }) => ended));
    expect(told.map(denies).sort()).toEqual([false, true]);
  });

  it("sees the code of a denied call, which counts once, for that call", async () => {
    const { room, relay, relayed } = await asking();
    const { stdout, stderr } = await relay();
    const listed = await room.belay(["questions"]);
    const terminal = terminalIn(room, "questions");
    expect(await terminal.ended()).toBe(0);
    const [, code = ""] = /belay allow (\S+)/.exec(terminal.screen()) ?? [];
    expect(code).toMatch(/^\w{4}-\w{4}-\w{4}$/);
    const folder = join(room.home, ".belay/questions");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const stored = readdirSync(folder).map((name) => name + readFileSync(join(folder, name), "utf8"));
    const journal = JSON.stringify(await relayed());
    for (const told of [stdout, stderr, listed.stdout, journal, ...stored])
      expect(told.replaceAll("-", "")).not.toContain(code.replaceAll("-", ""));
    const tries = await Promise.all([1, 2, 3].map(() => room.belay(["allow", code])));
    expect(tries.map((one) => one.code).sort()).toEqual([0, 1, 1]);
    expect(denies((await relay({ tool_input: { command: "git push -f" } })).stdout)).toBe(true);
    expect((await relay({}, "droid")).code).toBe(2);
    const [first, second] = await Promise.all([relay(), relay({ session_id: "another" })]);
    expect([denies(first.stdout), denies(second.stdout)].sort()).toEqual([false, true]);
  });

  it("is no agent: questions are not answered inside of a tool call", async () => {
    const { room } = await asking();
    const terminal = terminalIn(room, "questions", { CODEX_SANDBOX: "seatbelt" });
    expect(await terminal.ended()).toBe(1);
    expect(terminal.screen()).toContain("CODEX_SANDBOX says that this is an agent's tool call");
    const { code, stderr } = await room.belay(["allow", "AAAA-BBBB-CCCC"], { env: { GEMINI_CLI: "1" } });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("must not allow") });
  });
});

describe("what a person allowed", () => {
  const call = {
    ...{ agent: "codex", title: "Codex", session: "s", project: "/p", event: "PreToolUse", tool: "Bash" },
    input: { command: "ls", timeout: 1 },
  };

  it("is told apart by agent, project, event, tool and input, in whatever order its fields are", () => {
    const others = [
      { agent: "droid" },
      { project: "/q" },
      { event: "PermissionRequest" },
      { tool: "Read" },
      { input: { command: "ls", timeout: 2 } },
      { updatedInput: { command: "ls -a" } },
    ];
    const prints = others.map((other) => printOf({ ...call, ...other }));
    expect(new Set([printOf(call), ...prints]).size).toBe(others.length + 1);
    expect(printOf({ ...call, input: { timeout: 1, command: "ls" }, session: "t" })).toBe(printOf(call));
  });

  it("ends after ten minutes, and a damaged file allows nothing", async () => {
    const { room, relay } = await asking();
    await relay();
    const folder = join(room.home, ".belay/questions");
    const [name = ""] = readdirSync(folder);
    const print = name.replace(/^denied-|\.json$/g, "");
    const kept = JSON.parse(readFileSync(join(folder, name), "utf8"));
    makeCode({ print }, room.home);
    writeFileSync(join(folder, `allowed-${print}`), JSON.stringify({ time: Date.now() - 10 * 60_000 }));
    expect(takeAllowed(kept, room.home)).toBe(false);
    writeFileSync(join(folder, `allowed-${print}`), "{");
    expect(takeAllowed(kept, room.home)).toBe(false);
    writeFileSync(join(folder, name), JSON.stringify({ ...kept, time: Date.now() - 10 * 60_000 }));
    expect(allowDenied(print, room.home)).toBeUndefined();
  });

  it("is nothing where the store cannot be used", async () => {
    const { room, relay } = await asking();
    writeFileSync(join(room.home, ".belay/questions"), "no folder");
    expect(denies((await relay()).stdout)).toBe(true);
  });
});
