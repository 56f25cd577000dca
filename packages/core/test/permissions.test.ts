import { parseRule, readConfig } from "@belay/core";
import { describe, expect, it } from "vitest";

function read(permissions: unknown, more: object = {}) {
  return readConfig({ file: "s.json", layer: "project", text: JSON.stringify({ permissions }), ...more });
}

const source = { file: "s.json", layer: "user", line: 3, path: "permissions.deny[0]" } as const;

const RULES: [text: string, tool: string | undefined, pattern?: string][] = [
  ["Read", "Read"],
  ["*", "*"],
  [" Bash(git push *) ", "Bash", "git push *"],
  ["Bash(echo (a))", "Bash", "echo (a)"],
  ["Bash( ls )", "Bash", "ls"],
  ["mcp__github__get-issue", "mcp__github__get-issue"],
  ["Write(src/[ab]/{c,d})", "Write", "src/[ab]/{c,d}"],
  ["Write(src/\\[a)", "Write", "src/\\[a"],
  ["Bash(git:*)", "Bash", "git:*"],
  ["Bash(test [ -f x)", "Bash", "test [ -f x"],
  ["", undefined],
  ["Bash(", undefined],
  ["Bash(a) b", undefined],
  ["Bash()", undefined],
  ["*(a)", undefined],
  ["Ba*", undefined],
  ["Bash(a:* b)", undefined],
  ["Bash(a\nb)", undefined],
  ["Write(src/[a)", undefined],
  ["Write({a,b)", undefined],
];

describe("a rule", () => {
  it.each(RULES)("%j", (text, tool, pattern) => {
    const rule = tool && { text: text.trim(), tool, ...(pattern !== undefined && { pattern }), source };
    expect(parseRule(text, source)).toEqual(rule);
  });
});

const ASKS = "until it is corrected, every call asks";
const BASH_ASKS = "until it is corrected, every call of Bash asks";
const NOTHING = "it allows nothing";
const LONG = `Read(${"x".repeat(52)}😀`;

const BAD: [permissions: unknown, at: string, problem: string, effect: string, kept: object][] = [
  [
    { deny: ["Bash(rm *"] },
    '.deny[0]: "Bash(rm *"',
    "the closing parenthesis is missing",
    BASH_ASKS,
    { deny: ["Bash"] },
  ],
  [{ ask: ["(x)"] }, '.ask[0]: "(x)"', "expected Tool, Tool(pattern) or *", ASKS, { ask: ["*"] }],
  [{ deny: [7] }, ".deny[0]: 7", "expected a string", ASKS, { deny: ["*"] }],
  [{ deny: "Bash" }, '.deny: "Bash"', "expected a list of rules", BASH_ASKS, { deny: ["Bash"] }],
  [
    { allow: ["Bash()", "Read"] },
    '.allow[0]: "Bash()"',
    "the pattern is empty",
    NOTHING,
    { allow: ["Read"] },
  ],
  [{ allow: {} }, ".allow: {}", "expected a list of rules", NOTHING, {}],
  [{ allow: [`${LONG}😀`] }, `.allow[0]: "${LONG}…"`, "the closing parenthesis is missing", NOTHING, {}],
  [null, ": null", "expected an object with allow, deny and ask", ASKS, { ask: ["*"] }],
  [{ Deny: ["Read"] }, '.Deny: ["Read"]', 'there is no list "Deny"', ASKS, { ask: ["*"] }],
];

