import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventRecord } from "@belay/engine";
import { describe, expect, it } from "vitest";
import { CALL, codes, command, SESSION, scratch, settings } from "./scratch.ts";
import { PROJECT } from "./trust-project.ts";

/** The user is told once per session; what each record says is true of its own event. */
describe("a record says how many hooks did not run because they are not trusted", () => {
  const on = (matcher: string, ...hooks: object[]) => ({ hooks: { PreToolUse: [{ matcher, hooks }] } });

  it("at every event, though the user is told once", async () => {
    const room = scratch();
    room.write(PROJECT, on("Bash", command("exit 2"), command("exit 3")));
    const journal = join(room.root, "journal");
    const engine = await room.engine({ journal, sessionId: SESSION });
    const told = [
      await engine.fire("SessionStart", { source: "startup" }),
      await engine.fire("PreToolUse", CALL),
      await engine.fire("PreToolUse", CALL),
      await engine.fire("PreToolUse", { ...CALL, tool_name: "Edit" }),
    ].map(codes);
    expect(told).toEqual([["hook-untrusted"], ["hook-skipped"], ["hook-skipped"], []]);
    await room.trustAll();
    await engine.fire("PreToolUse", CALL);
    expect(recordsIn(journal)).toEqual([
      { event: "SessionStart", ran: 0, untrusted: 0 },
      { event: "PreToolUse", ran: 0, untrusted: 2 },
      { event: "PreToolUse", ran: 0, untrusted: 2 },
      { event: "PreToolUse", ran: 0 },
      { event: "PreToolUse", ran: 2 },
    ]);
  });

  it("but not of the copy of one that ran", async () => {
    const room = scratch();
    const journal = join(room.root, "journal");
    room.write("home/.belay/settings.json", settings("Stop", command("exit 0")));
    room.write(PROJECT, settings("Stop", command("exit 0")));
    const engine = await room.engine({ journal });
    await engine.fire("Stop");
    await engine.fire("Stop");
    expect(recordsIn(journal)).toEqual([
      { event: "Stop", ran: 1, untrusted: 0 },
      { event: "Stop", ran: 1, untrusted: 0 },
    ]);
  });
});

function recordsIn(journal: string): object[] {
  const [file = ""] = readdirSync(journal);
  const lines = readFileSync(join(journal, file), "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const { event, hooks, untrusted } = JSON.parse(line) as EventRecord;
    return { event, ran: hooks.length, ...(untrusted !== undefined && { untrusted }) };
  });
}
