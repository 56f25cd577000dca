import { readConfig } from "@belay/core";
import { expect, it } from "vitest";

const read = (hooks: object) =>
  readConfig({ file: "s.json", layer: "user", text: JSON.stringify({ hooks }) });

it("of thousands of problems the first are told, and how many more there are", () => {
  const events = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`e${index}`, []]));
  const { problems } = read(events);
  expect(problems).toHaveLength(1001);
  expect(problems.at(-1)).toMatchObject({
    code: "config-more-errors",
    severity: "error",
    about: "hooks",
    message: "this file has 4000 more errors",
  });
});

it("what nobody is told any more is off all the same", () => {
  const bad = Array.from({ length: 1500 }, () => ({ type: "command", command: 7 }));
  const entry = { type: "command", command: "true", timeout: "soon" };
  expect(
    read({ Stop: [{ hooks: [...bad, entry] }, { matcher: 7, hooks: [{ type: "json", json: {} }] }] }).hooks,
  ).toEqual([]);
});

it("thousands of warnings hide no error, and are none", () => {
  const many = Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`field${index}`, 1]));
  const sound = { type: "command", command: "true", ...many };
  const { hooks, problems } = read({ Stop: [{ hooks: [sound, { type: "command", command: 7 }] }] });
  expect(hooks).toHaveLength(1);
  expect(problems).toHaveLength(1002);
  expect(problems.slice(-2)).toMatchObject([
    { code: "config-bad-entry", severity: "error" },
    { code: "config-more-warnings", severity: "warning" },
  ]);
});

const INSIDE = [{ type: "command" }, { type: "command", command: "true", timout: 5 }];

it.each([
  ["a matcher that is no pattern", { PreToolUse: [{ matcher: "Bash(", hooks: INSIDE }] }, "bad-matcher"],
  ["a matcher that is no text", { PreToolUse: [{ matcher: ["Bash"], hooks: INSIDE }] }, "bad-entry"],
  ["another unsound field", { PreToolUse: [{ sequential: 1, hooks: INSIDE }] }, "bad-entry"],
  ["a misspelt event", { PreTooluse: [{ hooks: INSIDE }] }, "unknown-event"],
  ["an event near none", { OnceInABlueMoon: [{ hooks: INSIDE }] }, "unknown-event"],
])("%s hides no problem behind it, and what it holds is off", (_, events, code) => {
  const { hooks, problems } = read(events);
  expect(problems.map((problem) => problem.code)).toEqual([
    `config-${code}`,
    "config-bad-entry",
    "config-misspelt-field",
  ]);
  expect(hooks).toEqual([]);
});

it.each([
  [{ $comment: "off for now" }, []],
  [{ $comment: ["off", "for now"] }, []],
  [{ PreTooluse: {} }, ["config-bad-entry"]],
  [{ PreTooluse: [{ matcher: "(", hooks: 7 }] }, ["config-bad-entry", "config-bad-matcher"]],
])("under an event that there is not only what may be hooks is read as such: %j", (events, codes) => {
  const { problems } = read(events);
  expect(problems.map(({ code }) => code)).toEqual(["config-unknown-event", ...codes]);
});
