import { describe, expect, it } from "vitest";
import type { EventDetail, HooksPage, Samples } from "../../../inspector/src/api.ts";
import { scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { serve } from "./server.ts";

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

describe("belay inspect --session", () => {
  it("lists the hooks of that session, and tries events as that session's", async () => {
    const served = await serve(withSession(), ["--session", UUID]);
    const headers = await served.signIn();
    const { hooks, files } = (await served.ask("/api/hooks", { headers })).json as HooksPage;
    expect(hooks.map(({ name, layer }) => [name, layer])).toEqual([
      ["everywhere", "project"],
      ["only-there", "session"],
    ]);
    expect(files.map(({ layer }) => layer)).toEqual(["project", "session"]);
    const { samples } = (await served.ask("/api/samples", { headers })).json as Samples;
    expect(samples[0]?.payload).toMatchObject({ session_id: UUID });
  });

  it("refuses an id of which no hooks could be found", async () => {
    expect(await scratch().belay(["inspect", "--session", "0b0e7a3c-5f3f"])).toEqual({
      code: 1,
      stdout: "",
      stderr:
        'belay: --session "0b0e7a3c-5f3f" is no UUID, and only such a session has hooks of its own; give the whole id, or leave it out\n',
    });
  });
});

it("an event is held against the hooks of its own session, whichever the page was opened for", async () => {
  const room = withSession();
  await room.belay(["trust", "--session", UUID, "--yes"]);
  await room.belay(["run", "PreToolUse", "--tool", "Bash", "--session", UUID]);
  const served = await serve(room);
  const headers = await served.signIn();
  const { rows } = (await served.ask("/api/events", { headers })).json as { rows: { key: string }[] };
  const { matches } = (await served.ask(`/api/events/${rows[0]?.key}`, { headers })).json as EventDetail;
  expect(matches.map(({ hook, fires }) => [hook, fires])).toEqual([
    ["everywhere", true],
    ["only-there", true],
  ]);
});

const program = findBrowser();

describe.runIf(program)("the hooks of a session in a real browser", () => {
  const open = browserFor(program);

  it("have the command that trusts them", async () => {
    const page = await open(await serve(withSession(), ["--session", UUID]));
    await page.keyboard.press("3");
    await page.locator(".hook").last().waitFor();
    expect(await page.locator(".hook .marks").allInnerTexts()).toEqual([
      "project\n✗ not trusted: belay trust",
      `session\n✗ not trusted: belay trust --session ${UUID}`,
    ]);
  });
});
