import { type EventRecord, replay } from "@belay/core";
import { describe, expect, it } from "vitest";
import { growthOf, LINEAR } from "../../core/test/growth.ts";
import { redactCuts } from "../src/journal/redact-cut.ts";
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

  const begun = [
    "<password>S3cretPw",
    '<password type="t">S3cretPw',
    '["--password","S3cretPw',
    '{"token":{"value":"S3cretPw',
    '{"token":["S3cretPw',
    '{"pwd":"S3cretPw',
    '{"token":53437265745077',
    "postgres://svc:p[S3cretPw",
    "Bearer S3cre",
    '"password": "ab\\"S3cretPw',
    '{"a":"{\\"token\\":{\\"value\\":\\"S3cretPw',
    "const token: string = 'S3cretPw",
    'token = b"S3cretPw',
    'token = """S3cretPw',
    "token='S3cretPw, S3cret",
  ];
  it.each(begun)("of which nothing but a name is known: %s", async (text) => {
    const room = scratch();
    const hooks = [{ type: "command", command: `cat ${room.write("stdout", `${text}S3cretPw and on`)}` }];
    const engine = await room.engineFor("PreToolUse", hooks, { limits: { outputCap: text.length } });
    const { action, decision } = await engine.fire("PreToolUse", CALL);
    const [record] = records(engine.journalFolder as string) as [EventRecord];
    expect([record.redacted, JSON.stringify(record)]).toEqual([
      true,
      expect.not.stringMatching(/S3cre|53437265/),
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

describe("a secret that we cut ourselves, or that a hook was stopped in", () => {
  const ADDRESS = "https://svc:S3cretPw01234567890123456789@db.example.com/x";
  const rows: [what: string, hook: Record<string, unknown>][] = [
    ["in the name of a hook", { command: `false ${ADDRESS}` }],
    [
      "in what an observing hook would have said",
      { command: `echo '${"x".repeat(160)} ${ADDRESS}' >&2; exit 2`, name: "a", mode: "observe" },
    ],
    [
      "in a wrong answer that is quoted",
      { command: `echo '{"decision":"${"x".repeat(20)} ${ADDRESS}"}'`, name: "a" },
    ],
    [
      "in a hook that is stopped",
      { command: "printf 'x ghp_S3cretPw01234'; exec sleep 5", timeout: 1, name: "a" },
    ],
    ["in a hook that is killed", { command: "printf 'x ghp_S3cretPw01234'; kill -9 $$", name: "a" }],
  ];
  it.each(rows)("%s", async (_, hook) => {
    const engine = await scratch().engineFor("PreToolUse", [{ type: "command", ...hook }]);
    const { action, decision } = await engine.fire("PreToolUse", CALL);
    const [record] = records(engine.journalFolder as string) as [EventRecord];
    expect([record.redacted, JSON.stringify(record)]).toEqual([true, expect.not.stringContaining("S3cret")]);
    const again = replay(record);
    expect(again).toMatchObject({ action, decision: { kind: decision.kind } });
    expect(again.messages.map(({ hook }) => hook)).toEqual(record.outcome.messages.map(({ hook }) => hook));
    expect(again.diagnostics.map(({ hook }) => hook)).toEqual(
      record.outcome.diagnostics.map(({ hook }) => hook),
    );
  });

  it("dots that stand for the rest of a word hide nothing else", async () => {
    const engine = await scratch().engineFor("PreToolUse", [
      {
        type: "command",
        command: "echo 'keys (sk-…, ghp_…), Map<Token> of…, Basic words… and http://db:8080… are fine'",
        name: "a",
      },
    ]);
    await engine.fire("PreToolUse", CALL);
    expect(records(engine.journalFolder as string)[0]).not.toHaveProperty("redacted");
  });
});

it.each([
  "…",
  "token='a",
  "token:{",
  "token>",
  "token='\\\\",
  "Basic ",
  "sk-a/",
  "://a:",
  "…://a:b",
  "ghp_abcd…",
])("many cuts take no longer than their length: %j", (piece) => {
  const redact = redactCuts(true);
  const text = piece.repeat(Math.ceil(102_400 / piece.length));
  expect(growthOf(text, (part) => redact(part, "stdout"))).toBeLessThan(LINEAR);
});
