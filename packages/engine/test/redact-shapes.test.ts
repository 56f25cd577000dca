import { redactText } from "@belay/engine/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HINT, mayHoldSecret, redactValue } from "../src/journal/redact.ts";

/** The shapes in which secrets are printed and typed every day. */

const LONG = "abcdefghij0123456789ABCDEFGHIJ0123456789";

describe("a secret is replaced, and what stands around it stays", () => {
  const rows: [before: string, after: string][] = [
    ["curl -H X-Api-Key:abcdef123456 https://x", "curl -H X-Api-Key:[redacted] https://x"],
    ["x-api-key: abc1234", "x-api-key: [redacted]"],
    ["X-Api-Key:abcd", "X-Api-Key:[redacted]"],
    ["PASSWORD:hunter22", "PASSWORD:[redacted]"],
    ["password: hunter2", "password: [redacted]"],
    ['token: "abcdefghijkl"', 'token: "[redacted]"'],
    ["api_key: 'S3cretPw-longer-9'", "api_key: '[redacted]'"],
    ['{"file":"password: \\"S3cret Pw\\"\\n"}', '{"file":"password: \\"[redacted]\\"\\n"}'],
    ["passphrase: correct horse battery\nnext", "passphrase: [redacted]\nnext"],
    ["Cookie: session=abcdef1234567890; b=c", "Cookie: [redacted]"],
    ["Set-Cookie: sid=abc; Path=/\nHost: x", "Set-Cookie: [redacted]\nHost: x"],
    ["postgres://u:pa/ss@h/db", "postgres://u:[redacted]@h/db"],
    ["postgres://u:p@ss@h/db", "postgres://u:[redacted]@h/db"],
    ["postgres://u:12?x@ss@h/db", "postgres://u:[redacted]@h/db"],
    ["a://u:p@h, b://u:q/r@h:1/ c://h:80/d", "a://u:[redacted]@h, b://u:[redacted]@h:1/ c://h:80/d"],
    ["x://u:://v:pw@h/", "x://u:[redacted]@h/"],
    [`x://u:${"p".repeat(300)}@${"q".repeat(200)}!@h/`, "x://u:[redacted]@h/"],
    ['{"dsn":"pg:\\/\\/u:pw@h\\/db"}', '{"dsn":"pg:\\/\\/u:[redacted]@h\\/db"}'],
    ['{"environ":"A=b\\u0000PASS=ab"}', '{"environ":"A=b\\u0000PASS=[redacted]"}'],
    ["API_KEY_PRODUCTION: abcdef", "API_KEY_PRODUCTION: [redacted]"],
    ["https://u:pw@h/path?mail=a@b.test", "https://u:[redacted]@h/path?mail=a@b.test"],
    ["encryption_key: abcdef", "encryption_key: [redacted]"],
    ["signing_key=abcdef", "signing_key=[redacted]"],
    ["SECRET_KEY_BASE=abcdef", "SECRET_KEY_BASE=[redacted]"],
    ["API_KEY_PROD=abcdef", "API_KEY_PROD=[redacted]"],
    ["MY_TOKEN_1=abcdef", "MY_TOKEN_1=[redacted]"],
    ["AccountName=n;AccountKey=ab+cd==;x", "AccountName=n;AccountKey=[redacted];x"],
    ["Uid=me;Pwd=S3cretPw!;", "Uid=me;Pwd=[redacted];"],
    ["//registry.test/:_auth=abcdef==", "//registry.test/:_auth=[redacted]"],
    ["PGPASSWORD=ab psql", "PGPASSWORD=[redacted] psql"],
    ["tool --password x --host h", "tool --password [redacted] --host h"],
    ['{"args":["--password","a b","-v"]}', '{"args":["--password","[redacted]","-v"]}'],
    ['["--token", "a\\"b" ]', '["--token", "[redacted]" ]'],
    ['{"x":"[\\"--token\\", \\"a b\\"]"}', '{"x":"[\\"--token\\", \\"[redacted]\\"]"}'],
    ["tool --db-password x", "tool --db-password [redacted]"],
    ["mysql -u me -phunter22 db", "mysql -u me -p[redacted] db"],
    ["mysqldump -p'hunter 22' db", "mysqldump -p'[redacted]' db"],
    ["sshpass -p 'hunter 22' ssh -p 2222 h", "sshpass -p '[redacted]' ssh -p 2222 h"],
    [
      "mysql -pab; mysql -h h -pcd | docker login -p ef",
      "mysql -p[redacted]; mysql -h h -p[redacted] | docker login -p [redacted]",
    ],
    ["curl -u a:b x; run -u 1000:1000", "curl -u a:[redacted] x; run -u 1000:1000"],
    ["curl -u a:b x; curl --user c:d y", "curl -u a:[redacted] x; curl --user c:[redacted] y"],
    ["curl -uuser:pass https://x", "curl -uuser:[redacted] https://x"],
    ["curl -sSu user:pass https://x", "curl -sSu user:[redacted] https://x"],
    ["machine h login u password hunter22", "machine h login u password [redacted]"],
    ["machine h\n  login u\n  password hunter22\n", "machine h\n  login u\n  password [redacted]\n"],
    ['password := "hunter22"', 'password := "[redacted]"'],
    ["'password' => 'hunter22'", "'password' => '[redacted]'"],
    [":password => 'hunter22'", ":password => '[redacted]'"],
    ['"password" : "a\\"b"', '"password" : "[redacted]"'],
    ["<password>hunter22</password>", "<password>[redacted]</password>"],
    ["<db:password>hunter 22</db:password>", "<db:password>[redacted]</db:password>"],
    [
      '{"pass":"hunter22","pwd":"hunter22","cookie":"a=b"}',
      '{"pass":"[redacted]","pwd":"[redacted]","cookie":"[redacted]"}',
    ],
    ['{"password": 12345678}', '{"password": 0}'],
    ...["GOCSPX-", "hvs.", "AGE-SECRET-KEY-1", "shpat_", "pypi-", "lin_api_", "glsa_"].map(
      (beginning): [string, string] => [`x ${beginning}${LONG.toUpperCase()} y`, "x [redacted] y"],
    ),
    [`x dop_v1_${"0a".repeat(32)} y`, "x [redacted] y"],
    [`DB_PASSWORD="x9[q7Zt'&] r"`, 'DB_PASSWORD="[redacted]"'],
    [`DB_PASSWORD="x9{q7Zt}r" run`, 'DB_PASSWORD="[redacted]{[redacted]}[redacted]" run'],
    ["unknown field `password=q7Zt` was ignored", "unknown field `password=[redacted]` was ignored"],
    ["PASSWORD=$'q7Zt 9X'", "PASSWORD=$'[redacted]'"],
    ['{"file":"PASSWORD=\\"x9[q7Zt\\" run"}', '{"file":"PASSWORD=\\"[redacted]\\" run"}'],
    ['"password": q7Zt9XwPm', '"password": [redacted]'],
    ["{'token': q7Zt9XwPm}", "{'token': [redacted]}"],
    ['os.environ["DB_PASSWORD"] = "q7Zt"', 'os.environ["DB_PASSWORD"] = "[redacted]"'],
    ["define('DB_PASSWORD', 'q7Zt 9X');", "define('DB_PASSWORD', '[redacted]');"],
    ['os.setenv("DB_TOKEN", "q7Zt")', 'os.setenv("DB_TOKEN", "[redacted]")'],
    [
      "- name: DB_PASSWORD\n              value: q7Zt\n",
      "- name: DB_PASSWORD\n              value: [redacted]\n",
    ],
    ['- name: DB_PASSWORD\n  value: "q7 Zt"\n', '- name: DB_PASSWORD\n  value: "[redacted]"\n'],
    ['{"name":"DB_PASSWORD","value":"q7Zt"}', '{"name":"DB_PASSWORD","value":"[redacted]"}'],
    ["ENV DB_PASSWORD q7Zt", "ENV DB_PASSWORD [redacted]"],
    ["aws configure set aws_secret_access_key q7Zt", "aws configure set aws_secret_access_key [redacted]"],
    ['{"auths":{"r.test":{"auth": "dXNlcjpwYXNz"}}}', '{"auths":{"r.test":{"auth": "[redacted]"}}}'],
    ['{"SecretString":"q7Zt"}', '{"SecretString":"[redacted]"}'],
    ...["OPENAI_KEY", "STRIPE_KEY", "PASSWORD_ADMIN", "TOKEN_GITHUB", "NPM_AUTH"].map(
      (name): [string, string] => [`${name}=q7Zt`, `${name}=[redacted]`],
    ),
    ["client-key-data: LS0tLS1CRUdJTg==", "client-key-data: [redacted]"],
    [`https://${LONG}@github.com/you/x`, "https://[redacted]@github.com/you/x"],
    ["https://hooks.slack.com/services/T01/B02/q7Zt9XwPm3", "https://hooks.slack.com/services/[redacted]"],
    ...["gsk_", "dckr_pat_", "xapp-1-", "ATATT3", "xoxe.xoxp-1-", "glrt-", "nvapi-", "figd_"].map(
      (beginning): [string, string] => [`x ${beginning}${LONG} y`, "x [redacted] y"],
    ),
    ...["sbp_", "dapi"].map((beginning): [string, string] => [
      `x ${beginning}${"0a".repeat(16)} y`,
      "x [redacted] y",
    ]),
    ...[
      "sk-proj-Ab3_dEfg-hIjkLmno_pQr",
      "sk-ant-api03-abcdefgh-ijkl_mnop",
      "sk-or-v1-0123456789abcdef0123456789abcdef",
      "sk-svcacct-Ab3_dEfg-hIjkLmno_pQr",
      "sk-0123456789abcdef0123456789abcdef",
      "sk-lf-01234567-89ab-cdef-0123-456789abcdef",
      "sk_live_abcdefghijklmnopqrstuvwx",
      "rk_test_51AbCdEfGhIjKlMnOpQrStUv",
      "pk_live_51AbCdEfGhIjKlMnOpQrStUv",
    ].map((key): [string, string] => [`x ${key} y`, "x [redacted] y"]),
    ["x whsec_abcdefghij/0123456789+A= y", "x whsec_[redacted] y"],
  ];
  it.each(rows)("%s", (before, after) => {
    expect(redactText(before)).toBe(after);
    expect(redactText(after)).toBe(after);
  });
});

