import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Scratch, scratch } from "./cli.ts";

const SETTINGS = ".belay/settings.json";
const GUARD = ".belay/hooks/guard.sh";

const runBash = ({ belay }: Scratch, command: string, ...more: string[]) => {
  const input = JSON.stringify({ command });
  return belay(["run", "PreToolUse", "--tool", "Bash", "--tool-input", input, "--json", ...more]);
};

/** What may stand where a file is written, and what is said of it. */
const IN_THE_WAY: Readonly<Record<string, [make: (path: string) => void, said: string]>> = {
  "a folder": [(path) => mkdirSync(path), "is a folder, where a file is expected"],
  "a pipe": [
    (path) => execFileSync("mkfifo", [path]),
    "is a pipe, socket or device, where a file is expected",
  ],
  "a link to nothing": [(path) => symlinkSync("nowhere", path), "is a link to what is not there"],
};

describe("init", () => {
  test("writes a hook that works at once, and says what to type next", async () => {
    const place = scratch();
    const { code, stdout, stderr } = await place.belay(["init"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`wrote  ${SETTINGS}`);
    expect(stdout).toContain(`wrote  ${GUARD}`);
    expect(stdout).toContain("trusted as it was written, and nothing else is");
    expect(statSync(join(place.project, GUARD)).mode & 0o111).toBe(0o111);
    const printed = stdout.split("\n").filter((line) => line.startsWith("  belay run "));
    expect(printed).toEqual([
      `  belay run PreToolUse --tool Bash --tool-input '{"command":"rm -rf /"}'`,
      `  belay run PreToolUse --tool Bash --tool-input '{"command":"ls"}'`,
    ]);
    const refused = await runBash(place, "rm -rf /");
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      decision: { kind: "deny", hook: "guard", reason: expect.stringContaining("rm -rf is not allowed") },
      diagnostics: [],
    });
    const fine = await runBash(place, "ls");
    expect(fine.code).toBe(0);
    expect(JSON.parse(fine.stdout)).toMatchObject({ decision: { kind: "none" }, diagnostics: [] });
    expect(await place.belay(["check"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("No problems."),
    });
  });

  const commands: [command: string, code: number][] = [
    ["rm -fr build", 2],
    ["rm -r -f build", 2],
    ["rm -v -Rf build", 2],
    ["cd build\nrm -rf *", 2],
    ["true && sudo rm -rf .", 2],
    ["rm notes.txt", 0],
    ["rm -r build", 0],
    ["farm -rf", 0],
    ["grep -rf patterns .", 0],
  ];
  test("its guard knows the usual ways to write it", async () => {
    const place = scratch();
    await place.belay(["init"]);
    const codes = await Promise.all(
      commands.map(async ([command]) => [command, (await runBash(place, command)).code]),
    );
    expect(codes).toEqual(commands);
  });

  test("works from a folder below, and in a path with spaces", async () => {
    const place = scratch();
    const folder = join(place.project, "a b");
    mkdirSync(join(folder, ".git"), { recursive: true });
    mkdirSync(join(folder, "below"));
    const { stdout } = await place.belay(["init", "--cwd", "a b"]);
    expect(stdout).toContain("--cwd 'a b'");
    expect((await runBash(place, "rm -rf /", "--cwd", join(folder, "below"))).code).toBe(2);
    expect((await runBash(place, "ls", "--cwd", join(folder, "below"))).code).toBe(0);
  });

  test("a second time it keeps everything", async () => {
    const place = scratch();
    await place.belay(["init"]);
    place.file(GUARD, "#!/bin/sh\nexit 0\n");
    const { code, stdout } = await place.belay(["init"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`kept   ${SETTINGS}`);
    expect(stdout).toContain(`kept   ${GUARD}`);
    expect(readFileSync(join(place.project, GUARD), "utf8")).toBe("#!/bin/sh\nexit 0\n");
    // The edit was not trusted by the way: the hook asks again.
    expect((await runBash(place, "rm -rf /")).stdout).toContain("hook-edited");
  });

  test("never trusts a script it did not write", async () => {
    const place = scratch();
    place.file(GUARD, "#!/bin/sh\ntouch owned\n", 0o755);
    const { stdout } = await place.belay(["init"]);
    expect(stdout).toContain("Nothing was trusted");
    expect((await runBash(place, "ls")).stdout).toContain("hook-untrusted");
  });

  test("never trusts hooks of other files", async () => {
    const place = scratch();
    const hooks = { Stop: [{ hooks: [{ type: "command", command: "touch owned" }] }] };
    place.file(".belay/settings.local.json", JSON.stringify({ hooks }));
    await place.belay(["init"]);
    const { stdout } = await place.belay(["run", "Stop", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      runs: [],
      diagnostics: [{ code: "hook-untrusted" }, { code: "hook-skipped" }],
    });
  });

  test.each([1, 2])("with settings of their own, people are told what to add: call %d", async (calls) => {
    const place = scratch();
    place.file(SETTINGS, '{ "hooks": {} }');
    if (calls === 2) await place.belay(["init"]);
    const { stdout } = await place.belay(["init"]);
    expect(stdout).toContain(`kept   ${SETTINGS}`);
    expect(readFileSync(join(place.project, SETTINGS), "utf8")).toBe('{ "hooks": {} }');
    const entry = stdout.split("\n").find((line) => line.startsWith('  {"matcher"')) ?? "";
    place.file(SETTINGS, `{ "hooks": { "PreToolUse": [ ${entry} ] } }`);
    await place.belay(["trust", "--yes"]);
    expect((await runBash(place, "rm -rf /")).code).toBe(2);
  });

  test.each([
    ["the home folder", "../home", "your home folder is no project"],
    ["a folder that is not there", "nowhere", '--cwd "nowhere" is no folder'],
  ])("%s is refused", async (_what, cwd, message) => {
    const result = await scratch().belay(["init", "--cwd", cwd]);
    expect(result).toEqual({ code: 1, stdout: "", stderr: expect.stringContaining(message) });
  });

  const rows = Object.keys(IN_THE_WAY).flatMap((what) =>
    [SETTINGS, GUARD].map((name) => [what, name] as const),
  );
  test.each([...rows, ["a link to nothing", ".belay"] as const])(
    "%s for %s is refused, and nothing is written",
    async (what, name) => {
      const { belay, project } = scratch();
      const path = join(project, name);
      mkdirSync(dirname(path), { recursive: true });
      const [make, said] = IN_THE_WAY[what] ?? [];
      make?.(path);
      const stderr = `belay: ${path} ${said}; move it away, then: belay init\n`;
      expect(await belay(["init"])).toEqual({ code: 1, stdout: "", stderr });
      expect(existsSync(join(project, name === GUARD ? SETTINGS : GUARD))).toBe(false);
    },
  );

  test.each([
    ["broken settings", SETTINGS, "{ hooks", /cannot be read: .*; next: belay check\n$/],
    [
      "a file for the folder",
      ".belay",
      "",
      / is a file where a folder is expected; move it away, then: belay init\n$/,
    ],
  ])("%s are refused, and nothing is written", async (_what, name, text, why) => {
    const place = scratch();
    const path = place.file(name, text);
    const { code, stdout, stderr } = await place.belay(["init"]);
    expect([code, stdout, stderr.startsWith(`belay: ${path}`), stderr]).toEqual([
      1,
      "",
      true,
      expect.stringMatching(why),
    ]);
    expect(existsSync(join(place.project, GUARD))).toBe(false);
  });

  test("makes a first hook that runs in another agent", async () => {
    const place = scratch();
    const { code, stderr } = await place.belay(["init", "--agent", "claude-code", "--yes"]);
    expect([code, stderr]).toEqual([0, ""]);
    const { hooks } = JSON.parse(readFileSync(join(place.project, ".claude/settings.json"), "utf8"));
    const payload = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "rm -rf /" } };
    place.file("sent.json", JSON.stringify(payload));
    const said = await place.shell(`${hooks.PreToolUse[0].hooks[0].command} < sent.json`);
    expect(said).toContain('"permissionDecision":"deny"');
  });

  test("asks before it writes into an agent's settings, and takes no agent that has none", async () => {
    const place = scratch();
    const { code, stdout } = await place.belay(["init", "--agent", "claude-code"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("belay install claude-code --yes")]);
    expect(existsSync(join(place.project, ".claude"))).toBe(false);
    const other = scratch();
    const { stderr } = await other.belay(["init", "--agent", "kimi"]);
    expect(stderr).toContain("belay install kimi --user");
    expect(existsSync(join(other.project, SETTINGS))).toBe(false);
  });
});
