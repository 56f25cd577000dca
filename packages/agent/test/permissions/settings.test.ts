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
import { configLoader, configPlaces, grantsOf, readTrust, trust, trustedGrant } from "@belay/engine/internal";
import { describe, expect, test } from "vitest";
import { permissionSettings } from "../../src/permissions/settings.ts";
import { toolNamed } from "../tools/scratch.ts";
import { type Scratch, scratch } from "./scratch.ts";

const USER = "home/.belay/settings.json";
const PROJECT = "project/.belay/settings.json";
const LOCAL = "project/.belay/settings.local.json";
const permissions = (lists: object) => JSON.stringify({ permissions: lists });
const options = ({ cwd, home }: Scratch) => ({ cwd, home, project: cwd });

/** What the settings say of a command now. */
function asker(place: Scratch, more: object = {}) {
  const settings = permissionSettings({ ...options(place), ...more });
  const says = (command: string) => settings.judge(toolNamed("Bash"), { command }).ruling?.kind ?? "none";
  return { settings, says };
}

async function grants({ cwd, home }: Scratch) {
  const { configs } = await configLoader().load(configPlaces({ cwd, project: cwd, home, sessionId: "" }));
  return grantsOf(configs, cwd, home);
}

async function trustAll(place: Scratch): Promise<void> {
  const items = (await grants(place)).map(({ trusted }) => trusted);
  trust(place.cwd, items, { home: place.home });
}

describe("layers", () => {
  test("the user's rules count; a project's restrict without trust, and loosen only with it", async () => {
    const place = scratch();
    place.write(USER, permissions({ allow: ["Bash(a)"], deny: ["Bash(b)"], ask: ["Bash(c)"] }));
    place.write(PROJECT, permissions({ allow: ["Bash(d)"], deny: ["Bash(a *)"], ask: ["Bash(e)"] }));
    place.write(LOCAL, permissions({ allow: ["Bash(f)"], deny: ["Bash(g)"] }));
    const { settings, says } = asker(place);
    const said = () => [..."abcdefg"].map(says);
    expect(said()).toEqual(["deny", "deny", "ask", "none", "ask", "none", "deny"]);
    expect(settings.untrusted().map(({ what }) => what)).toEqual(["allow Bash(d)", "allow Bash(f)"]);
    await trustAll(place);
    expect(said()).toEqual(["deny", "deny", "ask", "allow", "ask", "allow", "deny"]);
    expect(settings.untrusted()).toEqual([]);
  });

  test("trust is for one rule of one file of one project", async () => {
    const place = scratch();
    place.write(PROJECT, permissions({ allow: ["Bash(a)"] }));
    const { says } = asker(place);
    await trustAll(place);
    place.write(PROJECT, permissions({ allow: ["Bash(b)", "Bash(a)"] }));
    place.write(LOCAL, permissions({ allow: ["Bash(b)"] }));
    expect(["a", "b"].map(says)).toEqual(["allow", "none"]);
    const other = join(place.root, "other");
    mkdirSync(join(other, ".belay"), { recursive: true });
    writeFileSync(join(other, ".belay/settings.json"), permissions({ allow: ["Bash(a)"] }));
    expect(asker({ ...place, cwd: other }).says("a")).toBe("none");
  });

  const modes: [files: Record<string, string>, isTrusted: boolean, mode: string | undefined][] = [
    [{}, false, undefined],
    [{ [USER]: "plan" }, false, "plan"],
    [{ [USER]: "plan", [PROJECT]: "bypass" }, false, "plan"],
    [{ [USER]: "plan", [PROJECT]: "bypass" }, true, "bypass"],
    [{ [PROJECT]: "bypass", [LOCAL]: "acceptEdits" }, true, "acceptEdits"],
    [{ [LOCAL]: "acceptEdits" }, false, undefined],
  ];
  test.each(modes)("the mode of %j, trusted: %s", async (files, isTrusted, mode) => {
    const place = scratch();
    for (const [file, defaultMode] of Object.entries(files)) place.write(file, permissions({ defaultMode }));
    if (isTrusted) await trustAll(place);
    expect(asker(place).settings.defaultMode()).toBe(mode);
  });

  test("another mode in a trusted file is a change", async () => {
    const place = scratch();
    place.write(PROJECT, permissions({ defaultMode: "plan" }));
    await trustAll(place);
    place.write(PROJECT, permissions({ defaultMode: "bypass" }));
    expect((await grants(place)).map(({ what, state }) => [what, state])).toEqual([
      ["defaultMode bypass", "changed"],
    ]);
    expect(asker(place).settings.defaultMode()).toBeUndefined();
  });

  test("files that the user names count as the user's own, besides the layers", () => {
    const place = scratch();
    place.write(PROJECT, permissions({ deny: ["Bash(b)"] }));
    const named = place.write("named.json", permissions({ allow: ["Bash"] }));
    const { says } = asker(place, { configFiles: [named] });
    expect(["a", "b"].map(says)).toEqual(["allow", "deny"]);
  });

  test("a session's own file restricts too", () => {
    const place = scratch();
    const id = "0b8f1d6e-0000-4000-8000-000000000001";
    place.write(`project/.belay/hooks/hooks.${id}.json`, permissions({ allow: ["Bash"], deny: ["Bash(b)"] }));
    expect(["a", "b"].map(asker(place, { id }).says)).toEqual(["none", "deny"]);
  });
});

