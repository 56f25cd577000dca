import { createEngine } from "@belay/engine";
import { expect, it } from "vitest";
import { findUntrusted } from "../src/tui/trust.tsx";
import { scratch } from "./cli.ts";

it("what cannot be looked through to its end is not offered, and a print of it trusts nothing", async () => {
  const place = scratch();
  const { project: cwd, home } = place;
  const hook = (command: string) => ({ hooks: [{ type: "command", command }] });
  const hooks = {
    PreToolUse: [
      hook(`: ${Array.from({ length: 10_000 }, (_, n) => `w${n}`).join(" ")}; touch ran`),
      hook("exit 0"),
    ],
  };
  place.file(".belay/settings.json", JSON.stringify({ hooks }));
  const untrusted = await findUntrusted({ cwd, home, model: {} });
  expect(untrusted.hooks.map(({ hook: { handler } }) => handler)).toEqual([
    { type: "command", command: "exit 0" },
  ]);
  untrusted.accept();
  const engine = await createEngine({ cwd, home, journal: false });
  const { runs } = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
  await engine.close();
  expect(runs).toHaveLength(1);
});
