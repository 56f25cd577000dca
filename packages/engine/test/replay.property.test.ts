import { type EventRecord, replay } from "@belay/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyDialect, anyEvent, anyPolicy, anyRun, nearlyRight, runOf } from "../../core/test/arbitraries.ts";
import { recordOf } from "../../core/test/pipeline.ts";
import { redactRecord } from "../src/journal.ts";
import { REDACTED, redactText } from "../src/redact.ts";

const SECRET = "hunter2hunter2hunter2hunter2hunter2";
const PEM_HEAD = "-----BEGIN RSA PRIVATE KEY-----";

/** Secrets in the shapes people print them; every one holds SECRET. */
const SECRETS = [
  `sk-${SECRET}`,
  `ghp_${SECRET}`,
  `xoxb-${SECRET}`,
  `glpat-${SECRET}`,
  `npm_${SECRET}`,
  `AIza${SECRET}`,
  `eyJhbGciOiJIUzI1.eyJhbGciOiJIUzI1.${SECRET}`,
  `Bearer ${SECRET}`,
  `https://me:${SECRET}@example.com`,
  `token=${SECRET}`,
  `API_KEY = ${SECRET}`,
  `"password": "${SECRET}"`,
  `"password":"${SECRET}`,
  `password: ${SECRET}`,
  `DB_PASSWORD="${SECRET}"`,
  `token="${SECRET}`,
  `PASSWORD='${SECRET}, ${SECRET}'`,
  `{'password': '${SECRET}'}`,
  `'password': "${SECRET}"`,
  `Authorization: ApiKey ${SECRET}, ${SECRET}`,
  `curl -u me:${SECRET}`,
  `curl --user "me:${SECRET}"`,
  `postgres://:${SECRET}@db.test`,
  `${PEM_HEAD}\n${SECRET}\n-----END RSA PRIVATE KEY-----\n`,
  `${PEM_HEAD}${SECRET}"`,
  `${PEM_HEAD}${SECRET}\\`,
  `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2 (x)\n\n${SECRET}`,
  `hf_${SECRET}`,
  `SG.${SECRET}.${SECRET}`,
  `ya29.${SECRET}`,
  `sshpass -p ${SECRET}`,
  `sshpass -p '${SECRET} ${SECRET}'`,
  `docker login -p "${SECRET}"`,
  `docker login --password ${SECRET}`,
  `docker login --password "${SECRET}, ${SECRET}"`,
  `{"credentials":{"value":"${SECRET}"}}`,
  `"credentials": [{"value" : "${SECRET}, ${SECRET}" }`,
];

const aSecret = fc.constantFrom(...SECRETS);

/** Puts a secret at some place of a text: in a value, a key, or right into the syntax. */
const spiked = (text: string) =>
  fc.tuple(fc.nat(text.length), aSecret).map(([at, secret]) => text.slice(0, at) + secret + text.slice(at));

const spikedObject = anyEvent.chain((event) =>
  fc
    .tuple(
      nearlyRight(event),
      aSecret,
      aSecret,
      fc.constantFrom("systemMessage", "reason", "stopReason", "token"),
    )
    .map(([object, value, inner, field]) => ({
      event,
      stdout: JSON.stringify({
        [field]: value,
        ...object,
        authToken: inner,
        list: [{ secret: value }],
        credentials: { value },
      }),
    })),
);

