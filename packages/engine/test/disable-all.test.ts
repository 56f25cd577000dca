import type { EngineOptions } from "@belay/engine";
import { checkConfig } from "@belay/engine/internal";
import { describe, expect, it } from "vitest";
import { codes, command, said, says, scratch, settings } from "./scratch.ts";

/**
 * "disableAllHooks": true of Claude Code's files. What comes with a project switches off what comes with the project; the
 * user's own hooks only the user does.
 */

const FILES = {
  user: "home/.claude/settings.json",
  project: "project/.claude/settings.json",
  local: "project/.claude/settings.local.json",
};
type Name = keyof typeof FILES;
const NAMES = Object.keys(FILES) as Name[];

function room(switches: Partial<Record<Name, unknown>>) {
  const made = scratch();
  for (const name of NAMES) {
    const off = switches[name];
    const flag = off === undefined ? {} : { disableAllHooks: off };
    const hook = command(`echo '{"systemMessage":"${name}"}'`);
    made.write(FILES[name], { ...flag, ...settings("Stop", hook) });
  }
  return made;
}

const CLAUDE = { dialect: "claude-code" } as const;

describe("who switches off whom", () => {
  const rows: [switches: Partial<Record<Name, unknown>>, run: string[]][] = [
    [{}, ["user", "project", "local"]],
    [{ user: true }, []],
    [{ user: true, project: false, local: false }, []],
    [{ project: true }, ["user", "local"]],
    [{ local: true }, ["user"]],
    [{ project: true, local: false }, ["user", "local"]],
    [{ local: "true" }, ["user", "project", "local"]],
    [{ user: false }, ["user", "project", "local"]],
  ];
  it.each(rows)("%j", async (switches, run) => {
    const { engine, trustAll, project, home } = room(switches);
    await trustAll(CLAUDE);
    const made = await engine(CLAUDE);
    const first = await made.fire("Stop", {});
    const isOff = Object.values(switches).includes(true);
    const isBad = Object.values(switches).includes("true");
    const expected = isOff ? ["config-hooks-off"] : isBad ? ["config-bad-entry"] : [];
    expect(said(first).filter((text) => text in FILES)).toEqual(run);
    expect(codes(first)).toEqual(expected);
    expect(said(first).filter((text) => text.includes("disableAllHooks"))).toHaveLength(expected.length);
    expect(codes(await made.fire("Stop", {}))).toEqual([]);
    const { matches } = await made.explain("Stop", {});
    expect(matches.filter(({ fires }) => fires).map(({ hook }) => hook.source.layer)).toEqual(run);
    for (const { fires, because, explanation } of matches.filter(({ fires }) => !fires))
      expect({ fires, because, explanation }).toEqual({
        fires: false,
        because: "disabled",
        explanation: expect.stringMatching(/^disableAllHooks is true in .*settings(?:\.local)?\.json:1$/),
      });
    const { problems } = await checkConfig({ cwd: project, home, ...CLAUDE });
    expect(problems.map(({ code }) => code)).toEqual(expected);
  });
});

describe("files that are named", () => {
  const OFF = { disableAllHooks: true };
  const rows: [what: string, first: object, second: object, options: EngineOptions, run: string[]][] = [
    ["each for itself", OFF, {}, CLAUDE, ["second"]],
    ["by its own dialect", { ...OFF, dialect: "claude-code" }, {}, {}, ["second"]],
    ["of another dialect", OFF, {}, {}, ["first", "second"]],
  ];
  it.each(rows)("%s", async (_what, first, second, options, run) => {
    const { write, engine } = scratch();
    const configFiles = [
      write("first.json", { ...first, ...settings("Stop", says("first")) }),
      write("second.json", { ...second, ...settings("Stop", says("second")) }),
    ];
    const made = await engine({ configFiles, ...options });
    expect(said(await made.fire("Stop", {})).filter((text) => /^(?:first|second)$/.test(text))).toEqual(run);
  });

  it("a plugin switches off itself alone", async () => {
    const { write, engine } = scratch();
    write("a/hooks/hooks.json", { ...OFF, ...settings("Stop", says("a")) });
    write("b/hooks/hooks.json", settings("Stop", says("b")));
    const made = await engine({ pluginDirs: ["../a", "../b"] });
    expect(said(await made.fire("Stop", {}))).toEqual(["b", expect.stringContaining("disableAllHooks")]);
  });
});
