import { type EventRecord, replay } from "@belay/core";
import { describe, expect, it } from "vitest";
import { records } from "./journals.ts";
import { CALL, scratch } from "./scratch.ts";

describe("a secret that the cap of an output falls into", () => {
  const secrets = [
    "ghp_0123456789abcdefghijABCDEFGHIJ",
    "npm_0123456789abcdefghij0123",
    "db://app:hunter2-hunter2",
  ];
  const rows = secrets.flatMap((secret) =>
    ["", " >&2; exit 2"].flatMap((stream) =>
      [secret.length, Math.ceil(secret.length / 2)].map((kept) => ({ secret, stream, kept })),
    ),
  );
  it.each(rows)("$kept characters of $secret, printed $stream", async ({ secret, stream, kept }) => {
    const command = `printf %s 'see ${secret}@db and on'${stream}`;
    const room = scratch();
    const hooks = [{ type: "command", command, name: "a" }];
    const engine = await room.engineFor("PreToolUse", hooks, { limits: { outputCap: 4 + kept } });
    const { action, decision } = await engine.fire("PreToolUse", CALL);
    const [record] = records(engine.journalFolder as string) as [EventRecord];
    const { run } = record.hooks[0] as EventRecord["hooks"][number];
    expect(run).toMatchObject({ truncated: true });
    expect([record.redacted, JSON.stringify([run, record.outcome])]).toEqual([
      true,
      expect.not.stringMatching(/ghp_0|npm_0|app:h/),
    ]);
    expect(replay(record)).toMatchObject({ action, decision: { kind: decision.kind } });
  });

  it("a port is none", async () => {
    const engine = await scratch().engineFor(
      "PreToolUse",
      [{ type: "command", command: "printf 'http://db:8080 on'" }],
      {
        limits: { outputCap: 14 },
      },
    );
    await engine.fire("PreToolUse", CALL);
    const [record] = records(engine.journalFolder as string) as [EventRecord];
    expect(record.hooks[0]?.run.stdout).toBe("http://db:8080");
  });

  it("nothing else is taken for one", async () => {
    const hooks = [{ type: "command", command: "printf 'long enough'; exit 2", name: "npm_audit" }];
    const engine = await scratch().engineFor("PreToolUse", hooks, { limits: { outputCap: 4 } });
    const tool_input = { command: "git checkout sk-fix" };
    const { decision } = await engine.fire("PreToolUse", { ...CALL, tool_input });
    const [record] = records(engine.journalFolder as string) as [EventRecord];
    expect(record).toMatchObject({
      hooks: [{ name: "npm_audit" }],
      outcome: { decision },
      payload: { tool_input },
    });
    expect(record).not.toHaveProperty("redacted");
  });
});
