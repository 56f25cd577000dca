import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EventDetail, EventsPage, HooksPage, Samples } from "../../../inspector/src/api.ts";
import { scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { journal, lineOf } from "./journal.ts";
import { serve } from "./server.ts";

/* What is odd, late, foreign or gone: the page says so, and goes on. */

const SLOW = {
  SessionStart: [{ hooks: [{ type: "command", command: 'touch "$BELAY_PROJECT_DIR/on"; sleep 60' }] }],
};
const START = { event: "SessionStart", payload: { source: "startup" } };

it("a server that ends while an event is fired leaves nothing behind", async () => {
  const room = scratch();
  const config = room.config(SLOW);
  const folder = join(room.home, "tmp");
  mkdirSync(folder);
  const served = await serve(room, ["--config", config], { TMPDIR: folder });
  const fired = served.api("/api/fire", START).catch(() => {});
  await expect.poll(() => existsSync(join(room.project, "on"))).toBe(true);
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^belay-inspect-/)]);
  await served.end();
  await fired;
  expect(readdirSync(folder)).toEqual([]);
});

const NOT_KNOWN = {
  error: "this is a record of an event, a dialect, a decision or a failure that is not known here",
  next: "In a terminal belay tail --json prints it as it was written.",
};

it("the hooks are listed although a later version has written to the journal", async () => {
  const room = scratch();
  journal(room, [
    lineOf({ id: "a" }),
    lineOf({ id: "b", event: "NotYet" }),
    lineOf({ id: "c" }).replaceAll('"dialect":"wave"', '"dialect":"martian"'),
    lineOf({ id: "d" }).replace('"exitCode":0', '"failure":{"kind":"eclipse","detail":"the sun went out"}'),
  ]);
  const served = await serve(room);
  expect(await served.api("/api/hooks")).toMatchObject({ searched: 4, unknown: 3 });
  const { rows } = await served.api<EventsPage>("/api/events");
  expect(rows.map(({ id, failed }) => [id, failed])).toEqual([
    ["d", 1],
    ["c", 0],
    ["b", 0],
    ["a", 0],
  ]);
  const headers = await served.signIn();
  for (const path of ["events", "test-case"]) {
    const { status, json } = await served.ask(`/api/${path}/${rows[0]?.key}`, { headers });
    expect([status, json]).toEqual([400, NOT_KNOWN]);
  }
});

it("a chat that says something odd about itself is left out", async () => {
  const room = scratch();
  const folder = join(room.home, ".belay/run");
  mkdirSync(folder, { recursive: true });
  const QUESTIONS = [null, { id: "1" }, { id: "1", toolName: "Bash", rules: [], kinds: ["often"] }];
  const SESSIONS: [name: string, questions: readonly unknown[]][] = [
    ...QUESTIONS.map((question, at): [string, unknown[]] => [`odd-${at}`, [question]]),
    ["whole", []],
  ];
  for (const [at, [session, questions]] of SESSIONS.entries()) {
    const chat = createServer((socket) => {
      socket.on("error", () => {});
      socket.write(`${JSON.stringify({ type: "state", session, cwd: "/", questions })}\n`);
    });
    await new Promise<void>((resolve) => chat.listen(join(folder, `00000000-${at + 1}.sock`), resolve));
    onTestFinished(() => void chat.close());
  }
  const served = await serve(room);
  const heard = await served.listen(
    "/api/live",
    (all) => JSON.stringify(all).includes("whole"),
    await served.signIn(),
  );
  expect(JSON.stringify(heard)).not.toContain("odd");
});

const program = findBrowser();
const open = browserFor(program);

