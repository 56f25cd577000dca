import type { EventName, Outcome } from "@belay/engine";
import { describe, expect, it } from "vitest";
import { CALL, codes, command, said, scratch } from "./scratch.ts";

describe("stops in a row", () => {
  const BLOCK = { type: "json", json: { decision: "block", reason: "go on" }, name: "keen" };
  const open = async (limits = {}) => {
    const { write, engine } = scratch();
    const group = [{ hooks: [command(`cat >&2; exit 2`, { name: "keen" })] }];
    const file = write("hooks.json", { hooks: { Stop: group, SubagentStop: group } });
    const hooks = await engine({ configFiles: [file], limits });
    const stop = (input: Record<string, unknown> = {}, event: EventName = "Stop") => hooks.fire(event, input);
    return { hooks, stop };
  };
  const blocks = async (count: number, stop: () => Promise<Outcome>) => {
    const blocked: boolean[] = [];
    for (let done = 0; done < count; done += 1) blocked.push((await stop()).blocked);
    return blocked;
  };
  const isActive = ({ runs }: Outcome) =>
    (JSON.parse(runs[0]?.stderr ?? "") as { stop_hook_active: unknown }).stop_hook_active;

  it("eight are blocked, the ninth goes through and says so; then it begins anew", async () => {
    const { stop } = await open();
    expect(await blocks(8, stop)).toEqual(Array(8).fill(true));
    const ninth = await stop();
    expect(ninth).toMatchObject({ blocked: false, decision: { kind: "none" } });
    expect(codes(ninth)).toEqual(["stop-cap"]);
    expect(said(ninth)[0]).toMatch(/8 times in a row/);
    expect(said(ninth, "agent")).toEqual([]);
    expect(await blocks(2, stop)).toEqual([true, true]);
  });

  it("the cap is configurable, and may be none", async () => {
    const { stop } = await open({ stopCap: 2 });
    expect(await blocks(4, stop)).toEqual([true, true, false, true]);
    const never = await open({ stopCap: Number.POSITIVE_INFINITY });
    expect(await blocks(12, never.stop)).toEqual(Array(12).fill(true));
  });

  it("stop_hook_active is true once a stop was blocked", async () => {
    const { hooks, stop } = await open();
    expect(isActive(await stop())).toBe(false);
    expect(isActive(await stop())).toBe(true);
    await hooks.fire("PreToolUse", CALL);
    expect(isActive(await stop())).toBe(true);
    await hooks.fire("UserPromptSubmit", { prompt: "" });
    expect(isActive(await stop())).toBe(false);
    expect(isActive(await stop({ stop_hook_active: true, session_id: "other" }))).toBe(true);
  });

  it("a tool call begins the count anew, other events do not", async () => {
    const { hooks, stop } = await open({ stopCap: 2 });
    expect(await blocks(2, stop)).toEqual([true, true]);
    await hooks.fire("PreToolUse", CALL);
    expect(await blocks(2, stop)).toEqual([true, true]);
    await hooks.fire("PostToolUse", { ...CALL, tool_response: "" });
    await hooks.fire("UserPromptSubmit", { prompt: "" });
    expect(await blocks(1, stop)).toEqual([false]);
  });

  it("every session and every subagent has a count of its own", async () => {
    const { stop } = await open({ stopCap: 1 });
    const inOrder: [input: object, event: EventName, blocked: boolean][] = [
      [{ session_id: "a" }, "Stop", true],
      [{ session_id: "b" }, "Stop", true],
      [{ session_id: "a", agent_id: "1" }, "SubagentStop", true],
      [{ session_id: "a", agent_id: "2" }, "SubagentStop", true],
      [{ session_id: "a", agent_id: "1" }, "SubagentStop", false],
      [{ session_id: "a" }, "Stop", false],
      [{ session_id: "b" }, "Stop", false],
    ];
    for (const [input, event, blocked] of inOrder)
      expect([input, (await stop(input as Record<string, unknown>, event)).blocked]).toEqual([
        input,
        blocked,
      ]);
  });

  it("a JSON block counts as well as exit 2", async () => {
    const hooks = await scratch().engineFor("Stop", [BLOCK], { limits: { stopCap: 1 } });
    expect(await blocks(2, () => hooks.fire("Stop"))).toEqual([true, false]);
  });
});
