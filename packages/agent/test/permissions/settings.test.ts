import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configLoader, configPlaces, grantsOf, trust, trustedGrant } from "@belay/engine/internal";
import { describe, expect, test } from "vitest";
import { type Scratch, scratch, toolNamed } from "./scratch.ts";
import { asker, LOCAL, PROJECT, permissions, USER } from "./settings-files.ts";

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