describe.runIf(program)("the page in a real browser", () => {
  const HIDDEN = `Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
    document.dispatchEvent(new Event("visibilitychange"));`;
  const SEEN = `delete document.hidden; document.dispatchEvent(new Event("visibilitychange"));`;

  it("shows an event whose decision has the name of a property; an odd address is no event", async () => {
    const room = scratch();
    const KINDS = ["__proto__", "constructor"];
    const lines = KINDS.map((kind) => lineOf({ id: kind, decision: kind }));
    const changed = lines.map((line) => line.replace('"payload":{', '"payload":{"valueOf":"its own",'));
    journal(room, changed);
    const served = await serve(room);
    const page = await open(served);
    for (const kind of KINDS) {
      await page.locator(`.row:has-text('${kind}')`).click();
      await page.locator(".pipeline").waitFor();
      expect(await page.locator("h1 .kind").textContent()).toBe(`· ${kind}`);
      expect(await page.locator("#part-event pre").first().textContent()).toContain('"valueOf": "its own"');
      await page.keyboard.press("Escape");
    }
    await page.goto(`http://127.0.0.1:${served.port}/#/event/%`);
    await page.getByText("this event is not in the journal any more").waitFor();
  });

  it("leads to the mistake in a config that cannot be read, and says nothing of the hooks in it", async () => {
    const room = scratch();
    const config = room.config({ PreToolUse: [{ hooks: [{ type: "json", json: {}, name: "nod" }] }] });
    for (const event of ["PreToolUse", "Stop"]) await room.belay(["run", event, "--config", config]);
    room.file("hooks.json", "{ broken");
    const page = await open(await serve(room, ["--config", config]));
    for (const event of ["Stop", "PreToolUse"]) {
      await page.locator(`.row:has-text('${event}')`).click();
      await page.getByText(/Today’s hooks could not all be asked: .*hooks\.json/).waitFor();
      expect(await page.locator("main").textContent()).not.toMatch(/No hook waits|not configured like this/);
      if (event === "Stop") await page.keyboard.press("Escape");
    }
    const why = "nod fired why is not known: today’s config cannot all be read";
    expect(await page.locator("#part-match").textContent()).toContain(why);
    await page.keyboard.press("3");
    await page.getByText("config-unreadable").waitFor();
    expect(await page.locator("main").textContent()).not.toContain("belay init");
  });

  it("names hooks of another dialect among the hooks, as belay why does", async () => {
    const room = scratch();
    room.file(".claude/settings.json", JSON.stringify({ hooks: SLOW }));
    const page = await open(await serve(room));
    await page.keyboard.press("3");
    expect(await page.locator(".unread").textContent()).toBe(
      "There are hooks that are not read here: .claude/settings.json (--dialect claude-code)",
    );
    expect(await page.locator("main").textContent()).not.toContain("belay init");
  });

  it("says what to do about a journal that cannot be read, at first and later", async () => {
    const room = scratch();
    const folder = journal(room, [lineOf({ id: "a" })]);
    const page = await open(await serve(room));
    await page.locator(".live:text-is('live')").waitFor();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "");
    const advice = page.getByText("Move it away, or make it readable to you, and load this page again.");
    await advice.waitFor();
    await page.reload();
    await advice.waitFor();
    expect(await page.locator(".failure strong").textContent()).toContain(folder);
  });

  it("makes visible what hides or reorders a text, in names and places too", async () => {
    const room = scratch();
    const hidden = "\u202etide";
    const command = "echo \u202egnp.exe\u200b";
    const record = JSON.parse(lineOf({ id: "a", command, stdout: "\u001b[31mred\u001b[0m \u202e ⚠\ufe0f" }));
    Object.assign(record, { session: `${hidden}-session` });
    record.outcome.action = `${hidden}-action`;
    journal(room, [`${JSON.stringify(record)}\n`, lineOf({ id: "b", event: `Pre${hidden}` })]);
    const deny = { permissionDecision: "deny", permissionDecisionReason: `${hidden} no` };
    const json = { hookSpecificOutput: { hookEventName: "PreToolUse", ...deny } };
    const hooks = [
      { type: "json", json, name: hidden },
      { type: "json", json: { decision: "approve" }, name: `${hidden}-too` },
      { type: "command", command: "exit 3", name: `${hidden}-fails` },
    ];
    const groups = hooks.map((hook) => ({ hooks: [hook] }));
    const config = room.config({ PreToolUse: groups, [`Pre${hidden}`]: [] }, `${hidden}.json`);
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config]);
    const page = await open(await serve(room, ["--config", config]));
    await page.locator(".row").nth(2).waitFor();
    expect(await page.locator(".row .event").allTextContents()).toContain("Pre\\u202etide");
    await page.locator(".row:has-text('echo \\\\u202egnp.exe\\\\u200b')").click();
    await page.locator(".sides").waitFor();
    expect(await page.locator(".head p").textContent()).toContain("\\u202etide-session · \\u202etide-action");
    expect(await page.locator("#part-event pre").first().textContent()).toContain(
      "echo \\u202egnp.exe\\u200b",
    );
    expect(await page.locator(".run pre").first().textContent()).toBe("red \\u202e ⚠\ufe0f");
    await page.keyboard.press("Escape");
    const expectVisible = async () => {
      const text = await page.locator("main").textContent();
      expect(text).toContain("\\u202etide");
      expect(text).not.toContain(hidden);
    };
    await page.locator(".row.deny").click();
    await page.locator(".sides").waitFor();
    await expectVisible();
    await page.keyboard.press("3");
    await page.locator(".hook").first().waitFor();
    await expectVisible();
    room.file(`${hidden}.json`, "{ broken");
    await page.keyboard.press("2");
    await page.getByRole("button", { name: /^Fire/ }).click();
    await page.locator(".failure").waitFor();
    expect(await page.locator(".failure").textContent()).toContain("\\u202etide.json cannot be read");
  });

  it("says what to do when its server has ended, asks it no more, and takes the address of the next one", async () => {
    const room = scratch();
    const lines = Array.from({ length: 1500 }, (_, index) => lineOf({ id: `${index}` }));
    journal(room, lines);
    const served = await serve(room);
    const page = await open(served);
    await page.locator(".status:has-text('600 events so far')").waitFor();
    await page.locator(".live:text-is('live')").waitFor();
    const top = () => page.evaluate<number>(`document.querySelector(".list").getBoundingClientRect().top`);
    const before = await top();
    await served.end();
    await page.getByText("Not connected. In a terminal: belay inspect").waitFor();
    expect(await top()).toBe(before);
    const colours = `["", "::before"].map((part) => getComputedStyle(document.querySelector(".live"), part || null).color)`;
    const [word, sign] = await page.evaluate<[string, string]>(colours);
    expect(sign).toBe(word);
    await page.evaluate("document.querySelector('.list').scrollTop = 1e9");
    await page.getByText("The server cannot be reached").waitFor();
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().includes("/api/events")) asked += 1;
    });
    // Each draws the list anew at its end, where more would be read.
    for (const top of ["0", "1e9", "0", "1e9"])
      await page.evaluate(`new Promise((drawn) => {
        document.querySelector(".list").scrollTop = ${top};
        requestAnimationFrame(() => requestAnimationFrame(drawn));
      })`);
    expect(asked).toBe(0);
    await page.keyboard.press("4");
    await page.getByText("The server cannot be reached").waitFor();
    expect(await page.getByText("No chat is open.").count()).toBe(0);
    const next = await serve(room, ["--port", `${served.port}`]);
    await page.goto(next.url);
    await page.locator(".live:text-is('live')").waitFor();
    expect(new URL(page.url()).hash).toBe("#/timeline");
    journal(room, [lineOf({ id: "b", command: "second" })]);
    await page.locator(".row:has-text('second')").waitFor();
  });

  it("can be open in more tabs than a browser has connections, and goes on when one is seen again", async () => {
    const room = scratch();
    journal(room, [lineOf({ id: "a", command: "first" })]);
    const served = await serve(room);
    const page = await open(served);
    await page.locator(".row").waitFor();
    await page.evaluate(HIDDEN);
    for (let count = 0; count < 7; count += 1) {
      const tab = await page.context().newPage();
      await tab.goto(`http://127.0.0.1:${served.port}/`);
      await tab.locator(".row:has-text('first')").waitFor();
      await tab.locator(".live:text-is('live')").waitFor();
      await tab.evaluate(HIDDEN);
    }
    journal(room, [lineOf({ id: "b", command: "meanwhile" })]);
    await page.evaluate(SEEN);
    await page.locator(".row:has-text('meanwhile')").waitFor();
    expect(await page.locator(".row").count()).toBe(2);
  });

  it("has room for the number of open questions in a narrow window", async () => {
    const page = await open(await serve(scratch()));
    await page.evaluate("document.querySelector('nav .count').textContent = '12'");
    for (const width of [360, 320]) {
      await page.setViewportSize({ width, height: 700 });
      const right = await page.evaluate<number[]>(
        `["nav .count", "nav"].map((one) => document.querySelector(one).getBoundingClientRect().right)`,
      );
      expect({ width, right }).toEqual({ width, right: right.toSorted((a, b) => a - b) });
    }
  });

  const lines = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      lineOf({ id: `${at}`, command: `${at % 2 === 0 ? "even" : "odd"}-${at}` }),
    );

  it("shows the events of a journal that was emptied and begun again", async () => {
    const room = scratch();
    const folder = journal(room, lines(3));
    const page = await open(await serve(room));
    await page.locator(".live:text-is('live')").waitFor();
    rmSync(folder, { recursive: true });
    journal(room, [lineOf({ id: "fresh", command: "fresh" })]);
    await page.locator(".row:has-text('fresh')").waitFor();
    expect(await page.locator(".row").count()).toBe(1);
  });

  it("knows a hook again whose line has moved", async () => {
    const room = scratch();
    const group = (matcher: string) => ({
      matcher,
      hooks: [{ type: "command", command: "true", name: matcher }],
    });
    const text = JSON.stringify({ hooks: { PreToolUse: [group("Bash"), group("Write")] } }, null, 2);
    const config = room.file("hooks.json", text);
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config]);
    room.file("hooks.json", `// edited\n${text}`);
    const page = await open(await serve(room, ["--config", config]));
    await page.locator(".row").click();
    await page.locator(".matches").waitFor();
    expect(await page.locator(".matches li").allTextContents()).toEqual([
      expect.stringMatching(/^✓ Bash fired "Bash" matches/),
      expect.stringMatching(/^· Write did not tool_name/),
    ]);
    await page.keyboard.press("3");
    expect(await page.locator(".hook:has-text('Bash') figcaption").textContent()).toMatch(/^1 run, /);
  });

  it("begins a search with the newest that it finds, however far the list was scrolled", async () => {
    const room = scratch();
    journal(room, lines(1000));
    const page = await open(await serve(room));
    await page.locator(".status:has-text('600 events so far')").waitFor();
    await page.evaluate("document.querySelector('.list').scrollTop = 6000");
    await page.locator(".row:has-text('odd-799')").waitFor();
    await page.getByLabel("Search in everything").fill("even-");
    await page.locator(".row:has-text('even-998')").waitFor();
    expect(await page.evaluate("document.querySelector('.list').scrollTop")).toBe(0);
  });
});

