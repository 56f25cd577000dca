import { describe, expect, it } from "vitest";
import { type Scratch, scratch } from "./cli.ts";
import { bash, GUARD } from "./recorded.ts";

/* Hooks that stand in a file and are off because of an error in it: no command takes them for hooks that are not there. */

const TYPO = { PreTooluse: [{ matcher: "Bash", hooks: [GUARD] }] };
const FLAT = { PreToolUse: [GUARD] };
const WIDE = { env: { COLUMNS: "200", NO_COLOR: "1" } };

const OFF: readonly [what: string, hooks: object][] = [
  ["an event that there is not", TYPO],
  ["an entry without its group", FLAT],
  ["no object of events", []],
];

describe.each(OFF)("with %s", (_, hooks) => {
  it("belay trust says that they are off, and what says more", async () => {
    const place = settings(hooks);
    for (const args of [["trust"], ["trust", "--yes"]])
      expect(await place.belay(args, WIDE)).toEqual({
        code: 1,
        stdout:
          "1 error keeps all hooks of this project off, so there is nothing to trust; next: belay check\n",
        stderr: "",
      });
  });

  it("belay run and belay why do", async () => {
    const place = scratch();
    place.config(hooks);
    const args = ["PreToolUse", "--config", "hooks.json"];
    const run = await place.belay(["run", ...args], WIDE);
    expect(run.stdout).toContain(
      "match   1 error keeps all hooks off; next: belay check --config hooks.json\n",
    );
    const why = await place.belay(["why", ...args], WIDE);
    expect(why.stdout).toMatch(
      /^0 would fire for PreToolUse\n1 error keeps an entry off\n✗ .*hooks\.json:1\n/,
    );
  });
});

describe("with one that is off beside one that is not", () => {
  const SIDES: readonly [what: string, hooks: object][] = [
    ["of another event", { ...bash(GUARD), ...{ Stopp: [{ hooks: [GUARD] }] } }],
    ["of the same", { PreToolUse: [...bash(GUARD).PreToolUse, GUARD] }],
  ];

  it.each(SIDES)("belay trust says both: %s", async (_, hooks) => {
    const place = settings(hooks);
    const off = "1 error keeps an entry off; next: belay check\n";
    const asked = await place.belay(["trust"], WIDE);
    expect([asked.code, asked.stdout]).toEqual([
      1,
      expect.stringContaining(`\n${off}1 new hook not trusted.`),
    ]);
    const trusted = await place.belay(["trust", "--yes"], WIDE);
    expect([trusted.code, trusted.stdout]).toEqual([0, expect.stringContaining(`\n${off}Trusted 1 hook.`)]);
    const again = await place.belay(["trust"], WIDE);
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringContaining(`\n${off}1 hook trusted as it is: nothing to do.\n`),
    ]);
  });

  it("an error of the user's own file is nothing to trust", async () => {
    const place = settings(bash(GUARD));
    place.file("../home/.belay/settings.json", JSON.stringify({ hooks: TYPO }));
    const { code, stdout } = await place.belay(["trust", "--yes"], WIDE);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("keeps")]);
  });

  it("belay run counts one without an event for every event: it may have been meant for this one", async () => {
    const place = scratch();
    place.config({ ...TYPO, Stop: [{ hooks: [GUARD] }] });
    const { stdout } = await place.belay(["run", "PreToolUse", "--config", "hooks.json"], WIDE);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "match 0 of 0 hooks for PreToolUse fire 1 error keeps an entry off; next: belay check",
    );
  });

  it.each([
    ["a permission", { permissions: { allow: [7] } }],
    ["a setting of the file", { dialect: "none" }],
  ])("an error in %s keeps no hook off", async (_, more) => {
    const place = scratch();
    place.file("hooks.json", JSON.stringify({ hooks: bash(GUARD), ...more }));
    const { stdout } = await place.belay(["run", "PreToolUse", "--config", "hooks.json"], WIDE);
    expect(stdout).toContain("1 of 1 hook for PreToolUse fires\n");
    expect(stdout).not.toContain("keeps");
  });
});

/** A project with settings of its own. */
function settings(hooks: object): Scratch {
  const place = scratch();
  place.config(hooks, ".belay/settings.json");
  return place;
}
