import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scratch } from "./cli.ts";

const GUARD = { type: "command", command: "exit 2" };

const DEEP = `${"[".repeat(5000)}${"]".repeat(5000)}`;

describe("a payload nested without end", () => {
  const message =
    "the payload of PreToolUse is nested more than 1000 levels deep; give what is so deep as a string";
  const rows = [["run"], ["run", "--json"], ["why"], ["run", "--set", `tool_input={"a":${DEEP}}`]];
  test.each(rows)("%s %.10s", async (command, ...more) => {
    const place = scratch();
    const file = place.config({ PreToolUse: [{ hooks: [GUARD] }] });
    const input = `{"tool_input":{"a":${DEEP}}}`;
    const from = more.includes("--set") ? [] : ["--input", "-"];
    const result = await place.belay([command, "PreToolUse", ...more, ...from, "--config", file], { input });
    expect(result).toEqual({ code: 1, stdout: "", stderr: `belay: ${message}\n` });
  });
});

describe("a working folder that is gone", () => {
  const gone = "the folder you are in is gone; change to one that exists";
  test.each([["run", "Stop"], ["why", "Stop"], ["check"], ["trust"], ["init"]])(
    "the one the command was given in: %s",
    async (...args) => {
      const place = scratch();
      const shown = await place.shell(
        `mkdir x && cd x && rmdir ../x && belay ${args.join(" ")}; echo "exit $?"`,
      );
      expect(shown).toBe(`exit 1\nbelay: ${gone}\n`);
    },
  );

  test("an option for a folder that exists is enough", async () => {
    const place = scratch();
    const file = place.config({ PreToolUse: [{ hooks: [GUARD] }] });
    const line = `belay run PreToolUse --json --cwd ${place.project} --config ${file}`;
    expect(await place.shell(`mkdir x && cd x && rmdir ../x && ${line} > ../out; echo "exit $?"`)).toBe(
      "exit 2\n",
    );
  });

  const denies = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } };
  const asks = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" } };
  const rows: [what: string, hooks: object[], code: number][] = [
    ["no guard could be asked", [GUARD, { ...GUARD, command: "exit 2 # too" }], 1],
    ["a guard that must answer", [GUARD, { ...GUARD, onFailure: "block" }], 2],
    ["another guard could be asked, and denies", [GUARD, { type: "json", json: denies }], 2],
    ["another guard asks", [GUARD, { type: "json", json: asks }], 3],
    ["nobody needs the folder", [{ type: "json", json: {} }], 0],
  ];
  test.each(rows)("the one in the payload: %s", async (_what, hooks, code) => {
    const place = scratch();
    const file = place.config({ PreToolUse: [{ hooks }] });
    const folder = join(place.project, "gone");
    const run = (...more: string[]) =>
      place.belay(["run", "PreToolUse", "--config", file, ...more, "--input", "-"], {
        input: JSON.stringify({ cwd: folder }),
      });
    const [asJson, forPeople] = await Promise.all([run("--json"), run()]);
    expect([asJson.code, forPeople.code]).toEqual([code, code]);
    if (code !== 1) {
      expect([JSON.parse(asJson.stdout).event, asJson.stderr]).toEqual(["PreToolUse", ""]);
      expect(forPeople.stdout).toMatch(/^event +PreToolUse.+\nmatch .+\nrun .+\ndecide /s);
    } else {
      const stderr = `belay: the working folder ${folder} is gone, so 2 hooks could not be asked; name one that exists with --cwd\n`;
      expect([asJson, forPeople]).toEqual([
        { code, stdout: "", stderr },
        { code, stdout: "", stderr },
      ]);
    }
  });
});

describe("what never ends is not read to its end", () => {
  test.each([
    ["--config /dev/zero", "/dev/zero"],
    ["--input /dev/zero", "/dev/zero"],
    ["--input - < /dev/zero", "stdin"],
  ])("%s", async (args, what) => {
    const said = await scratch().shell(`belay run Stop ${args}; echo $?`);
    expect(said).toMatch(/^1\n/);
    expect(said).toMatch(
      new RegExp(`belay: ${what} cannot be read: it has more than \\d+ bytes, and no more are read`),
    );
  });
});

describe("a config file that cannot be read as a whole", () => {
  // What makes a file unreadable is tested with the engine: these rows are about the line on stderr, and its next step.
  const rows: [text: string | undefined, detail: RegExp][] = [
    ['{ "hooks": {\n', /: .+ on line 2, column \d+; next: belay check --config hooks\.json\n$/],
    ['{"a": "\u001b[2J" b', /on line 1, column 7: \{"a": "\\u001b\[2J" b; next: /],
    [undefined, /: there is no such file; correct the path after --config\n$/],
  ];
  test.each(["run", "why"])("%s: a folder, also for the hooks.json of a plugin", async (command) => {
    const { belay, project } = scratch();
    const folder = join(project, "plugin", "hooks", "hooks.json");
    mkdirSync(folder, { recursive: true });
    const said = async (...args: string[]) => {
      const { code, stdout, stderr } = await belay([command, "Stop", ...args]);
      expect([code, stdout]).toEqual([1, ""]);
      return stderr;
    };
    expect(await said("--config", ".")).toBe(
      `belay: ${project} cannot be read: it is a folder; name a file in it\n`,
    );
    expect(await said("--plugin", "plugin")).toBe(
      `belay: ${folder} cannot be read: it is a folder; move it away: a file is expected there\n`,
    );
  });

  test.each(rows)("%j", async (text, detail) => {
    const place = scratch();
    if (text !== undefined) place.file("hooks.json", text);
    const result = await place.belay(["run", "Stop", "--json", "--config", "hooks.json"]);
    expect(result).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(detail) });
    expect(result.stderr).toMatch(/^belay: .*hooks\.json cannot be read.*\n$/);
  });

  test.each(["run Stop", "why Stop", "trust"])(
    "a file where the folder of a layer would be: %s",
    async (line) => {
      const place = scratch();
      const file = place.file(".belay", "");
      const stderr = `belay: ${file} cannot be read: it is a file where a folder is expected; move it away\n`;
      expect(await place.belay(line.split(" "))).toEqual({ code: 1, stdout: "", stderr });
    },
  );
});