const UUID = "0b0e7a3c-5f3f-4c8e-9a51-1f2d3c4b5a69";

/** A project with one hook for everyone, and one for a session, which is not trusted yet. */
function withSession() {
  const room = scratch();
  const hooks = (name: string) => ({
    hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "true", name }] }] },
  });
  room.file(".belay/settings.json", JSON.stringify(hooks("everywhere")));
  room.file(`.belay/hooks/hooks.${UUID}.json`, JSON.stringify(hooks("only-there")));
  return room;
}

it("--session lists the hooks of that session, and tries events as that session's", async () => {
  const served = await serve(withSession(), ["--session", UUID]);
  const { hooks, files } = await served.api<HooksPage>("/api/hooks");
  expect(hooks.map(({ name, layer }) => [name, layer])).toEqual([
    ["everywhere", "project"],
    ["only-there", "session"],
  ]);
  expect(files.map(({ layer }) => layer)).toEqual(["project", "session"]);
  const { samples } = await served.api<Samples>("/api/samples");
  expect(samples[0]?.payload).toMatchObject({ session_id: UUID });
});

it("--session refuses an id of which no hooks could be found", async () => {
  const { code, stderr } = await scratch().belay(["inspect", "--session", "0b0e7a3c-5f3f"]);
  const why = '--session "0b0e7a3c-5f3f" is no UUID, and only such a session has hooks of its own';
  expect([code, stderr]).toEqual([1, `belay: ${why}; give the whole id, or leave it out\n`]);
});

it("an event is held against the hooks of its own session, whichever the page was opened for", async () => {
  const room = withSession();
  await room.belay(["trust", "--session", UUID, "--yes"]);
  await room.belay(["run", "PreToolUse", "--tool", "Bash", "--session", UUID]);
  const served = await serve(room);
  const { rows } = await served.api<EventsPage>("/api/events");
  const { matches } = await served.api<EventDetail>(`/api/events/${rows[0]?.key}`);
  expect(matches.map(({ hook, fires }) => [hook, fires])).toEqual([
    ["everywhere", true],
    ["only-there", true],
  ]);
});

it.runIf(program)("the page has the command that trusts the hooks of a session", async () => {
  const page = await open(await serve(withSession(), ["--session", UUID]));
  await page.keyboard.press("3");
  await page.locator(".hook").last().waitFor();
  expect(await page.locator(".hook .marks").allInnerTexts()).toEqual([
    "project\n✗ not trusted: belay trust",
    `session\n✗ not trusted: belay trust --session ${UUID}`,
  ]);
});