describe("permissions of a file", () => {
  it("are read with their places", () => {
    const text =
      '{ "permissions": {\n "allow": ["Read"],\n "deny": ["Bash(rm *)",\n "Write"], "defaultMode": "plan" } }';
    const { permissions, problems } = readConfig({ file: "s.json", layer: "project", text });
    expect(problems).toEqual([]);
    const at = (line: number, path: string) => ({
      file: "s.json",
      layer: "project",
      line,
      path: `permissions.${path}`,
    });
    expect(permissions).toEqual({
      allow: [{ text: "Read", tool: "Read", source: at(2, "allow[0]") }],
      deny: [
        { text: "Bash(rm *)", tool: "Bash", pattern: "rm *", source: at(3, "deny[0]") },
        { text: "Write", tool: "Write", source: at(4, "deny[1]") },
      ],
      ask: [],
      defaultMode: { mode: "plan", source: at(4, "defaultMode") },
    });
  });

  it.each(BAD)(
    "that are not in order still restrict, and allow nothing: %j",
    (given, at, problem, effect, kept) => {
      const { permissions, problems } = read(given);
      const message = `permissions${at} is no rule: ${problem}; ${effect}`;
      const bad = problems.filter(({ severity }) => severity === "error");
      expect(bad).toMatchObject([{ code: "permission-bad-rule", message, path: "s.json:1" }]);
      const tools = (rules: readonly { tool: string }[] = []) => rules.map(({ tool }) => tool);
      const { allow, deny, ask } = permissions ?? {};
      expect({ allow: tools(allow), deny: tools(deny), ask: tools(ask) }).toEqual({
        allow: [],
        deny: [],
        ask: [],
        ...kept,
      });
    },
  );

  const MISSPELT: [file: object, asks: string[]][] = [
    [{ permission: { deny: ["Bash(rm *)"] } }, ["permission"]],
    [{ Permissions: { ask: ["Read"], allow: ["Bash"] } }, ["Permissions"]],
    [{ permisions: ["Bash(rm *)"] }, ["permisions"]],
    [{ permission: { dney: [] }, permissions: { allow: ["Read"] } }, ["permission"]],
    [{ permission: { allow: ["Bash"], defaultMode: "plan" } }, []], // it would only loosen
    [{ permissionMode: "plan" }, []],
    [{ permit: { deny: ["Bash"] } }, []],
  ];
  it.each(MISSPELT)("under a name that is nearly theirs restrict all the same: %j", (given, asks) => {
    const { permissions, problems } = readConfig({
      file: "s.json",
      layer: "user",
      text: JSON.stringify(given),
    });
    const { ask = [], deny = [], allow = [] } = permissions ?? {};
    expect({ ask: ask.map(({ tool, source }) => [tool, source.path]), deny }).toEqual({
      ask: asks.map((key) => ["*", key]),
      deny: [],
    });
    expect(allow.length).toBe("permissions" in given ? 1 : 0);
    const errors = problems.filter(({ severity }) => severity === "error");
    expect(errors.map(({ code, message }) => [code, message])).toEqual(
      asks.map((key) => [
        "permission-bad-rule",
        expect.stringMatching(
          `there is no field "${key}" \\(did you mean permissions\\?\\); until it is corrected, every call asks`,
        ),
      ]),
    );
  });

  const ADVICE: [permissions: unknown, code: string, message: string, fix: string][] = [
    [
      { deny: ["Bsh(rm *)"] },
      "permission-unknown-tool",
      'permissions.deny[0]: no tool Bsh is known, and "Bsh(rm *)" is for it alone (did you mean Bash?)',
      'Write "Bash(rm *)".',
    ],
    [
      { allow: ["Frobnicate"] },
      "permission-unknown-tool",
      'permissions.allow[0]: no tool Frobnicate is known, and "Frobnicate" is for it alone',
      "Leave it if your agent has such a tool: names are taken as they stand.",
    ],
    [
      { allow: ["Bash(a && b)"] },
      "permission-several-commands",
      'permissions.allow[0]: "Bash(a && b)" names several commands, and a rule is held against one command at a time',
      "Write a rule for each command.",
    ],
    [
      { defaultMode: "bypas" },
      "config-bad-entry",
      'permissions.defaultMode: expected ("default" | "acceptEdits" | "plan" | "bypass"), got "bypas"; this entry is off',
      'Did you mean "bypass"?',
    ],
  ];
  it.each(ADVICE)("%j: %s", (given, code, message, fix) => {
    expect(read(given).problems).toMatchObject([{ code, message, fix }]);
  });

  it("belong to another system in its own files", () => {
    for (const more of [{ dialect: "claude-code" }, { pluginRoot: "/p" }]) {
      const { permissions, problems } = read({ deny: [7] }, more);
      expect([permissions, problems]).toEqual([undefined, []]);
    }
  });
});
