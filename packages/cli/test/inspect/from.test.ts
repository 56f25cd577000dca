import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { linesFromEnd } from "@belay/engine/internal";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { EventDetail, EventRow, EventsPage, HooksPage, Shared } from "../../../inspector/src/api.ts";
import { processIo } from "../../src/io.ts";
import { openLogJournal } from "../../src/logs/journal.ts";
import { type Scratch, scratch } from "../cli.ts";
import { callLine, LOGS, withLogs } from "../session-logs.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { launch, serve } from "./server.ts";

/* The page over the session logs of other agents. */

const CLAUDE = ".claude/projects/-home-you-project";
/** A home in which Claude Code and Codex have left logs, and a folder for what is temporary. */
function withBoth(): Scratch & { readonly env: { readonly TMPDIR: string } } {
  const room = withLogs();
  cpSync(join(LOGS, "codex", ".codex"), join(room.home, ".codex"), { recursive: true });
  const TMPDIR = join(room.home, "tmp");
  mkdirSync(TMPDIR);
  return { ...room, env: { TMPDIR } };
}

const _isLog = (name: string) => name.endsWith(".jsonl");

/** Beside the folders of the page there are those of the compiler's cache. */
const scratchIn = ({ TMPDIR }: { TMPDIR: string }) =>
  readdirSync(TMPDIR).filter((name) => name.startsWith("belay-inspect-"));

const SECRET = "ghp_1234567890abcdefghijklmnopqrstuvwxyzAB";

/** One session more, of one call. */
function call(room: Scratch, id: string, command: string, timestamp = "2026-11-20T10:00:00.000Z"): void {
  const uuid = `00000000-0000-4000-8000-${id.padStart(12, "0")}`;
  const line = callLine(`toolu_${id}`, "Bash", { command }, { uuid, timestamp, sessionId: id });
  appendFileSync(join(room.home, CLAUDE, `${id}.jsonl`), `${JSON.stringify(line)}\n`);
}

