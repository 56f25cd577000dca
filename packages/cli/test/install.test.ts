import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { emulate, HARNESSES, type Harness } from "@belay/harness";
import { parse as parseJson } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { deathsOf } from "../src/install/deaths.ts";
import { type Scratch, scratch } from "./cli.ts";
import { ROOT } from "./docs/pages.ts";

const GUARD = {
  PreToolUse: [{ hooks: [{ name: "guard", type: "command", command: "echo no >&2; exit 2" }] }],
};

/** Where the entry for a call stands, and its flag. */
function placeOf({ settings, name }: Harness, { home, project }: Scratch): { file: string; flag: string[] } {
  const path = settings.project ? join(project, settings.project) : join(home, settings.user.slice(2));
  return { file: path.replace("<event>", "PreToolUse"), flag: settings.project ? [name] : [name, "--user"] };
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A user's settings, as odd as they may be. */
const THEIRS = '\uFEFF{\r\n\t"model": "x",\r\n\t"hooks": { "Later": [] }\r\n}';
const TOML = 'default_model = "x" # why\r\n[models.x]\r\nmodel = "y"';

describe("belay install, and uninstall", () => {
  for (const harness of HARNESSES)
    it(`makes a file for ${harness.title}, calls the hooks from it, and takes it away`, async () => {
      const stage = scratch();
      const { belay, config } = stage;
      config(GUARD, ".belay/settings.json");
      await belay(["trust", "--yes"]);
      const { file, flag } = placeOf(harness, stage);
      const without = await belay(["install", ...flag]);
      expect(without).toMatchObject({ code: 1, stdout: expect.stringContaining("--yes") });
      expect(await belay(["install", ...flag, "--dry-run"])).toMatchObject({ code: 0 });
      expect(existsSync(file)).toBe(false);
      expect(await belay(["install", ...flag, "--yes"])).toMatchObject({ code: 0, stderr: "" });
      const text = readFileSync(file, "utf8");
      expect((await belay(["install", ...flag])).stdout).toContain("Nothing changes.");
      expect(readFileSync(file, "utf8")).toBe(text);
      expect(await stepOf(harness, file, text, stage)).toBe("refused");
      const relay = join(stage.home, ".belay/bin/belay-hook");
      renameSync(relay, `${relay}.gone`);
      expect(await stepOf(harness, file, text, stage)).toBe(deathsOf(harness, [])["script gone"]);
      renameSync(`${relay}.gone`, relay);
      expect(await belay(["uninstall", ...flag, "--yes"])).toMatchObject({ code: 0, stderr: "" });
      expect(existsSync(file)).toBe(false);
      if (harness.settings.project) expect(existsSync(dirname(file))).toBe(false);
      expect((await belay(["uninstall", ...flag, "--yes"])).stdout).toBe("Nothing is installed there.\n");
    });

  for (const harness of HARNESSES.filter(({ settings }) => ["json", "toml"].includes(settings.shape.kind)))
    it(`keeps every byte of a file of ${harness.title}`, async () => {
      const stage = scratch();
      const { file, flag } = placeOf(harness, stage);
      const theirs = harness.settings.shape.kind === "toml" ? TOML : THEIRS;
      put(file, theirs);
      await stage.belay(["install", ...flag, "--all", "--yes"]);
      const all = readFileSync(file, "utf8");
      expect(all.length).toBeGreaterThan(theirs.length);
      await stage.belay(["install", ...flag, "--events", "PreToolUse", "--fail-closed", "--yes"]);
      expect(readFileSync(file, "utf8").length).toBeLessThan(all.length);
      await stage.belay(["uninstall", ...flag, "--yes"]);
      expect(readFileSync(file, "utf8")).toBe(theirs);
    });

  const CODEX = ["codex", "--yes"];
  const codexFile = ({ project }: Scratch) => join(project, ".codex/hooks.json");

  it("leaves what others have written since", async () => {
    const stage = scratch();
    const file = codexFile(stage);
    await stage.belay(["install", ...CODEX]);
    const mine = '{\n  // mine\n  "hooks": {\n    "Stop": [],';
    put(file, readFileSync(file, "utf8").replace('{\n  "hooks": {', mine));
    await stage.belay(["uninstall", ...CODEX]);
    const left = readFileSync(file, "utf8");
    expect(parseJson(left)).toEqual({ hooks: { Stop: [] } });
    expect(left).toContain("// mine");
    expect(await stage.belay(["uninstall", ...CODEX])).toMatchObject({ code: 0 });
    expect(readFileSync(file, "utf8")).toBe(left);
  });

  it("finds its entries when it has forgotten them", async () => {
    const stage = scratch();
    await stage.belay(["install", ...CODEX]);
    rmSync(join(stage.home, ".belay/installed.json"));
    await stage.belay(["install", ...CODEX]);
    expect(readFileSync(codexFile(stage), "utf8").match(/belay-hook/g)).toHaveLength(1);
    rmSync(join(stage.home, ".belay/installed.json"));
    await stage.belay(["uninstall", ...CODEX]);
    expect(readFileSync(codexFile(stage), "utf8")).not.toContain("belay");
  });

  it("writes to the end of a link, and keeps the link", async () => {
    const stage = scratch();
    const target = join(stage.home, "dotfiles.json");
    writeFileSync(target, "{}");
    mkdirSync(join(stage.project, ".codex"));
    symlinkSync(target, codexFile(stage));
    const { stdout } = await stage.belay(["install", ...CODEX]);
    expect(stdout).toContain("dotfiles.json");
    expect(lstatSync(codexFile(stage)).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toContain("belay-hook codex");
    await stage.belay(["uninstall", ...CODEX]);
    expect(readFileSync(target, "utf8")).toBe("{}");
    expect(readlinkSync(codexFile(stage))).toBe(target);
  });

  const refused: [what: string, agent: string, file: string, text: string, says: RegExp][] = [
    ["a broken file", "codex", ".codex/hooks.json", '{\n"hooks": {', /hooks\.json:2: .*next|hooks\.json:2: /],
    [
      "a comment that takes all hooks",
      "claude-code",
      ".claude/settings.json",
      "{\n// no\n}",
      /settings\.json:2: /,
    ],
    [
      "a program of another",
      "cline",
      ".clinerules/hooks/PreToolUse",
      "#!/bin/sh\n",
      /is not Belay's; move it away, or/,
    ],
    [
      "hooks in a file that goes before",
      "droid",
      ".factory/hooks.json",
      "{}",
      /reads the hooks in .factory\/hooks\.json/,
    ],
  ];
  for (const [what, agent, name, text, says] of refused)
    it(`touches nothing beside ${what}, and says so`, async () => {
      const { belay, file, home } = scratch();
      const path = file(name, text);
      const { code, stderr } = await belay(["install", agent, "gemini", "--yes"]);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(says) });
      expect(readFileSync(path, "utf8")).toBe(text);
      expect(existsSync(join(home, ".belay"))).toBe(false);
      expect(existsSync(join(dirname(dirname(path)), ".gemini"))).toBe(false);
    });

  it("touches no read-only file and no link to nothing, and decides nothing for an agent", async () => {
    const stage = scratch();
    put(codexFile(stage), "{}");
    chmodSync(codexFile(stage), 0o444);
    expect((await stage.belay(["install", ...CODEX])).stderr).toContain("is read-only; nothing was changed");
    rmSync(codexFile(stage));
    symlinkSync("nowhere", codexFile(stage));
    expect((await stage.belay(["install", ...CODEX])).stderr).toContain("is a link to what is not there");
    rmSync(codexFile(stage));
    for (const name of ["install", "uninstall"]) {
      const { code, stderr } = await stage.belay([name, ...CODEX], { env: { CLAUDECODE: "1" } });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining("an agent must not change its own hooks"),
      });
    }
    expect((await stage.belay(["install", "kimi", "--yes"])).stderr).toContain("install kimi --user");
  });

  it("takes the events of the hooks, and the one before a call", async () => {
    const { belay, config, project } = scratch();
    config({ Stop: [{ hooks: [{ type: "command", command: "true" }] }] }, ".belay/settings.json");
    await belay(["install", "gemini", "--yes"]);
    const { hooks } = JSON.parse(readFileSync(join(project, ".gemini/settings.json"), "utf8"));
    expect(Object.keys(hooks)).toEqual(["BeforeTool", "AfterAgent"]);
    const { stdout } = await belay(["install", "gemini", "--dry-run", "--events", "PermissionRequest"]);
    expect(stdout).toContain("It has no PermissionRequest");
  });

  it("closes the door at the events of guards, and with --fail-closed at all", async () => {
    const { belay, config, project } = scratch();
    config({ ...GUARD, Stop: GUARD.PreToolUse }, ".belay/settings.json");
    const closed = async (...args: string[]) => {
      const { stdout } = await belay(["install", "claude-code", "--yes", ...args]);
      const { hooks } = JSON.parse(readFileSync(join(project, ".claude/settings.json"), "utf8"));
      const at = Object.keys(hooks).filter((event) => hooks[event][0].hooks[0].onFailure === "block");
      return [...at, /limit reached, (\w+)/.exec(stdout.replaceAll(/\s+/g, " "))?.[1]];
    };
    expect(await closed()).toEqual(["runs"]);
    expect(await closed("--fail-closed")).toEqual(["PreToolUse", "Stop", "refused"]);
    const [group] = GUARD.PreToolUse;
    const guard = { hooks: [{ ...group?.hooks[0], onFailure: "block" }] };
    config({ PreToolUse: [guard], Stop: GUARD.PreToolUse }, ".belay/settings.json");
    expect(await closed()).toEqual(["PreToolUse", "refused"]);
  });

  it("takes no entry away while our own settings cannot be read", async () => {
    const { belay, config, file, project } = scratch();
    config({ ...GUARD, Stop: GUARD.PreToolUse }, ".belay/settings.json");
    await belay(["install", "codex", "--yes"]);
    file(".belay/settings.json", "{");
    const { code, stderr } = await belay(["install", "codex", "--yes"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("next: belay check") });
    expect(readFileSync(join(project, ".codex/hooks.json"), "utf8")).toContain("codex Stop");
  });

  it("refuses when Node or Belay is gone", async () => {
    const stage = scratch();
    await stage.belay(["install", ...CODEX]);
    const bin = join(stage.home, ".belay/bin");
    writeFileSync(join(bin, "belay-hook.paths"), "/nowhere/node\n/nowhere/belay.js\n");
    const said = await stage.shell(`'${bin}/belay-hook' codex PreToolUse </dev/null; echo "exit $?"`);
    expect(said).toMatch(/exit 2\n.* is gone from \/nowhere\/.*; next: belay doctor/);
  });
});

