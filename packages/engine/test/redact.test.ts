import { type EventRecord, replay } from "@belay/core";
import type { Limits } from "@belay/engine";
import { describe, expect, it, onTestFinished } from "vitest";
import { growthOf, LINEAR } from "../../core/test/growth.ts";
import { mayHoldSecret, redactRecord, redactText, secretValues } from "../src/journal/redact.ts";
import { open, records } from "./journals.ts";
import { CALL, command, scratch, settings } from "./scratch.ts";
import { NOTATIONS, ORDINARY, SECRETS } from "./secrets.ts";

it.each(NOTATIONS)("a secret is replaced, and what stands around it stays: %s", (before, after) => {
  expect(redactText(before)).toBe(after);
  expect(redactText(after)).toBe(after);
  expect(mayHoldSecret(JSON.stringify({ text: JSON.stringify({ before }) }))).toBe(true);
});

it.each(ORDINARY)("ordinary text stays: %s", (text) => {
  expect(redactText(text)).toBe(text);
});

/** The record of one call with one hook, and what came of the call. */
async function recorded(hook: object, limits: Partial<Limits> = {}, tool_input = {}) {
  const engine = await scratch().engineFor("PreToolUse", [{ type: "command", ...hook }], { limits });
  const outcome = await engine.fire("PreToolUse", { ...CALL, tool_input });
  const [record] = records(engine.journalFolder as string) as [EventRecord];
  return { ...outcome, record };
}

/** Redacts a payload as the journal does. */
function redactedPayload(payload: EventRecord["payload"]): EventRecord["payload"] {
  return redactRecord({ hooks: [], payload } as unknown as EventRecord).payload;
}

it("in a payload: strings under a secret's name go whole, numbers become 0, keys stay", () => {
  const payload = {
    tool_input: {
      pass: "a b",
      pwd: "hunter22",
      cookie: "a=b",
      password: 12345678,
      pin_token_2: "x",
      db_password: "123",
      auth_token: "<none>",
      retries: 12345678,
      credentials: { value: "abc", more: [{ deep: "abc" }], count: 2 },
      ghp_abcdefghijklmnopqrstuvwxyz: 1,
    },
    env: { pwd: "/home/you" },
  };
  expect(redactedPayload(payload)).toEqual({
    tool_input: {
      pass: "[redacted]",
      pwd: "[redacted]",
      cookie: "[redacted]",
      password: 0,
      pin_token_2: "[redacted]",
      db_password: "[redacted]",
      auth_token: "[redacted]",
      retries: 12345678,
      credentials: { value: "[redacted]", more: [{ deep: "[redacted]" }], count: 2 },
      ghp_abcdefghijklmnopqrstuvwxyz: 1,
    },
    env: { pwd: "/home/you" },
  });
});

it("in a list of arguments: the one behind a secret's option goes whole", () => {
  const rows: [args: unknown[], hidden: unknown[]][] = [
    [
      ["mysql", "--password", "a b", "--host", "h"],
      ["mysql", "--password", "[redacted]", "--host", "h"],
    ],
    [
      ["-token", "x"],
      ["-token", "[redacted]"],
    ],
    [
      ["--password", ["x"], { a: "x" }],
      ["--password", ["[redacted]"], { a: "[redacted]" }],
    ],
    ...[
      ["--password", "--host", "h"],
      ["--password-file", "/run/x"],
      ["password", "rules"],
      ["--password", ""],
    ].map((args): [unknown[], unknown[]] => [args, args]),
  ];
  for (const [args, hidden] of rows) expect(redactedPayload({ args })).toEqual({ args: hidden });
});

