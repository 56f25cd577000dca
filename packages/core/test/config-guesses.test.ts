import { readConfig } from "@belay/core";
import { expect, it } from "vitest";

/** A value that is near one of the words that a field may be. */
const ROWS: [field: string, value: string, meant: string][] = [
  ["mode", "observ", "observe"],
  ["onFailure", "blok", "block"],
  ["type", "comand", "command"],
];

it.each(ROWS)("%s %s: the word that was meant", (field, value, meant) => {
  const entry = { type: "command", command: "true", [field]: value };
  const text = JSON.stringify({ hooks: { Stop: [{ hooks: [entry] }] } });
  const { problems } = readConfig({ file: "s.json", layer: "config", text });
  expect(problems.map(({ code, fix }) => [code, fix])).toEqual([
    ["config-bad-entry", `Did you mean "${meant}"?`],
  ]);
});

it("a setting of the file too; a word that is near none has its list alone", () => {
  const fixes = (dialect: string) =>
    readConfig({
      file: "s.json",
      layer: "config",
      text: JSON.stringify({ dialect, hooks: {} }),
    }).problems.map(({ fix }) => fix);
  expect(fixes("claudecode")).toEqual(['Did you mean "claude-code"?']);
  expect(fixes("klingon")).toEqual(["`belay schema --config` prints what is accepted."]);
});

it.each([
  ["PreTooluse", "Use PreToolUse."],
  ["Klingon", "Use one of `belay schema`."],
])("an event that there is not is mended by the one that was meant: %s", (event, fix) => {
  const text = JSON.stringify({ hooks: { [event]: [] } });
  const { problems } = readConfig({ file: "s.json", layer: "user", text });
  expect(problems.map((problem) => problem.fix)).toEqual([fix]);
});
