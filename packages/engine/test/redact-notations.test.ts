import { redactText } from "@belay/engine/internal";
import { describe, expect, it } from "vitest";

/** The notations in which files of settings, code and commands give a name its value. */

describe("a secret is replaced, and what stands around it stays", () => {
  const rows: [before: string, after: string][] = [
    [
      "DB_PASSWORD=vK8,mR2&xQ9;tL4\nSMTP_PASSWORD=q7{Zt9[XwPm\n",
      "DB_PASSWORD=[redacted]\nSMTP_PASSWORD=[redacted]{[redacted]\n",
    ],
    ['{"file":"A=1\\nDB_PASSWORD=v,m&x;t\\nB=2"}', '{"file":"A=1\\nDB_PASSWORD=[redacted]\\nB=2"}'],
    ["  password: v,m;R2\n  user: me", "  password: [redacted]\n  user: me"],
    ["password: p@s;word1 # not this", "password: [redacted] # not this"],
    ["tool --password vK8,m[R2 --host h", "tool --password [redacted] --host h"],
    ["docker run -e DB_PASSWORD=v,m image", "docker run -e DB_PASSWORD=[redacted] image"],
    ["TOKEN=abc; ls & cat", "TOKEN=[redacted]; ls & cat"],
    ["{token=abc,user=me} f(token=abcd,user=me)", "{token=[redacted],user=me} f(token=[redacted],user=me)"],
    ["https://h.test/?token=abc&user=me", "https://h.test/?token=[redacted]&user=me"],
    ["{user: me, password: abcd,host: h}", "{user: me, password: [redacted],host: h}"],
    ["TOKEN=$(echo q7Zt) PASSWORD=${PW:-q7Zt}", "TOKEN=[redacted] PASSWORD=[redacted]{[redacted]}"],
    ['const apiToken: string = "q7Zt 9X";', 'const apiToken: string = "[redacted]";'],
    ["private password?: string | null = 'q7Zt'", "private password?: string | null = '[redacted]'"],
    ['password: str = "q7Zt"', 'password: str = "[redacted]"'],
    ['const TOKEN: &\'static str = "q7Zt";', 'const TOKEN: &\'static str = "[redacted]";'],
    ['var password string = "q7Zt"', 'var password string = "[redacted]"'],
    ['{"file":"let token: String = \\"q7Zt\\";"}', '{"file":"let token: String = \\"[redacted]\\";"}'],
    ["SSHPASS=q7Zt sshpass -e ssh h", "SSHPASS=[redacted] sshpass -e ssh h"],
    ["dbpass: q7Zt9X", "dbpass: [redacted]"],
    ...['b"', "r'", 'f"', '@"', '$@"', '("', '"""', "'''"].flatMap((open): [string, string][] =>
      ["SECRET_KEY = ", "password: "].map((name) => [
        `${name}${open}q7Zt 9${open.slice(-1)}`,
        `${name}${open}[redacted]${open.slice(-1)}`,
      ]),
    ),
    ["{'password': b'q7Zt'} {'token': b\"q7Zt\"}", "{'password': b'[redacted]'} {'token': b\"[redacted]\"}"],
    ['{"file":"token = \\"\\"\\"q7\\"\\"\\""}', '{"file":"token = \\"\\"\\"[redacted]\\"\\"\\""}'],
    ["PASS=q7Zt DB_PASS=12 PASSWORD=123", "PASS=[redacted] DB_PASS=[redacted] PASSWORD=[redacted]"],
    ["pass: q7Zt9X\nPASS: testing9", "pass: [redacted]\nPASS: [redacted]"],
    ["Bearer abcdefghi.jklmnop", "Bearer [redacted]"],
    ["Basic dXNlcjpwYXNz, basic my-secret-word", "Basic [redacted], basic [redacted]"],
    [`bearer ${"abcdefgh".repeat(4)}`, "bearer [redacted]"],
    ["token==q7Zt9X token === q7Zt9X", "token==[redacted] token === [redacted]"],
    ["export TOKEN=q7Zt;rm -rf /srv", "export TOKEN=[redacted];rm -rf /srv"],
    ["TOKEN=q7Zt&&curl https://x/y", "TOKEN=[redacted]&&curl https://x/y"],
    ["oauth_token=q7Zt9X&state=x1&confirmed=true", "oauth_token=[redacted]&state=x1&confirmed=true"],
    [
      "https://a/cb#access_token=q7Zt9X&state=x1&scope=all",
      "https://a/cb#access_token=[redacted]&state=x1&scope=all",
    ],
    ["DB_PASSWORD=,q7&Zt\nDB_HOST=h", "DB_PASSWORD=[redacted]\nDB_HOST=h"],
    ["smtp:\n  pass: test_q7Zt9X", "smtp:\n  pass: [redacted]"],
    ["TOKEN=$q7Zt PASSWORD=$A$q7Zt", "TOKEN=[redacted] PASSWORD=[redacted]"],
    ["TOKEN=${T}q7Zt", "TOKEN=[redacted]{[redacted]}[redacted]"],
    ["PASSWORD='$UPERMAN'", "PASSWORD='[redacted]'"],
    ['TOKEN="${T:-q7 Zt}" PASSWORD="$(echo q7Zt)"', 'TOKEN="[redacted]{[redacted]}" PASSWORD="[redacted]"'],
    ["TOKEN=$(cat <<< q7Zt) PASSWORD=$(cat x | sed s/a/q7Zt/)", "TOKEN=[redacted] PASSWORD=[redacted]"],
    ["Authorization: Bearer ${T:-q7Zt}", "Authorization: [redacted]{[redacted]}"],
    ["Authorization: Bearer $T q7Zt", "Authorization: [redacted]"],
    ["Cookie: none; sid=q7Zt", "Cookie: [redacted]"],
    [
      "TOKEN ?= q7Zt\nSECRET += q7Zt\nPASSWORD?=q7Zt",
      "TOKEN ?= [redacted]\nSECRET += [redacted]\nPASSWORD?=[redacted]",
    ],
    ...[
      "process.env.TOKEN || '",
      'env.TOKEN ?? "',
      "os.getenv('TOKEN', '",
      'environ.get("TOKEN", "',
      ".header('X-Api-Key', '",
    ].map((open): [string, string] => [
      `${open}q7 Zt${open.slice(-1)}`,
      `${open}[redacted]${open.slice(-1)}`,
    ]),
    ['<add key="password" value="q7 Zt"/>', '<add key="password" value="[redacted]"/>'],
    [
      "<property name='db.password'\n  value='q7Zt'/>",
      "<property name='db.password'\n  value='[redacted]'/>",
    ],
    ['<Password type="text">q7 Zt</Password>', '<Password type="text">[redacted]</Password>'],
    [
      '{"file":"<a key=\\"token\\" value=\\"q7\\"/>"}',
      '{"file":"<a key=\\"token\\" value=\\"[redacted]\\"/>"}',
    ],
    ["CREATE ROLE a WITH PASSWORD 'q7 Zt';", "CREATE ROLE a WITH PASSWORD '[redacted]';"],
    ["ALTER USER a PASSWORD 'q7Zt'", "ALTER USER a PASSWORD '[redacted]'"],
    ["CREATE USER a IDENTIFIED BY 'q7 Zt';", "CREATE USER a IDENTIFIED BY '[redacted]';"],
    ['{"Key":"TOKEN","Value":"q7Zt"}', '{"Key":"TOKEN","Value":"[redacted]"}'],
    ["setx DB_PASSWORD q7Zt", "setx DB_PASSWORD [redacted]"],
  ];
  it.each(rows)("%s", (before, after) => {
    expect(redactText(before)).toBe(after);
    expect(redactText(after)).toBe(after);
  });
});

