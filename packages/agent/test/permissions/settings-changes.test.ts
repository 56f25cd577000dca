import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { readTrust } from "@belay/engine/internal";
import { describe, expect, test } from "vitest";
import { permissionSettings } from "../../src/permissions/settings.ts";
import { scratch, toolNamed } from "./scratch.ts";
import { asker, LOCAL, options, PROJECT, permissions, USER } from "./settings-files.ts";

describe("a file that changes", () => {
  test("counts from the next call on, and is forgotten when it goes", () => {
    const place = scratch();
    const { says } = asker(place);
    expect(says("a")).toBe("none");
    place.write(USER, permissions({ deny: ["Bash(a)"] }));
    expect(says("a")).toBe("deny");
    place.write(USER, permissions({ allow: ["Bash(a)"] }));
    expect(says("a")).toBe("allow");
    rmSync(join(place.root, USER));
    expect(says("a")).toBe("none");
  });

  test("keeps its last good version while it is broken", () => {
    const place = scratch();
    const file = place.write(USER, permissions({ deny: ["Bash(a)"], allow: ["Bash(b)"] }));
    const { says } = asker(place);
    expect(["a", "b"].map(says)).toEqual(["deny", "allow"]);
    writeFileSync(file, "{");
    expect(["a", "b"].map(says)).toEqual(["deny", "allow"]);
  });

  const broken: [what: string, text: string][] = [
    ["broken JSON", "{"],
    ["no object", "[]"],
    ["permissions that are no object", '{"permissions": []}'],
    ["a deny that is no list", '{"permissions": {"deny": "Bash(a)"}}'],
    ["a misspelt list", '{"permissions": {"denny": ["Bash(a)"]}}'],
    ["a rule that is no text", '{"permissions": {"deny": [7]}}'],
    ["a rule without its end", '{"permissions": {"deny": ["Bash(rm *"]}}'],
  ];
  test.each(broken)("that was never read makes everything it may mean ask: %s", (_, text) => {
    const place = scratch();
    place.write(USER, permissions({ allow: ["*"] }));
    const { says } = asker(place);
    expect(says("x")).toBe("allow");
    place.write(PROJECT, text);
    expect(says("x")).toBe("ask");
  });

  test("an unread rule asks for its own tool alone", () => {
    const place = scratch();
    place.write(USER, permissions({ deny: ["Bash(rm *"] }));
    const { settings } = asker(place);
    const read = settings.judge(toolNamed("Read"), { file_path: "x" });
    expect(read).toEqual({ ruling: undefined, isOutside: false });
    expect(settings.judge(toolNamed("Bash"), { command: "ls" }).ruling).toMatchObject({
      kind: "ask",
      by: "rule",
      reason: `Bash(rm * in ${join(place.root, USER)}:1 may be about it, and is no rule: the closing parenthesis is missing; next: belay check`,
    });
  });

  test("a link to a file without an end counts as one, and no rule is stored in it", () => {
    const place = scratch();
    mkdirSync(join(place.cwd, ".belay"));
    symlinkSync("/proc/self/pagemap", join(place.root, LOCAL));
    const { settings, says } = asker(place);
    expect(says("a")).toBe("ask");
    expect(() => settings.allowAlways("Bash(a)")).toThrow("it has more than 1048576 bytes");
  });

  test("a folder in its place counts as a file that cannot be read", () => {
    const place = scratch();
    mkdirSync(join(place.root, PROJECT), { recursive: true });
    expect(asker(place).says("x")).toBe("ask");
  });
});

describe("this session", () => {
  test("a tool allowed for the session is allowed in it alone, and never against a deny", () => {
    const place = scratch();
    place.write(USER, permissions({ deny: ["Bash(b)"] }));
    const { settings, says } = asker(place);
    settings.allowForSession("Bash");
    expect(["a", "b"].map(says)).toEqual(["allow", "deny"]);
    expect(asker(place).says("a")).toBe("none");
  });

  const outside: [path: string, isOutside: boolean][] = [
    ["a", false],
    ["./a/../b", false],
    ["..", true],
    ["../project/a", false],
    ["../project2/a", true],
    ["/etc/passwd", true],
    ["~/x", true],
    ["out/x", true],
    ["in/x", false],
    ["..a", false],
  ];
  test.each(outside)("%s is outside: %s", (path, isOutside) => {
    const place = scratch();
    mkdirSync(join(place.cwd, "deep"));
    symlinkSync(place.root, join(place.cwd, "out"));
    symlinkSync("deep", join(place.cwd, "in"));
    const { settings } = asker(place);
    expect(settings.judge(toolNamed("Read"), { file_path: path }).isOutside).toBe(isOutside);
  });
});