/** What the agent makes of a call, by the entry as it stands in its file. */
async function stepOf(harness: Harness, file: string, text: string, stage: Scratch): Promise<string> {
  const { shape } = harness.settings;
  if (shape.kind === "plugin") return stepOfPlugin(harness, file, stage);
  const { native, payload } = sentBy(harness);
  const json = shape.kind === "json" && parseJson(text).hooks[native][0];
  const entry =
    shape.kind === "json" ? (shape.grouped ? json.hooks[0][shape.command] : json[shape.command]) : "";
  const [, toml = ""] = /^command = (".*")$/m.exec(text) ?? [];
  const command = shape.kind === "script" ? file : shape.kind === "toml" ? JSON.parse(toml) : entry;
  const sent = join(stage.home, "sent.json");
  writeFileSync(sent, JSON.stringify({ ...payload, cwd: stage.project }));
  const said = await stage.shell(
    `(${command}) < '${sent}' 2>'${stage.home}/stderr'; printf '\\n%s' $?; cat '${stage.home}/stderr' >&2`,
  );
  const [, stdout = "", exitCode = "", stderr = ""] = /^([\s\S]*)\n(\d+)([\s\S]*)$/.exec(said) ?? [];
  const times = { executionTime: 1, timedOut: false, truncated: false };
  const run = { exitCode: Number(exitCode), stdout, stderr, ...times };
  const hooks = [{ hook: "belay", type: "command" as const, run }];
  return emulate(harness, { event: "PreToolUse", native, hooks }).step;
}

