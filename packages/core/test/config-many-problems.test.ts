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
    message: "there are 4000 errors more in this file",
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
