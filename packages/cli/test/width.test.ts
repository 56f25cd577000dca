import { describe, expect, it, test } from "vitest";
import { commandLines, fit, hang, shorten, width, wrap } from "../src/render/text.ts";
import { scratch } from "./cli.ts";

const BOLD = "\u001b[1m";
const PLAIN = "\u001b[22m";

describe("width: columns on a terminal", () => {
  const rows: [text: string, columns: number][] = [
    ["", 0],
    ["plain", 5],
    [`${BOLD}bold${PLAIN}`, 4],
    ["äöü é", 5],
    ["e\u0301", 1],
    ["│ ─ ┼ … › ✓ ✗ →", 15],
    ["日本語", 6],
    ["한글", 4],
    ["ｆｕｌｌ", 8],
    ["🙂", 2],
    ["👍🏽", 2],
    ["🇪🇺", 2],
    ["✅ done", 7],
    ["⚠️ ✔️", 5],
    ["a\u0000b", 2],
  ];
  for (const [text, columns] of rows) {
    it(JSON.stringify(text), () => expect(width(text)).toBe(columns));
  }
});

describe("wrap", () => {
  const rows: [name: string, line: string, columns: number, lines: string[]][] = [
    ["short enough", "one two", 8, ["one two"]],
    ["at a space", "one two three", 8, ["one two", "three"]],
    ["at the last space that fits", "a b c d e", 5, ["a b c", "d e"]],
    ["several spaces", "one   two", 5, ["one", "two"]],
    ["more spaces than it could ever hold", `a${" ".repeat(1_000_000)}b`, 5, ["a", "b"]],
    ["the indent stays", "  one two three", 9, ["  one two", "  three"]],
    ["an indent leaves room for words", "          one two", 6, ["   one", "   two"]],
    ["a word too long", "see abcdefghijkl now", 5, ["see", "abcde", "fghij", "kl", "now"]],
    ["only spaces", " ".repeat(9), 4, [""]],
    ["no half of a wide character", "日本語日本語", 5, ["日本", "語日", "本語"]],
    ["an emoji of two code units", "🙂🙂🙂", 4, ["🙂🙂", "🙂"]],
    ["a sign and what makes it an emoji", "⚠️⚠️⚠️", 5, ["⚠️⚠️", "⚠️"]],
    ["an emoji and its colour", "👍🏽👍🏽👍🏽", 4, ["👍🏽👍🏽", "👍🏽"]],
    ["a letter and its accent", "e\u0301e\u0301e\u0301", 2, ["e\u0301e\u0301", "e\u0301"]],
    ["a family", "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 5, ["👨‍👩‍👧👨‍👩‍👧", "👨‍👩‍👧"]],
    ["signs that are joined, but not shown as one", "⚠\u200d⚠\u200d⚠", 2, ["⚠\u200d", "⚠\u200d", "⚠"]],
    ["a character that is none", "⚠️\u{3fffd}⚠️\ufdd0⚠️", 4, ["⚠️\u{3fffd}", "⚠️\ufdd0", "⚠️"]],
    [
      "a colour goes on",
      `${BOLD}one two${PLAIN} three`,
      5,
      [`${BOLD}one${PLAIN}`, `${BOLD}two${PLAIN}`, "three"],
    ],
    [
      "a colour inside a broken word",
      `${BOLD}abcdef${PLAIN}`,
      4,
      [`${BOLD}abcd${PLAIN}`, `${BOLD}ef${PLAIN}`],
    ],
  ];
  for (const [name, line, columns, lines] of rows) {
    it(name, () => {
      const broken = wrap(line, columns);
      expect(broken).toEqual(lines);
      for (const text of broken) expect(width(text)).toBeLessThanOrEqual(columns);
    });
  }
});

describe("shorten", () => {
  const rows: [text: string, columns: number, cut: string][] = [
    ["⚠️⚠️⚠️", 5, "⚠️⚠️…"],
    ["✔️ fine, ✔️ fine", 12, "✔️ fine, ✔️…"],
    ["👍🏽👍🏽👍🏽", 5, "👍🏽👍🏽…"],
    ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
    ["日本語", 4, "日…"],
    ["⚠️⚠️", 0, ""],
  ];
  it.each(rows)("%j to %i columns", (text, columns, cut) => {
    expect([shorten(text, columns), width(cut) <= columns]).toEqual([cut, true]);
  });
});

it("a very long word of emoji is broken as fast as any", { timeout: 5000 }, () => {
  const lines = wrap("⚠️".repeat(50_000), 80);
  expect([lines.length, width(shorten("⚠️".repeat(50_000), 80))]).toEqual([1250, 79]);
});

describe("a command to copy", () => {
  const rows: [name: string, command: string, columns: number, lines: string[]][] = [
    ["short enough", "belay run Stop", 20, ["  belay run Stop"]],
    ["between words", "belay run Stop --json -v", 19, ["  belay run Stop \\", "    --json -v"]],
    [
      "never inside quotes",
      `belay run --tool-input '{"a":"b c"}' --prompt "d e"`,
      26,
      ["  belay run --tool-input \\", `    '{"a":"b c"}' \\`, '    --prompt "d e"'],
    ],
    [
      "a word too long stays whole",
      "belay abcdefghijklmnop x",
      12,
      ["  belay \\", "    abcdefghijklmnop \\", "    x"],
    ],
    ["an escaped quote", "--set x='it'\\''s a' b", 18, ["  --set \\", "    x='it'\\''s a' \\", "    b"]],
  ];
  for (const [name, command, columns, lines] of rows) {
    it(name, () => {
      expect(commandLines(command, columns)).toEqual(lines);
      const typed = lines.map((line) => line.trim().replace(/ \\$/, "")).join(" ");
      expect(typed).toBe(command);
    });
  }
});

describe("40 columns", () => {
  const COMMANDS = ["run", "why", "check", "schema", "init", "trust", "chat", "demo"];
  const LINES = ["--help", ...COMMANDS.map((name) => `${name} --help`)];
  const hooks = { Stop: [{ hooks: [{ type: "command", command: "true" }] }] };
  const many = Array.from({ length: 10_001 }, (_, n) => `w${n}`).join(" ");
  const UNCLEAR = [{ hooks: [{ type: "command", command: `true ${many}` }] }];
  const printed = async (line: string, columns: string) => {
    const { belay, config } = scratch();
    if (line.startsWith("trust")) config({ ...hooks, SessionEnd: UNCLEAR }, ".belay/settings.json");
    const { stdout } = await belay(line.split(" "), { env: { COLUMNS: columns, NO_COLOR: "1" } });
    return stdout;
  };
  test.each([...LINES, "init", "trust --yes", "why Stop"])("belay %s breaks between words", async (line) => {
    const [narrow, wide] = await Promise.all([printed(line, "40"), printed(line, "1000")]);
    const words = (text: string) => text.replaceAll(" \\\n", " ").split(/\s+/);
    expect(words(narrow)).toEqual(words(wide));
    // A quoted argument is one word, and may be longer than a line.
    expect(narrow.split("\n").filter((text) => width(text) > 40 && !/['"]/.test(text))).toEqual([]);
  });

  it("the journal's path is all there", async () => {
    const { belay, home, config } = scratch();
    const { stdout } = await belay(["run", "Stop", "--config", config({})], { env: { COLUMNS: "40" } });
    const [, record = ""] = stdout.split("record\n");
    expect(record.replaceAll("\n", "")).toContain(`${home}/.belay/journal/`);
    expect(record).not.toContain("…");
  });
});

describe("any width", () => {
  const WIDTHS = Array.from({ length: 130 }, (_, index) => index + 1);
  const TEXT = `${BOLD}guard: ${PLAIN}rm -rf is not allowed in /a/very/long/path/without/any/space/at/all here`;

  it("wraps, hangs and cuts within it", () => {
    const plain = TEXT.replaceAll(BOLD, "").replaceAll(PLAIN, "");
    for (const columns of [0, ...WIDTHS]) {
      const lines = [...wrap(TEXT, columns), ...hang("  fix: ", TEXT, columns)];
      expect(lines.filter((line) => width(line) > Math.max(1, columns))).toEqual([]);
      expect([width(fit(plain, columns)), width(shorten(plain, columns)) <= columns]).toEqual([
        columns,
        true,
      ]);
      expect(
        wrap(TEXT, columns)
          .join("")
          .replaceAll(/[\s\u001b]|\[\d+m/g, ""),
      ).toBe(plain.replaceAll(" ", ""));
    }
  });

  const hook = (name: string, command: string, more: object = {}) => ({
    type: "command",
    name,
    command,
    ...more,
  });
  const deny = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } };
  const hooks = {
    PreToolUse: [
      {
        hooks: [
          hook("a-guard-with-a-long-name", "echo 'no force push, please' >&2; exit 2"),
          hook("no-force-push", `echo log; echo '${JSON.stringify(deny)}'`),
          hook("lint", "exit 3"),
          hook("slow", "sleep 9", { timeout: 0.1 }),
          { type: "json", json: { systemMessage: "Mind the tests", decision: "block" } },
        ],
      },
    ],
  };
  test.each([1, 2, 7, 12, 20, 30, 33, 40, 45, 47, 48, 59, 60, 70, 76, 80, 130])(
    "belay run in %d columns",
    async (columns) => {
      const { belay, config } = scratch();
      const env = { COLUMNS: String(columns), NO_COLOR: "1" };
      const { code, stdout, stderr } = await belay(["run", "PreToolUse", "--config", config(hooks)], { env });
      expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
      expect(stdout.split("\n").filter((line) => width(line) > columns)).toEqual([]);
      expect(stdout.replaceAll(/\s/g, "")).toContain("noforcepush,please");
      if (columns < 30) return;
      // Each hook has its time bar, and how it was read.
      expect(stdout.match(/^.*[▇·]+ {2,}(?:<1|[\d.]+) m?s .*$/gm)).toHaveLength(5);
      const words = stdout.slice(stdout.indexOf("\nrun"), stdout.indexOf("\ndecide")).replaceAll(/\s+/g, " ");
      for (const read of ["exit 0, mixed", "exit 2 ", "exit 3 "]) expect(words).toContain(read);
    },
  );

  it("colours take no room where there is little of it", async () => {
    const { belay, config } = scratch();
    const { stdout } = await belay(["run", "PreToolUse", "--config", config(hooks)], {
      env: { COLUMNS: "45", NO_COLOR: "", FORCE_COLOR: "1" },
    });
    expect(stdout.replaceAll(/\u001b\[\d+m/g, "")).toMatch(
      /^no-force-push\n[▇·]+ {2}(?:<1|[\d.]+) m?s {2}deny {2}exit 0, mixed$/m,
    );
  });

  test.each(["why PreToolUse", "check", "demo --fast"])("belay %s in 9 columns", async (line) => {
    const { belay, config } = scratch();
    const named = line.startsWith("demo") ? [] : ["--config", config(hooks)];
    const { code, stdout, stderr } = await belay([...line.split(" "), ...named], { env: { COLUMNS: "9" } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n").filter((text) => width(text) > 9)).toEqual([]);
  });

  it("belay try in 40 columns names no reader who was told nothing", async () => {
    const { stdout } = await scratch().belay(["try", "echo no >&2; exit 2", "Stop"], {
      env: { COLUMNS: "40", NO_COLOR: "1" },
    });
    expect(stdout).toMatch(/^decide\nblock by .*\n\(block-stop\)\nagent\nno\n$/ms);
    expect(stdout).not.toMatch(/^user$/m);
  });
});
