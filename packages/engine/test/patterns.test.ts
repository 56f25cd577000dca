import { expect, it } from "vitest";
import { scratch } from "./scratch.ts";

const RUNAWAYS = ["(a+)+$", "(a|a)*$", "(.*a){12}$", "^(([a-z])+.)+[A-Z]([a-z])+$"];

it.each(RUNAWAYS)("%s behind a lookahead ends soon, and counts as a match", async (pattern) => {
  const { engine, write } = scratch();
  const hooks = [{ type: "command", command: "true", name: "guard" }];
  const file = write("hooks.json", { hooks: { PreToolUse: [{ matcher: `(?=a)${pattern}`, hooks }] } });
  const { explain } = await engine({ configFiles: [file] });
  const started = performance.now();
  const { matches } = await explain("PreToolUse", { tool_name: `${"a".repeat(60)}!` });
  expect(performance.now() - started).toBeLessThan(2000);
  expect(matches.map(({ fires }) => fires)).toEqual([true]);
});
