import { type EventRecord, replay } from "@belay/core";
import { redactText } from "@belay/engine/internal";
import { describe, expect, it } from "vitest";
import { growthOf, LINEAR } from "../../core/test/growth.ts";
import { open, records } from "./journals.ts";

describe("secrets", () => {
  const hidden: [text: string, secret: string][] = [
    ["export GITHUB_TOKEN=abcd1234efgh", "abcd1234efgh"],
    ["DB_PASS=hunter2222", "hunter2222"],
    ["mysql --password hunter2222 db", "hunter2222"],
    ["curl --api-key=abcdef123456", "abcdef123456"],
    ["Authorization: Bearer abcdef.123456", "abcdef.123456"],
    ["authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"],
    ["postgres://user:s3cretpw@db.test/x", "s3cretpw"],
    ["password: correct-horse", "correct-horse"],
    ['{"password":"a b"}', "a b"],
    ['{"password":"a{b}\\"c"}', "b}"],
    ['{"apiKey": "x\\nzz9"}', "zz9"],
    ['echo "{\\"token\\": \\"abcdefgh\\"}"', "abcdefgh"],
    ['DB_PASSWORD="correct horse"', "horse"],
    ["PASSWORD='correct horse' run", "horse"],
    ["export API_KEY = 'a,b;c'", "b;c"],
    ['{"command":"DB_PASSWORD=\\"correct horse\\" run"}', "horse"],
    ["{'password': 'correct horse'}", "horse"],
    ["{'password': 'x1y'}", "x1y"],
    ["{'api_key': \"x1y z\"}", "x1y"],
    ["Authorization: ApiKey abcdef 123456", "abcdef"],
    ["curl -H 'authorization:ApiKey abcdef' example.test", "abcdef"],
    ['{"header":"Authorization: Digest username=me, response=0a4f"}', "0a4f"],
    ["curl -u me:s3cretpw example.test", "s3cretpw"],
    ["curl -sS --user 'me:s3cretpw' example.test", "s3cretpw"],
    ['{"command":"curl -X POST -u \\"me:s3cretpw\\" example.test"}', "s3cretpw"],
    ["postgres://:s3cretpw@db.test", "s3cretpw"],
    ["redis://me:s3:cret@db.test", "s3:cret"],
    ["key sk-abcdefghijklmnopqrstuv.", "sk-abcdefghijklmnopqrstuv"],
    ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "abcdefghijklmnopqrstuvwxyz"],
    ["AKIAIOSFODNN7EXAMPLE.", "AKIAIOSFODNN7EXAMPLE"],
    ["xoxb-1234567890-abcdef", "1234567890-abcdef"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefgh", "eyJzdWIiOiIxMjM0In0"],
    ["-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc=\n-----END RSA PRIVATE KEY-----", "MIIEow"],
    ['{"k":"-----BEGIN PRIVATE KEY-----\\nMIIEow\\n"}', "MIIEow"],
    ["-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBF\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----", "lQOYBF"],
    ["-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2.0 (GNU/Linux)\n\nlQOYBF\n", "lQOYBF"],
    ['{"k":"-----BEGIN PGP PRIVATE KEY BLOCK-----\\nComment: a, b.\\n\\nlQOYBF"}', "lQOYBF"],
    ["-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\nMIIEow", "MIIEow"],
    ["sshpass -p s3cretpw ssh me@host.test", "s3cretpw"],
    ["sshpass -ps3cretpw ssh me@host.test", "s3cretpw"],
    ["sshpass -v -p 'correct horse' ssh me@host.test", "horse"],
    ['{"command":"cd x\\nsshpass -p \\"correct horse\\" ssh me@host.test"}', "horse"],
    ["docker login -u me -p s3cretpw registry.test", "s3cretpw"],
    ["docker login -p=s3c", "s3c"],
    ["podman login --username me -p 'correct horse'", "horse"],
    ["docker login --password s3cretpw", "s3cretpw"],
    ["docker login --password 'correct horse' registry.test", "horse"],
    ['{"command":"docker login --password \\"correct horse\\""}', "horse"],
    ["hf_abcdefghijklmnopqrstuvwxyzABCDEFGH", "abcdefghijklmnop"],
    ["SG.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG", "abcdefghijklmnop"],
    ["token ya29.a0AfH6SMabcdefghijklmnopqrstuv-_x", "a0AfH6SM"],
    ['{"credentials":{"value":"x1y z"}}', "x1y"],
    ['{"credentials" : [ { "a": ["x1y z"] } ]}', "x1y"],
    ['{"apiToken":{"kind":"k","deep":{"value":"a\\"x1y"}},"n":1}', "x1y"],
    ['config: {"secret":{"value":"x1y z"}, broken', "x1y"],
  ];
  it.each(hidden)("%s", (text, secret) => {
    expect(redactText(text)).not.toContain(secret);
    expect(redactText(text)).toContain("[redacted]");
  });

  const left = [
    "author: Jane Somebody",
    "max_tokens=4096000",
    "the token was refused",
    "git commit -m 'password rules'",
    "PWD=/home/you/project",
    "https://example.test:8080/a@b",
    "docker run -u 1000:1000 image",
    "authorization is needed",
    '{"token=":"v","password=" : "v","secret=\'":1}',
    '["token=", "password=" ,"secret=" ]',
    '{"authorization:":"v"}',
    "docker login registry.test && mkdir -p build",
    "docker run -p 8080:80 image",
    '["--password","--host"]',
    '{"a":"--password","decision":"block"}',
    '["sshpass -p", "docker login -p" ,"docker login --password " ]',
    "msg.text and hf_short and SG.short",
    '{"credentials":{"count":1,"list":[true,null]},"user":{"value":"v"}}',
    '{"max_tokens":{"value":"v"},"credentials":"","note":"v"}',
  ];
  it.each(left)("not one: %s", (text) => {
    expect(redactText(text)).toBe(text);
  });

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

  const hostile: [name: string, text: string][] = [
    ["a-", "a-".repeat(51_200)],
    ["token", "token".repeat(20_480)],
    ["-eyJ", "-eyJ".repeat(25_600)],
    ["token and spaces", "token ".repeat(17_000)],
    ["spaces", `token${" ".repeat(102_000)}`],
    ["quotes", '"token": "'.repeat(10_240)],
    ["backslashes", `"token":"${"\\".repeat(102_000)}`],
    ["key begins", "-----BEGIN PRIVATE KEY-----".repeat(3800)],
    ["urls", "://a:".repeat(20_480)],
    ["urls without a name", "://:".repeat(25_600)],
    ["one url", `://a${":".repeat(102_000)}`],
    ["curl", "curl -u ".repeat(12_800)],
    ["curl and spaces", `curl -u${" ".repeat(102_000)}`],
    ["headers", "authorization: ".repeat(6800)],
    ["a header and spaces", `authorization:${" ".repeat(102_000)}`],
    ["single quotes", "'token': '".repeat(10_240)],
    ["open quotes", `token="${" ".repeat(102_000)}`],
    ["dots", "eyJaaaaaaaa.".repeat(8500)],
    ["objects below a name", '"token":{'.repeat(11_000)],
    ["lists below a name", '"token":["a",'.repeat(8000)],
    ["strings below a name", `"token":{${'"\\"'.repeat(34_000)}`],
    ["spaces below a name", `"token":{"a"${" ".repeat(102_000)}`],
    ["a string below a name", `"token":{"a":"${"\\n".repeat(51_000)}`],
    ["a password and spaces", `docker login -p${" ".repeat(102_000)}`],
    ["passwords", "sshpass -p ".repeat(9300)],
    ["docker", "docker  login ".repeat(7300)],
    ["a key's headers", `-----BEGIN PRIVATE KEY-----${"\nA-b: ".repeat(17_000)}`],
  ];
  it.each(hostile)("hostile text takes no longer than its length: %s", (_name, text) => {
    expect(growthOf(text, redactText)).toBeLessThan(LINEAR);
  });
});