const spikedCase = fc
  .oneof(
    spikedObject,
    anyEvent.chain((event) =>
      nearlyRight(event)
        .chain((object) => spiked(JSON.stringify(object)))
        .map((stdout) => ({ event, stdout })),
    ),
    anyEvent.chain((event) =>
      anyRun(event)
        .chain(({ stdout }) => spiked(stdout))
        .map((stdout) => ({ event, stdout })),
    ),
    fc
      .tuple(spikedObject, aSecret, fc.constantFrom("", "\n", " ", "{"))
      .map(([{ event, stdout }, secret, gap]) => ({ event, stdout: secret + gap + stdout })),
    // An answer under a secret's name, sound or broken.
    fc
      .tuple(
        spikedObject,
        fc.constantFrom('{"token":', '"credentials":[', '{"secret" : {"a":"{","b":', 'x "token":{"a\\"'),
        fc.constantFrom("", "}", "}}", "]", ", x"),
      )
      .map(([{ event, stdout }, before, after]) => ({ event, stdout: before + stdout + after })),
  )
  .chain(({ event, stdout }) =>
    fc.record({
      event: fc.constant(event),
      dialect: anyDialect,
      policy: anyPolicy,
      run: fc
        .tuple(anyRun(event), fc.oneof(aSecret, fc.constant("")))
        .map(([run, stderr]) => runOf(run, stdout, stderr)),
    }),
  );

function decisionOf({
  event,
  dialect,
  action,
  blocked,
  decision,
  updatedInput,
  updatedPrompt,
}: EventRecord["outcome"]) {
  const { kind, hook, interrupt } = decision;
  const rewrites = [typeof updatedInput, typeof updatedPrompt];
  return { event, dialect, action, blocked, kind, hook, interrupt, rewrites };
}

describe("a record with its secrets taken out", () => {
  it("is replayed to the same decision", () => {
    fc.assert(
      fc.property(spikedCase, ({ event, ...ran }) => {
        const record = recordOf(event, [ran]);
        const kept = JSON.parse(JSON.stringify(redactRecord(record))) as EventRecord;
        const again = replay(kept);
        expect(decisionOf(again)).toEqual(decisionOf(record.outcome));
        expect(again.runs.map(({ read }) => read)).toEqual(replay(record).runs.map(({ read }) => read));
        expect(decisionOf(kept.outcome)).toEqual(decisionOf(record.outcome));
      }),
      { numRuns: 4000 },
    );
  });

  it.each(SECRETS)("does not hold the secret, and says so: %j", (secret) => {
    const said = { systemMessage: `see ${secret} there`, extra: { deep: [secret, `line one\n${secret}`] } };
    const policy = { name: "guard", onFailure: "continue", mode: "enforce" } as const;
    const run = runOf({ exitCode: 1 }, JSON.stringify(said), secret);
    const kept = redactRecord({
      ...recordOf("PreToolUse", [{ policy, dialect: "wave", run }]),
      payload: { tool_input: { command: secret, password: SECRET } },
    });
    const text = JSON.stringify(kept);
    expect(text).toContain(REDACTED);
    expect(text).not.toContain(SECRET);
    expect(kept.redacted).toBe(true);
  });

  it("is the same record when there was nothing to take out", () => {
    const policy = { name: "guard", onFailure: "continue", mode: "enforce" } as const;
    const record = recordOf("Stop", [
      { policy, dialect: "wave", run: runOf({ exitCode: 2 }, "all well", "not yet") },
    ]);
    expect(redactRecord(record)).toEqual(record);
  });
});

/** Pieces that make a careless pattern look at the same text again and again. */
const PIECES = [
  ...[
    "a-",
    "token",
    "token-",
    '"token',
    '"token-',
    "eyJaaaaaaaa-",
    "eyJaaaaaaaa.",
    "auth: ",
    "auth   ",
    "://a:b",
    "://a:{",
  ],
  ...[
    "Bearer ",
    "-----BEGIN A",
    "sk-a",
    "secret=",
    "secret = ",
    "secret='",
    "'secret': '",
    "authorization:",
    "curl -u a",
    "://:",
    '"secret" : "',
    "\\n",
    "x_api-key",
    "sshpass -p",
    "docker login -",
    "docker login --password '",
    '"token":{',
    '"token":["',
    '"token":{"a":"\\',
    "-----BEGIN PRIVATE KEY-----\nA: ",
    "SG.aaaaaaaaaaaaaaaa.",
  ],
];

describe("redactText", () => {
  it.each(PIECES)("reads 100 KB of %j in bounded time", (piece) => {
    const text = piece.repeat(Math.ceil(102_400 / piece.length));
    const started = performance.now();
    redactText(text);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