describe("what only looks like one stays", () => {
  const rows = [
    "password: string; token: number, secret?: boolean",
    "Token::new(secret::Kind)",
    "PWD=/home/you OLDPWD=/tmp; cd $PWD",
    '{"pwd":"/home/you","cookies":"none","compass":"north"}',
    "PWD=$(pwd)",
    "https://example.test:8080/a@b",
    "https://[::1]:8080/a@b",
    "Tests: 12 pass: 12",
    "Map<string, Token> make<T>",
    "mysql -p db",
    "mysql db; tool -pabc",
    `mysql ${"x".repeat(300)} -pabc`,
    "mysql -h host -P 3306",
    "the cookie was eaten; a pass was given",
    "token_count=12345 password_file=/run/x token_type: bearer",
    '{"token": 12, "credentials":{"count":2}, "max_tokens": 4096000}',
    "ALTER TABLE x ADD CONSTRAINT pk_order_line_items_id PRIMARY KEY (id)",
    "pk_test_results_of_orders_id rk_order_line_items_2024",
    "/home/you/sk-learn-experiments-2024/notebooks",
    '{"dependencies":{"jsonwebtoken":"^9.0.0","cookie":"~0.7.2","csrf-token": "1.0.0"}}',
    "dependencies:\n  cookie: ^0.7.2\n  jsonwebtoken: 9.0.2\n",
    '{"packages":{"node_modules/cookie":{"version":"0.7.2","license":"MIT"}}}',
    '{"token": token, "password": null, "secret": 12, "cookie": true}',
    '{"name":"token","value":true} {"name": "DB_HOST", "value": "db1.test"}',
    "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db\n",
    'os.environ["DB_HOST"] = "db1.test"; t("password", "Your password")',
    "ENV NODE_ENV production\nCACHE_KEY=v1 PRIMARY_KEY=id basic_auth=true",
    '{"auth":"authenticated","author":"you"} git config set user.name you',
    "dapi-client xapp-short gsk_short figd_short",
    "set `password=` and `token=` first",
    "AGE-SECRET-KEY-SHORT dop_v1_short hvs.short whsec_short",
  ];
  it.each(rows)("%s", (text) => {
    expect(redactText(text)).toBe(text);
  });
});