/** The plugin as the agent loads it, in a process of its own. */
function stepOfPlugin({ name }: Harness, file: string, { home, project }: Scratch): string {
  const calls: Record<string, string> = {
    opencode: `const hooks = await (await import(url)).belay({ directory: process.cwd() });
      await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s" }, { args: { command: "ls" } });`,
    pi: `const hooks = {};
      (await import(url)).default({ on: (name, hook) => (hooks[name] = hook) });
      const said = await hooks.tool_call({ toolName: "bash", input: { command: "ls" } }, { cwd: process.cwd() });
      if (said?.block) throw new Error(said.reason);`,
  };
  const copy = join(dirname(file), "copy.mjs");
  writeFileSync(copy, readFileSync(file, "utf8").replaceAll(": any", ""));
  const url = JSON.stringify(pathToFileURL(copy).href);
  const text = `const url = ${url}; try { ${calls[name]} console.log("runs"); } catch (error) { console.log(error.message); }`;
  try {
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", text], {
      cwd: project,
      env: { ...process.env, HOME: home },
      encoding: "utf8",
    });
    return /^(?:no|Belay could not ask the hooks: .*)$/.test(said.trim()) ? "refused" : said;
  } finally {
    rmSync(copy);
  }
}

/** What an agent sent to a hook before it called a tool, as it was recorded. */
function sentBy({ name, events }: Harness): { native: string; payload: Record<string, unknown> } {
  if (name === "cursor")
    return {
      native: "preToolUse",
      payload: { hook_event_name: "preToolUse", tool_name: "Shell", tool_input: { command: "ls" } },
    };
  const lines = readFileSync(join(ROOT, "fixtures/agents/payloads", `${name}.jsonl`), "utf8")
    .trim()
    .split("\n");
  const rows = lines.map((line) => JSON.parse(line) as { event: string; payload: Record<string, unknown> });
  const row = rows.find(({ event }) => events[event]?.event === "PreToolUse");
  if (!row) throw new Error(`${name} has no payload of a call`);
  return { native: row.event, payload: row.payload };
}