describe("always", () => {
  test("the rule is added to the local file, is trusted, and counts at once; comments stay", () => {
    const place = scratch();
    const file = place.write(
      LOCAL,
      '{\n  // mine\n  "permissions": {\n    "allow": [\n      "Bash(a)", // old\n    ],\n  },\n}\n',
    );
    const { settings, says } = asker(place);
    settings.allowAlways("Bash(b)");
    expect(["a", "b"].map(says)).toEqual(["none", "allow"]); // the old one was never trusted, and is not now
    const text = readFileSync(file, "utf8");
    expect(text).toContain("// mine");
    expect(text).toContain("// old");
    expect(asker(place).says("b")).toBe("allow");
    expect(readdirSync(join(place.cwd, ".belay"))).toEqual(["settings.local.json"]);
  });

  const before: [text: string | undefined, after: object][] = [
    [undefined, { permissions: { allow: ["Bash(b)"] } }],
    ["{}", { permissions: { allow: ["Bash(b)"] } }],
    ['{"hooks": {}}', { hooks: {}, permissions: { allow: ["Bash(b)"] } }],
    ['{"permissions": {"deny": ["Read"]}}', { permissions: { deny: ["Read"], allow: ["Bash(b)"] } }],
    ['{"permissions": {"allow": []}}', { permissions: { allow: ["Bash(b)"] } }],
    ['{"permissions": {"allow": ["Bash(b)"]}}', { permissions: { allow: ["Bash(b)"] } }],
  ];
  test.each(before)("on %s", (text, after) => {
    const place = scratch();
    if (text !== undefined) place.write(LOCAL, text);
    const { settings, says } = asker(place);
    settings.allowAlways("Bash(b)");
    expect(JSON.parse(readFileSync(join(place.root, LOCAL), "utf8"))).toEqual(after);
    expect(says("b")).toBe("allow");
  });

  test("where it is a link, the rule goes to the file that it leads to", () => {
    const place = scratch();
    const file = place.write("project/mine.json", '{"hooks": {}}');
    mkdirSync(join(place.cwd, ".belay"));
    symlinkSync("../mine.json", join(place.root, LOCAL));
    const { settings, says } = asker(place);
    settings.allowAlways("Bash(b)");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      hooks: {},
      permissions: { allow: ["Bash(b)"] },
    });
    expect(readlinkSync(join(place.root, LOCAL))).toBe("../mine.json");
    expect(says("b")).toBe("allow");
  });

  test("where it is a link that leads out of the project, no rule is stored: it would hold there too", () => {
    const place = scratch();
    const file = place.write(USER, "{}");
    mkdirSync(join(place.cwd, ".belay"));
    symlinkSync(file, join(place.root, LOCAL));
    expect(() => asker(place).settings.allowAlways("Bash(b)")).toThrow("is a link to");
    expect(readFileSync(file, "utf8")).toBe("{}");
    expect(readlinkSync(join(place.root, LOCAL))).toBe(file);
    expect(readTrust(place.cwd, place.home).trusted.length).toBe(0);
  });

  test.each(["{", "[]", '{"permissions": 7}', '{"permissions": null}', '{"permissions": {"allow": "Bash"}}'])(
    "a file that is not in order is left alone: %s",
    (text) => {
      const place = scratch();
      const file = place.write(LOCAL, text);
      const { settings } = asker(place);
      expect(() => settings.allowAlways("Bash(b)")).toThrow("is not in order, so the rule is not stored");
      expect(readFileSync(file, "utf8")).toBe(text);
      expect(readTrust(place.cwd, place.home).trusted.length).toBe(0);
    },
  );

  test("what is no rule is not stored", () => {
    const place = scratch();
    expect(() => asker(place).settings.allowAlways("Bash(")).toThrow("is no rule");
    expect(readdirSync(place.cwd)).toEqual([".git"]);
  });

  const exact: [tool: string, input: Record<string, unknown>, rules: string[]][] = [
    ["Bash", { command: "npm test" }, ["Bash(npm test)"]],
    ["Bash", { command: "a && 'b c' | a" }, ["Bash(a)", "Bash('b c')"]],
    ["Bash", { command: "ls *.ts ~/x" }, ["Bash(ls \\*.ts ~/x)"]],
    ["Bash", { command: "echo a\\*b" }, ["Bash(echo a\\\\*b)"]],
    ["Bash", { command: "echo x:*" }, ["Bash(echo x:\\*)"]],
    ["Bash", { command: "echo $(b)" }, []],
    ["Bash", { command: "cd build && rm -rf *" }, []],
    ["Bash", { command: "pushd a; make; popd" }, []],
    ["Bash", { command: "git commit -m 'a\nb'" }, []],
    ["Write", { file_path: "src/a.ts", content: "" }, ["Write(./src/a.ts)"]],
    ["Write", { file_path: "a/[id] (x)*.ts", content: "" }, ["Write(./a/\\[id\\] \\(x\\)\\*.ts)"]],
    ["Write", { file_path: "/etc/x", content: "" }, ["Write(/etc/x)"]],
    ["Grep", { pattern: "x" }, ["Grep(./)"]],
  ];
  test.each(exact)("%s %j is allowed from now on by %j, and little else", (name, input, rules) => {
    const place = scratch();
    const { settings } = asker(place);
    const tool = toolNamed(name);
    expect(settings.rulesFor(tool, input)).toEqual(rules);
    for (const rule of rules) settings.allowAlways(rule);
    expect(settings.judge(tool, input).ruling?.kind === "allow").toBe(rules.length > 0);
    for (const command of ["npm test x", "ls a.ts", "echo aXb", "echo x:", "b c", "echo x:y"])
      expect(settings.judge(toolNamed("Bash"), { command }).ruling?.kind).not.toBe("allow");
    for (const file_path of ["src/b.ts", "a/i (x)b.ts", "/etc/y"])
      expect(settings.judge(toolNamed("Write"), { file_path, content: "" }).ruling).toBeUndefined();
  });

  test("below the project, paths are stored whole: the file of rules is read in all of its folders", () => {
    const place = scratch();
    const cwd = join(place.cwd, "sub");
    mkdirSync(cwd);
    const settings = permissionSettings({ ...options(place), cwd });
    const input = { file_path: "a", content: "" };
    const [rule = ""] = settings.rulesFor(toolNamed("Write"), input);
    expect(rule).toBe(`Write(${cwd}/a)`);
    settings.allowAlways(rule);
    expect(settings.judge(toolNamed("Write"), input).ruling?.kind).toBe("allow");
    expect(asker(place).settings.judge(toolNamed("Write"), input).ruling).toBeUndefined();
  });
});