describe("the values of the host's own secrets", () => {
  it("are those of variables with a secret's name, unless they are short, a word or a path", () => {
    const env = {
      MY_TOKEN: "correct horse",
      DEPLOY_KEY: 'x"y\\z{12}',
      SHORT_TOKEN: "abc-123",
      WORD_SECRET: "production",
      PATH_TOKEN: "/run/secrets/token",
      USER_NAME: "jane-doe-123",
    };
    expect(secretValues(env)).toEqual(["correct horse", 'x"y\\z{12}', 'x\\"y\\\\z{12}']);
  });

  it("are hidden wherever they stand, also in JSON in a string", () => {
    const env = { A_TOKEN: "correct horse", B_TOKEN: 'x"y\\z{12}' };
    const secrets = { values: secretValues(env), patterns: [] };
    const text = `I say correct horse and ${JSON.stringify({ a: JSON.stringify(['x"y\\z{12}']) })}`;
    const redacted = redactText(text, secrets);
    expect(mayHoldSecret(JSON.stringify({ text }), secrets)).toBe(true);
    expect(redacted).not.toMatch(/horse|z\{12/);
    expect(redacted).toContain("I say [redacted] and ");
  });

  it("are hidden in the journal", async () => {
    process.env.SOME_TOKEN = "plainly-said-words";
    onTestFinished(() => void delete process.env.SOME_TOKEN);
    const { fire, folder } = await open([{ type: "command", command: "echo $SOME_TOKEN >&2; exit 2" }]);
    expect((await fire()).decision.reason).toBe("plainly-said-words");
    expect(records(folder)[0]).toMatchObject({
      redacted: true,
      outcome: { decision: { reason: "[redacted]" } },
    });
    expect(JSON.stringify(records(folder))).not.toContain("plainly");
  });

  it("are hidden in the journal when the host gave them to hooks alone", async () => {
    const { engine, write } = scratch();
    const file = write("hooks.json", settings("Stop", command("echo $SOME_TOKEN >&2; exit 2")));
    const env = { ...process.env, SOME_TOKEN: "plainly-said-words" };
    const hooks = await engine({ configFiles: [file], env });
    await hooks.fire("Stop");
    expect(JSON.stringify(records(hooks.journalFolder as string))).not.toContain("plainly");
  });
});

describe("the user's own patterns", () => {
  it("replace what they match in the journal; a wrong one is told, and those of a project are none", async () => {
    const room = scratch();
    room.write("home/.belay/settings.json", { redact: ["ACME-[0-9]+", "(?=x)"] });
    room.write("project/.belay/settings.json", { redact: ["fine"] });
    const engine = await room.engine();
    const tool_input = { command: "ls ACME-1234 fine", json: '{"a":"ACME-7 \\"b\\""}' };
    const { diagnostics } = await engine.fire("PreToolUse", { ...CALL, tool_input });
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ["config-bad-entry", expect.stringContaining("redact[1]")],
    ]);
    const hidden = { command: "ls [redacted] fine", json: '{"a":"[redacted] \\"b\\""}' };
    expect(records(engine.journalFolder as string)[0]).toMatchObject({
      redacted: true,
      payload: { tool_input: hidden },
    });
  });
});

