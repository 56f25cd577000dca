import { readConfig } from "@belay/core";
import { adviseOnHooks } from "@belay/core/advise";
import { hooksOf } from "@belay/core/internal";
import { describe, expect, it } from "vitest";
import { command } from "./advising.ts";

/* A file of Claude Code's may hold fields of Belay's: what they say does not hold there, and that is said here. */

const HERE = "/p/.claude/settings.json";

function advice(hooks: readonly object[], { file = HERE, group = {}, more = {} } = {}) {
  const text = JSON.stringify({ hooks: { PreToolUse: [{ ...group, hooks }] }, ...more }, undefined, 1);
  const config = readConfig({ file, layer: "project", text, dialect: "claude-code" });
  return adviseOnHooks(hooksOf([config])).filter(({ code }) => code === "config-belay-field");
}

describe("fields that only Belay reads, in a file of Claude Code", () => {
  const KEEP = "keep the hook in .belay/settings.json.";
  const CATCH = "Let the script catch its errors and exit with 2.";
  const REMOVE = "Remove the entry to switch it off there too.";
  const NOT_RUN = "the hook does not run there";
  const COLD = "there it is started for each event, and gets the bare payload";
  const ROWS: readonly [field: string, entry: object, instead: string, fix: string][] = [
    ['"onFailure": "block"', { ...command, onFailure: "block" }, "a fault lets work go on there", CATCH],
    [
      '"mode": "observe"',
      { ...command, mode: "observe" },
      "its answer counts there",
      `Until it is to count, ${KEEP}`,
    ],
    ['"enabled": false', { ...command, enabled: false }, "the hook runs there", REMOVE],
    ['"warm"', { ...command, warm: true }, COLD, `Let it answer that as well, or ${KEEP}`],
    ['"warm"', { ...command, warm: "parallel" }, COLD, `Let it answer that as well, or ${KEEP}`],
    ['"type": "json"', { type: "json", json: {} }, NOT_RUN, `Write a command, or ${KEEP}`],
    ['"type": "module"', { type: "module", module: "./a.mjs" }, NOT_RUN, `Write a command, or ${KEEP}`],
  ];
  it.each(ROWS)("%s", (field, entry, instead, fix) => {
    expect(advice([command, entry])).toEqual([
      {
        code: "config-belay-field",
        severity: "warning",
        message: `\`${field}\` is not read by Claude Code: ${instead}`,
        fix,
        hook: expect.stringContaining("PreToolUse[0.1]"),
        path: `${HERE}:10`,
      },
    ]);
    for (const file of ["/p/.claude/settings.local.json", "C:\\p\\.claude\\settings.json"])
      expect(advice([entry], { file })).toHaveLength(1);
  });

  it("sequential, once for its group, where there is more than one hook", () => {
    const group = { sequential: true };
    const found = advice([command, { ...command, command: "false" }, { ...command, command: ":" }], {
      group,
    });
    expect(found.map(({ message, fix }) => [message, fix])).toEqual([
      [
        '`"sequential": true` is not read by Claude Code: the hooks of this group run at the same time there',
        "Let one command do it all in turn.",
      ],
    ]);
    expect(advice([command], { group })).toEqual([]);
  });

  it("nothing that says what holds anyway, is Claude Code's too, or is off there as well", () => {
    const defaults = { onFailure: "continue", mode: "enforce", enabled: true, warm: false };
    expect(
      advice([{ ...command, ...defaults, name: "a", timeout: 3 }], {
        group: { matcher: "Bash", sequential: false },
      }),
    ).toEqual([]);
    expect(
      advice([
        { type: "prompt", prompt: "ok?" },
        { type: "http", url: "http://127.0.0.1" },
      ]),
    ).toEqual([]);
    const blocking = [{ ...command, onFailure: "block" }];
    expect(advice(blocking, { more: { disableAllHooks: true } })).toEqual([]);
    expect(advice(blocking)).toHaveLength(1);
  });

  it.each([
    "/p/.belay/settings.json",
    "/p/.wave/settings.json",
    "/p/.claude/hooks.json",
    "/p/.claude/hooks/hooks.0b8f1d6e-0000-4000-8000-000000000001.json",
    "/p/hooks/hooks.json",
  ])("nothing in %s, which is not known to be read elsewhere", (file) => {
    expect(advice([{ ...command, onFailure: "block" }], { file })).toEqual([]);
  });
});