describe("the files of a dialect", () => {
  test("restrict beside the layers, and loosen only with trust", () => {
    const place = scratch();
    place.write(USER, permissions({ deny: ["Bash(a)"] }));
    place.write("home/.claude/settings.json", permissions({ deny: ["Bash(b)"] }));
    const rules = { allow: ["Bash(c)"], deny: ["Bash(d)"], ask: ["Bash(e)"], defaultMode: "acceptEdits" };
    const file = place.write("project/.claude/settings.json", permissions(rules));
    const { settings, says } = asker(place, { dialect: "claude-code" });
    expect([..."abcde"].map(says)).toEqual(["deny", "deny", "none", "deny", "ask"]);
    expect(settings.defaultMode()).toBeUndefined();
    expect(settings.untrusted()).toEqual([]); // `belay trust` does not show them either
    expect([..."abcde"].map(asker(place).says)).toEqual(["deny", "none", "none", "none", "none"]);
    trust(place.cwd, [trustedGrant("allow", "Bash(c)", file, place.cwd)], { home: place.home });
    expect(says("c")).toBe("allow");
  });
});

describe("an edit that is no mere edit", () => {
  const HOOKS = JSON.stringify({
    hooks: {
      PreToolUse: [
        { matcher: "Bash", hooks: [{ type: "command", command: "./hooks/guard.sh" }] },
        { matcher: "(?=x)", hooks: [{ type: "command", command: "node tools/check.mjs --strict" }] },
      ],
    },
  });
  const edits: [path: string, isGuarded: boolean][] = [
    ["src/a.ts", false],
    [".belay/settings.json", true],
    [".Belay/settings.json", true],
    [".wave/settings.json", true],
    [".claude/settings.json", true],
    [".git/hooks/pre-commit", true],
    ["named.json", true],
    ["NAMED.json", true],
    ["link.json", true],
    ["plugin/hooks/hooks.json", true],
    ["plugin/scripts/new.sh", true],
    ["plugins/x", false],
    ["hooks/guard.sh", true],
    ["hooks/other.sh", true], // it stands in the hooks folder
    ["by-link.sh", true],
    ["tools/check.mjs", true],
    ["tools/lib.mjs", false], // a script imports it, and trust does not look
    ["tools/other.mjs", false],
    ["user.sh", true],
  ];
  test.each(edits)("%s: %s", (path, isGuarded) => {
    const place = scratch();
    place.write(PROJECT, HOOKS);
    const user = { hooks: { Stop: [{ hooks: [{ type: "command", command: "sh user.sh" }] }] } };
    place.write(USER, JSON.stringify(user));
    const named = place.write("project/named.json", "{}");
    place.write("project/plugin/hooks/hooks.json", "{}");
    for (const name of ["hooks/guard.sh", "hooks/other.sh", "user.sh", "tools/lib.mjs"])
      place.write(`project/${name}`, "");
    place.write("project/tools/check.mjs", 'import "./lib.mjs";');
    symlinkSync("named.json", join(place.cwd, "link.json"));
    symlinkSync("hooks/guard.sh", join(place.cwd, "by-link.sh"));
    const { settings } = asker(place, { configFiles: [named], pluginDirs: ["plugin"] });
    const input = { file_path: path, content: "" };
    expect(settings.judge(toolNamed("Write"), input).isOutside).toBe(isGuarded);
    expect(settings.judge(toolNamed("Read"), input).isOutside).toBe(false);
  });

  test("a script that a hook begins to name is guarded from the next call on", () => {
    const place = scratch();
    const { settings } = asker(place);
    const isGuarded = () =>
      settings.judge(toolNamed("Edit"), { file_path: "hooks/guard.sh", old_string: "a", new_string: "b" })
        .isOutside;
    expect(isGuarded()).toBe(false);
    place.write(PROJECT, HOOKS);
    expect(isGuarded()).toBe(true);
  });
});

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
