import { describe, expect, it } from "vitest";
import { scratch } from "./cli.ts";
import { journal, lineOf } from "./inspect/journal.ts";
import { serve } from "./inspect/server.ts";

/* More hooks in one record than a function can be given as arguments. */

const HOOKS = 150_000;

function recordOfMany() {
  const record = JSON.parse(lineOf({ id: "a" }));
  const [hook] = record.hooks;
  const hooks = Array.from({ length: HOOKS }, (_, number) => ({ ...hook, name: `g${number}` }));
  return { ...record, hooks };
}

describe("a record of very many hooks", () => {
  const COMMANDS: [args: string[], code: number, says: RegExp][] = [
    [["tail"], 0, /PreToolUse +Bash +ls +go on +150000 hooks +1[23] ms\n$/],
    [["stats"], 0, /\n1 event, which waited 1[23] ms for hooks\n/],
    [["replay"], 0, /^1 event decided anew: all as recorded\n$/],
    [["replay", "--rerun"], 1, /^1 event fired again, but no hook ran: all were decided as recorded\n$/],
  ];
  it.each(COMMANDS)("belay %j", async (args, code, says) => {
    const room = scratch();
    journal(room, [`${JSON.stringify({ ...recordOfMany(), cwd: room.project })}\n`]);
    const found = await room.belay(args, { env: { COLUMNS: "160" } });
    expect(found).toMatchObject({ code, stdout: expect.stringMatching(says) });
    expect(found.stderr).not.toContain("went wrong");
  });

  it("has a row in the timeline", async () => {
    const room = scratch();
    journal(room, [`${JSON.stringify(recordOfMany())}\n`]);
    const served = await serve(room);
    const { status, json } = await served.ask("/api/events", { headers: await served.signIn() });
    expect([status, json]).toMatchObject([200, { rows: [{ hooks: HOOKS, took: 12.5 }] }]);
  });
});