describe("what only looks like one stays", () => {
  const rows = [
    'function f(password: string, token = "") { return "a"; }',
    'interface A { token: string } const b = "c"',
    "bash: sshpass: command not found; bypass=yes",
    `token = "" password = '' secret = ("")`,
    "--- PASS: TestLogin (0.00s)\n    --- PASS: TestLogin/again (0.00s)\nPASS\n",
    "PASS: test_login PASS=12 pass=true",
    "use basic formatting rules. Basic Authentication, the bearer certificate.",
    'curl -H "Authorization: Bearer $GITHUB_TOKEN" -H "Authorization: token ${GH}" https://x.test',
    'docker run -e DB_PASSWORD=$DB_PASSWORD -e TOKEN=${TOKEN} image --password "$PW"',
    'TOKEN=$(gh auth token) PASSWORD="$(cat /run/secrets/pw)" npm publish',
    '{"file":"password: $PW\\nTOKEN=$1\\n"}',
    "if(token==null) return; if (token === undefined && secret == true)",
    "if (password === confirmPassword) {} if token == expected: data.password === data.confirm",
    'token += nextchar; cookie += "; HttpOnly"',
    "token=&user=bob",
    "Password=;User Id=sa;Server=x",
    "secret=,name=bob",
    "token: ${{secrets.GITHUB_TOKEN}}\npassword: ${var.db_password}\n",
    'fetch(u,{credentials:"same-origin"}) {"pad_token":"[PAD]","eos_token":"<|endoftext|>"}',
    '{"auth":"Unauthorized"} Unexpected token: identifier\nCookie: none\n',
    'os.getenv("TOKEN") || fallback; <input name="password" value=""/>',
    "the password 'rules' were set, identified by nobody",
    '<a-token id="x" class="y"/> {"key":"host","value":"h.test"}',
  ];
  it.each(rows)("%s", (text) => {
    expect(redactText(text)).toBe(text);
  });
});
