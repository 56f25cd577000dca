import { readConfig } from "@belay/core";
import { expect, it } from "vitest";

const read = (hooks: object) =>
  readConfig({ file: "s.json", layer: "user", text: JSON.stringify({ hooks }) });

it("of thousands of problems the first are told, and how many more there are", () => {
  const events = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`e${index}`, []]));
  const { problems } = read(events);
  expect(problems).toHaveLength(1001);
  expect(problems.at(-1)).toMatchObject({
    code: "config-more-problems",
    severity: "error",
    about: "hooks",
    message: "there are 4000 more problems in this file",
  });
});

it("what nobody is told any more is off all the same", () => {
  const bad = Array.from({ length: 1500 }, () => ({ type: "command", command: 7 }));
  const entry = { type: "command", command: "true", timeout: "soon" };
  expect(
    read({ Stop: [{ hooks: [...bad, entry] }, { matcher: 7, hooks: [{ type: "json", json: {} }] }] }).hooks,
  ).toEqual([]);
});