describe("a record", () => {
  it("are replaced everywhere in a record; keys, decisions and structure stay", async () => {
    const reason = "do not use password=hunter2222 {here}";
    const json = {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: reason,
        updatedInput: { token: "abcdefgh", note: "fine" },
      },
    };
    const { fire, folder } = await open([
      { type: "json", json },
      { type: "command", command: "echo 'API_KEY=abcd1234' >&2; exit 3", name: "leaks --token abcd1234" },
    ]);
    const outcome = await fire({
      tool_input: {
        command: "login --token abcd1234",
        api_key: "abcd1234",
        credentials: { value: "abcd1234", more: [{ deep: "abcd1234" }], count: 2 },
        user: "me",
      },
    });
    expect(outcome.decision.reason).toBe(reason);
    const [record] = records(folder) as [EventRecord];
    expect(record.redacted).toBe(true);
    expect(JSON.stringify(record)).not.toMatch(/hunter2222|abcd1234|abcdefgh/);
    expect(record.payload.tool_input).toEqual({
      command: "login --token [redacted]",
      api_key: "[redacted]",
      credentials: { value: "[redacted]", more: [{ deep: "[redacted]" }], count: 2 },
      user: "me",
    });
    expect(record.outcome).toMatchObject({
      blocked: true,
      decision: { kind: "deny", reason: "do not use password=[redacted] {here}" },
    });
    const again = replay(record);
    expect([again.decision.kind, again.action, again.messages.length]).toEqual([
      outcome.decision.kind,
      outcome.action,
      outcome.messages.length,
    ]);
  });

  const DENY =
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"R"}}';
  const outputs = [
    DENY.replace('"R"', '"-----BEGIN PRIVATE KEY-----\\nabc\\"quoted\\""'),
    DENY.replace('"R"', '"\\"token\\": \\"abc def\\""'),
    DENY.replace('"R"', '"password=abcd\\\\"'),
    `the "token": " was ${DENY}`,
    `password: ${DENY}`,
    `token=${DENY} and token=abcdefgh`,
    `-----BEGIN PRIVATE KEY-----\n${DENY}`,
    `https://a:${DENY}@b`,
    `{"token":"abc`,
    `{"token":"a\\x", ${DENY.slice(1)}`,
    `{"token":"a{b", ${DENY.slice(1)}`,
    `{"token":"abcdef", "hookSpecificOutput":{"permissionDecision":"deny"`,
    `{"token":${DENY}}`,
    `{"token":${DENY}`,
    `{"token":{"decision":"block","reason":"r"}, broken`,
    `{"token":{"a":"{",":":"x",":":", ${DENY}`,
    `{"token":{"a":"x\\q","b":"y"}}${DENY}`,
    `{"token":{"a":"x\ty"}} ${DENY}`,
    `"token":[${DENY}`,
    `x "token":{"a\\"{"systemMessage":"m","decision":{"":"]"},"list":[{"b":"c"}]}`,
    `{"token":["${"x".repeat(20)}"], ${DENY.slice(1)}`,
    `sshpass -p ${DENY}`,
    `docker login --password "${DENY}`,
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\nComment: ${DENY}`,
  ];
  it.each(outputs)("replay decides the same: %s", async (stdout) => {
    const { fire, folder, write } = await open([]);
    const file = write("stdout", stdout);
    write("hooks.json", {
      hooks: { PreToolUse: [{ hooks: [{ type: "command", command: `cat ${file}` }] }] },
    });
    const outcome = await fire();
    const [record] = records(folder) as [EventRecord];
    const again = replay(record);
    expect([again.decision.kind, again.action, again.runs[0]?.read]).toEqual([
      outcome.decision.kind,
      outcome.action,
      outcome.runs[0]?.read,
    ]);
  });
});

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
    const { action, decision, record } = await recorded({ command, name: "a" }, { outputCap: 4 + kept });
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
    const command = `cat ${scratch().write("stdout", `${text}S3cretPw and on`)}`;
    const { action, decision, record } = await recorded({ command }, { outputCap: text.length });
    expect([record.redacted, JSON.stringify(record)]).toEqual([
      true,
      expect.not.stringMatching(/S3cre|53437265/),
    ]);
    expect(replay(record)).toMatchObject({ action, decision: { kind: decision.kind } });
  });

  it("a port is none", async () => {
    const { record } = await recorded({ command: "printf 'http://db:8080 on'" }, { outputCap: 14 });
    expect(record.hooks[0]?.run.stdout).toBe("http://db:8080");
  });

  it("nothing else is taken for one", async () => {
    const hook = { command: "printf 'long enough'; exit 2", name: "npm_audit" };
    const tool_input = { command: "git checkout sk-fix" };
    const { decision, record } = await recorded(hook, { outputCap: 4 }, tool_input);
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
    const { action, decision, record } = await recorded(hook);
    expect([record.redacted, JSON.stringify(record)]).toEqual([true, expect.not.stringContaining("S3cret")]);
    const again = replay(record);
    expect(again).toMatchObject({ action, decision: { kind: decision.kind } });
    expect(again.messages.map(({ hook }) => hook)).toEqual(record.outcome.messages.map(({ hook }) => hook));
    expect(again.diagnostics.map(({ hook }) => hook)).toEqual(
      record.outcome.diagnostics.map(({ hook }) => hook),
    );
  });

  it("dots that stand for the rest of a word hide nothing else", async () => {
    const command = "echo 'keys (sk-…, ghp_…), Map<Token> of…, Basic words… and http://db:8080… are fine'";
    expect((await recorded({ command, name: "a" })).record).not.toHaveProperty("redacted");
  });
});

describe("hostile text takes no longer than its length", () => {
  /** Separated by "¦"; a separator ends each line. */
  const pieces =
    String.raw`a-¦--¦-eyJ¦eyJaaaaaaaa.¦sk-a1¦sk-aB-¦sk-a/¦SG.aaaaaaaaaaaaaaaa.¦ghp_abcd…¦…¦token¦token ¦token=¦
token:¦token: a¦token: a | ¦token a=¦token=a,¦token=none¦token=$(¦token='¦token="a'¦token='''¦
token\\\"¦token=\\\"¦"token": "¦"token":1234¦'token', '¦token> ¦pass=¦token value: ¦
name: token value: ¦--token ¦--a-token a ¦"--token","¦?token=¦token_1¦://a:¦://a:@¦://a:@a¦://u:p@¦
…://a:b¦curl -u ¦curl -u a:b ¦mysql -p¦docker  login ¦sshpass -p ¦authorization:¦authorization: ¦
Cookie: a=¦cookie: none ¦basic abcdefgh ¦bearer ¦-----BEGIN A¦-----BEGIN PRIVATE KEY-----¦
{"token":"¦{"token":{¦"token":["a",¦{"a":"\¦{"token":"a"},¦\"token\":{¦{}`
      .replaceAll("¦\n", "¦")
      .split("¦")
      .concat("\\", "-----BEGIN PRIVATE KEY-----\nA: ");
  it.each(pieces)("%j", (piece) => {
    // A secret, so that the text is searched at all.
    const texts = [piece.repeat(Math.ceil(102_400 / piece.length)), piece + " ".repeat(102_400)];
    const redact = (text: string) => redactText(`token=abc123 ${text}`, undefined, true);
    for (const text of texts) expect(growthOf(text, redact)).toBeLessThan(LINEAR);
  });

  it("in a record whose values stand in it again and again", () => {
    const secrets = { values: SECRETS, patterns: [] };
    const text = SECRETS.join(" ").repeat(10);
    expect(growthOf(text, (part) => redactText(part, secrets))).toBeLessThan(LINEAR);
  });
});