describe("belay inspect --from", () => {
  it("says before it serves anything what belay tail says of logs that are not there or not meant", async () => {
    const room = scratch();
    for (const flags of [
      ["--from", "claude-code"],
      ["--from", "all"],
      ["--from", "codxe"],
      ["--from", "codex", "--since", "rubbish"],
      ["--from", "codex", "--project", "nowhere"],
    ]) {
      const [{ code, stdout, stderr }, tail] = [
        await room.belay(["inspect", ...flags]),
        await room.belay(["tail", ...flags]),
      ];
      expect([flags, code, stdout]).toEqual([flags, 1, ""]);
      expect(stderr).toBe(tail.stderr);
    }
  });

  const WRONG: [flags: string[], said: string][] = [
    [
      ["--since", "3d"],
      "belay: --since narrows session logs down; for example: belay inspect --from claude-code --since 30d\n",
    ],
    [
      ["--from", "claude-code", "--since", "2100-01-01"],
      "belay: no session log of Claude Code in HOME/.claude/projects fits --since 2100-01-01; next: belay inspect --from claude-code\n",
    ],
  ];
  it.each(WRONG)("serves nothing where there is nothing to show: %j", async (flags, said) => {
    const { home, belay, env } = withBoth();
    const { code, stderr } = await belay(["inspect", ...flags], { env });
    expect([code, stderr.replaceAll(home, "HOME")]).toEqual([1, said]);
    expect(scratchIn(env)).toEqual([]);
  });

  it("keeps records in a folder of the user's own while it serves, without secrets", async () => {
    const room = withBoth();
    call(room, "1", `curl -H 'Authorization: Bearer ${SECRET}' example.com`);
    const served = await launch(room, ["--from", "claude-code"], room.env);
    try {
      const [name = "", ...others] = scratchIn(room.env);
      const folder = join(room.env.TMPDIR, name);
      expect([others, statSync(folder).mode & 0o777]).toEqual([[], 0o700]);
      for (const file of readdirSync(folder)) {
        expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
        expect(readFileSync(join(folder, file), "utf8")).not.toContain(SECRET);
      }
      const { rows } = await served.api<EventsPage>("/api/events?text=example.com");
      expect(rows.filter(({ isAside }) => !isAside).map(({ subject }) => subject)).toEqual([
        "curl -H 'Authorization: [redacted]' example.com",
      ]);
    } finally {
      await served.end();
    }
    expect(scratchIn(room.env)).toEqual([]);
  });

  it("shows the newest events where there is no room for all, and says how many there were", async () => {
    const room = withBoth();
    for (let at = 10; at < 60; at += 1)
      call(room, `${at}`, `echo ${"long ".repeat(2000)}`, `2026-11-20T10:00:${at}.000Z`);
    vi.stubEnv("CLAUDE_CONFIG_DIR", join(room.home, ".claude"));
    vi.stubEnv("TMPDIR", room.env.TMPDIR);
    onTestFinished(() => void vi.unstubAllEnvs());
    const said: string[] = [];
    const io = { ...processIo(), isTerminal: false, err: (text: string) => said.push(text) };
    const { signal } = new AbortController();
    const logs = await openLogJournal({ from: "claude-code" }, io, signal, 256 * 1024);
    if (!logs) throw new Error("nobody interrupted it");
    const lines = [...linesFromEnd(logs.folder)];
    const times = lines.flatMap((line) => ("record" in line ? [line.record.time] : []));
    expect(times[0]).toBe("2026-11-20T10:00:59.000Z");
    expect(logs.dropped).toBeGreaterThan(100);
    expect(said.join("")).toBe(
      `belay: of ${logs.dropped + lines.length} events the oldest ${logs.dropped} have no room and are not shown\n`,
    );
    logs.close();
    expect(scratchIn(room.env)).toEqual([]);
  });

  it("shows the events of several agents, the newest first, by the filters of the page", async () => {
    const room = withBoth();
    call(room, "1", "echo hi", "yesterday");
    const served = await serve(room, ["--from", "claude-code,codex"], room.env);
    const read = (query: string) => served.api<EventsPage>(`/api/events?limit=500&${query}`);
    const { rows, logs, before } = await read("");
    expect({ ...logs, read: "" }).toEqual({
      agents: [
        { name: "claude-code", title: "Claude Code" },
        { name: "codex", title: "Codex" },
      ],
      read: "",
      dropped: 0,
      // The line that says no date.
      unread: 1,
    });
    expect(before).toBeUndefined();
    const times = rows.map(({ time }) => time);
    expect(times).toEqual(times.toSorted().reverse());
    const tail = await room.belay(["tail", "-n", "all", "--json", "--from", "claude-code,codex"]);
    expect(rows).toHaveLength(tail.stdout.trim().split("\n").length);

    // A busy machine takes several requests for a search.
    const shown = async (query: string, from = ""): Promise<EventRow[]> => {
      const page = await read(`${query}${from}`);
      const more =
        page.before === undefined ? [] : await shown(query, `&before=${encodeURIComponent(page.before)}`);
      return [...page.rows.filter(({ isAside }) => !isAside), ...more];
    };
    const all = (given: EventRow[], holds: (row: EventRow) => boolean) => {
      expect(given.length).toBeGreaterThan(0);
      expect(given.filter((row) => !holds(row))).toEqual([]);
    };
    all(await shown("agent=codex"), ({ agent }) => agent === "codex");
    all(await shown("session=807662be"), ({ session }) => session.startsWith("807662be"));
    all(await shown("decision=deny&tool=web"), ({ about }) => about === "WebFetch");
    all(await shown("decision=fault"), ({ failed }) => failed > 0);
    // The log names it as the one that refused, and has no run of it.
    all(await shown("decision=deny&hook=guard"), ({ hook }) => hook.includes("guard"));
    const refusers = (await shown("decision=deny&agent=claude-code")).map(({ refuser = "" }) => refuser);
    expect([...new Set(refusers)].sort()).toEqual(["a hook", "a rule", "nobody to ask"]);
  });

  it("tells of one event what the log tells, and asks no hook of this project", async () => {
    const room = withBoth();
    room.file(".belay/settings.json", JSON.stringify({ hooks: { PreToolUse: [{ hooks: [NOD] }] } }));
    const served = await serve(room, ["--from", "claude-code"], room.env);
    const { rows } = await served.api<EventsPage>("/api/events?decision=deny&text=mkfs");
    const key = encodeURIComponent(rows.find(({ isAside }) => !isAside)?.key ?? "");
    const detail = await served.api<EventDetail>(`/api/events/${key}`);
    expect([detail.matches, detail.unmatched, detail.refuser]).toEqual([[], undefined, "a rule"]);
    expect(detail.record.agent).toBe("claude-code");
    const shared = await served.api<Shared>(`/api/test-case/${key}`);
    expect(shared.testCase).toBe(CASE);
    expect(shared.lacks).toBe(
      "It is from a session log of claude-code: the test case expects what came of it there; write what your hooks are to say.",
    );
  });

  it("shows the hooks of this project with the runs of its own journal, which lead to their events", async () => {
    const room = withBoth();
    room.file(".belay/settings.json", JSON.stringify({ hooks: { PreToolUse: [{ hooks: [NOD] }] } }));
    await room.belay(["trust", "--yes"]);
    await room.belay(["run", "PreToolUse", "--tool", "Bash"]);
    const served = await serve(room, ["--from", "claude-code"], room.env);
    const { hooks, searched } = await served.api<HooksPage>("/api/hooks");
    expect([hooks.map(({ name, recent }) => [name, recent.length]), searched]).toEqual([[["nod", 1]], 1]);
    const key = encodeURIComponent(hooks[0]?.recent[0]?.key ?? "");
    const { record, matches } = await served.api<EventDetail>(`/api/events/${key}`);
    expect([record.agent, record.hooks.length, matches.length]).toEqual([undefined, 1, 1]);
  });
});

