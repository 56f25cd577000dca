import { expect, it } from "vitest";
import { startHost } from "./processes.ts";
import { CALL, command, said, scratch } from "./scratch.ts";

/** What hooks find in their environment (design §7). */

it("hooks find the environment that their host has by then", async () => {
  const { stdout } = await startHost("late-env.mjs").finished;
  expect(stdout).toBe("first \nfirst late\n late\n");
});

it("hooks find what the environment that their host gives inherits, and no name without a value", async () => {
  const { write, engineFor } = scratch();
  const shown = '"OWN INHERITED NONE".split(" ").map((name) => process.env[name] ?? "-").join()';
  const module = write("shown.mjs", `export default () => ({ systemMessage: ${shown} });`);
  const echo = `echo "{\\"systemMessage\\": \\"\${OWN--},\${INHERITED--},\${NONE--}\\"}"`;
  const env = Object.create({ PATH: process.env.PATH, INHERITED: "inherited" });
  Object.assign(env, { OWN: "own", NONE: undefined });
  const hooks = await engineFor("PreToolUse", [command(echo), { type: "module", module }], { env });
  expect(said(await hooks.fire("PreToolUse", CALL))).toEqual(["own,inherited,-", "own,inherited,-"]);
});

it("a variable may have any name", async () => {
  const { engineFor } = scratch();
  const env = Object.fromEntries([
    ["PATH", process.env.PATH],
    ["__proto__", "value"],
  ]);
  const hooks = await engineFor("PreToolUse", [command(`printf '{"systemMessage": "%s"}' "$__proto__"`)], {
    env,
  });
  expect(said(await hooks.fire("PreToolUse", CALL))).toEqual(["value"]);
});