it("in a payload: strings under a secret's name go whole, numbers become 0, keys stay", () => {
  const payload = {
    tool_input: {
      pass: "a b",
      pwd: "hunter22",
      cookie: "a=b",
      password: 12345678,
      pin_token_2: "x",
      retries: 12345678,
    },
    cwd: "/home/you",
    env: { pwd: "/home/you" },
  };
  expect(redactValue(payload)).toEqual({
    tool_input: {
      pass: "[redacted]",
      pwd: "[redacted]",
      cookie: "[redacted]",
      password: 0,
      pin_token_2: "[redacted]",
      retries: 12345678,
    },
    cwd: "/home/you",
    env: { pwd: "/home/you" },
  });
});

it("in a list of arguments: the one behind a secret's option goes whole", () => {
  const hide = (args: unknown) => redactValue({ args });
  const rows: [args: unknown[], hidden: unknown[]][] = [
    [
      ["mysql", "--password", "a b", "--host", "h"],
      ["mysql", "--password", "[redacted]", "--host", "h"],
    ],
    [
      ["--db-password", "x", "y"],
      ["--db-password", "[redacted]", "y"],
    ],
    [
      ["-token", "x"],
      ["-token", "[redacted]"],
    ],
    [
      ["--password", "--host", "h"],
      ["--password", "--host", "h"],
    ],
    [
      ["--password-file", "/run/x"],
      ["--password-file", "/run/x"],
    ],
    [
      ["password", "rules"],
      ["password", "rules"],
    ],
    [
      ["--password", ["x"], { a: "x" }],
      ["--password", ["x"], { a: "x" }],
    ],
    [
      ["--password", ""],
      ["--password", ""],
    ],
  ];
  for (const [args, hidden] of rows) expect(hide(args)).toEqual({ args: hidden });
});

it("what is looked for first stands in everything that can begin a secret", () => {
  // What stands before a word is nothing that could be made from the pattern.
  const source = HINT.source.replaceAll(/\(\?<=\(\?:.*?\)(?:pass|_auth)\)/g, "");
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(`^(?:${source})$`)), fc.boolean(), (text, isLoud) => {
      const said = isLoud ? text.toUpperCase() : text;
      fc.pre(HINT.test(said));
      expect(mayHoldSecret(said)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

it("what is found in a text is suspected in its JSON, however that writes what stands before it", () => {
  const words = [
    "pass=",
    "PASS: ",
    "_auth=",
    "token=",
    "curl -u a:",
    "mysql -p",
    "Bearer ",
    "a://u:",
    "a:\\/\\/u:",
  ];
  const befores = ["", "\0", "\u0001", "\u001b", "\n", "\u2028", "\ud800", "é", '"', "\\"];
  for (const text of befores.flatMap((before) => words.map((word) => `${before}${word}hunter22@h `))) {
    const isFound = redactText(text) !== text;
    const isSuspected = mayHoldSecret(JSON.stringify({ text }));
    expect({ text, isFound, isSuspected }).toEqual({ text, isFound: true, isSuspected: true });
  }
});