const NOD = { type: "json", json: {}, name: "nod" };
const CASE = `cases:
  - name: 'PreToolUse Bash: deny'
    event: PreToolUse
    payload:
      tool_name: Bash
      tool_input:
        command: mkfs /dev/null
        description: run it
      tool_use_id: toolu_000016fake
    expect:
      decision: deny
`;

const program = findBrowser();

describe.runIf(program)("the page over session logs", () => {
  const open = browserFor(program);

  it("names the agents, and hands an event over to this project's playground", async () => {
    const room = withBoth();
    const served = await serve(room, ["--from", "claude-code,codex"], room.env);
    const page = await open(served);
    await page.getByText(/^Session logs of Claude Code, Codex, as they were at /).waitFor();
    await page.locator(".live:has-text('session logs')").waitFor();
    await page.locator(".heading.session:has-text('Claude Code 807662be-8c15')").first().waitFor();
    await page.getByLabel("Agent").selectOption("Codex");
    await page.locator(".heading.session:has-text('Codex')").first().waitFor();
    expect(await page.locator(".heading.session:has-text('Claude Code')").count()).toBe(0);
    await page.getByLabel("Agent").selectOption("Claude Code");
    await page.locator(".row:has-text('nobody to ask')").first().click();
    await page.getByRole("heading", { name: "PreToolUse deny ! failed" }).waitFor();
    await page.getByText("(nobody to ask)").waitFor();
    await page.getByText("from a session log of Claude Code").waitFor();
    expect(await page.locator(".pipeline .stage").allTextContents()).not.toContain("trust");
    await page.getByRole("button", { name: "Open in the playground" }).click();
    // It is to happen in this project: not in the folder of that session, which may be gone.
    const payload = JSON.parse(await page.getByRole("textbox", { name: "Payload" }).inputValue());
    expect(Object.keys(payload).sort()).toEqual(["tool_input", "tool_name", "tool_use_id"]);
    await page.getByText("✓ fits PreToolUse").waitFor();
    await page.getByRole("button", { name: /^Fire/ }).click();
    await page.getByText("No hook waits for PreToolUse.").waitFor();
  });
});
