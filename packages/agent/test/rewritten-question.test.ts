import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PermissionMode } from "../src/types.ts";
import { asked, bash, crashAsking, type Stage, says, stage, wants } from "./stage.ts";

/** A hook in the user's place that has one input run instead of another, where it is about `secret`. */
const REWRITES = (updatedInput: object) =>
  `i=$(cat); case $i in *secret*) echo '${JSON.stringify({
    hookSpecificOutput: { hookEventName: "PermissionRequest", updatedInput },
  })}';; esac`;

interface Row {
  readonly by: "rule" | "unreadable";
  readonly permissions: object;
  readonly tool: string;
  /** Asked about because of its mode alone. */
  readonly other: object;
  readonly input: object;
  readonly rewritten: object;
}

const ROWS: readonly Row[] = [
  {
    by: "rule",
    permissions: { ask: ["Write(./secret.txt)"] },
    tool: "Write",
    other: { file_path: "first", content: "x" },
    input: { file_path: "secret.txt", content: "x" },
    rewritten: { file_path: "ran", content: "x" },
  },
  {
    by: "rule",
    permissions: { ask: ["Bash(cat *)"] },
    tool: "Bash",
    other: { command: "true" },
    input: { command: "cat secret" },
    rewritten: { command: "touch ran" },
  },
  {
    by: "unreadable",
    permissions: { deny: ["Bash(rm *)"] },
    tool: "Bash",
    other: { command: "true" },
    input: { command: "echo $secret" },
    rewritten: { command: "touch ran" },
  },
];

const MODES: readonly PermissionMode[] = ["default", "acceptEdits", "bypass"];

const hasRun = ({ project }: Stage) => existsSync(join(project, "ran"));

describe("a question of the user's rules about an input that a hook has rewritten", () => {
  for (const { by, permissions, tool, other, input, rewritten } of ROWS) {
    const hooks = { PermissionRequest: [REWRITES(rewritten)] };
    const shown = { by, toolInput: input, updatedInput: rewritten };

    for (const mode of MODES)
      it(`is asked again on resume: ${JSON.stringify({ input, mode })}`, async () => {
        const replies = wants({ name: tool, input: { ...input } });
        const first = await stage({ permissions, hooks, mode, replies, answers: [] });
        await crashAsking(first);
        const again = await first.reopen({ answers: [{ kind: "deny" }] });
        expect((await again.agent.goOn())?.reason).toBe("denied");
        expect(again.questions).toMatchObject([shown]);
        expect(hasRun(first)).toBe(false);
      });

    it(`is not answered with another one: ${JSON.stringify(input)}`, async () => {
      const calls = [other, input].map((given) => ({ name: tool, input: { ...given } }));
      const played = await stage({ permissions, hooks, replies: wants(...calls), answers: [] });
      const { agent } = played;
      const turn = agent.send("go");
      await asked(agent, 2);
      agent.answer(agent.state.pending[0]?.id ?? "", { kind: "session" });
      expect(agent.state.pending).toMatchObject([shown]);
      agent.answer(agent.state.pending[0]?.id ?? "", { kind: "deny" });
      expect((await turn).reason).toBe("denied");
      expect(hasRun(played)).toBe(false);
    });
  }
});

const ASKS = { permissionDecision: "ask", permissionDecisionReason: "look at it" };
const REWRITTEN = { updatedInput: { command: "touch ran" } };

const HOOKS_ASK: [name: string, before: object, request: object, hook: string][] = [
  ["before it was rewritten", ASKS, REWRITTEN, "PreToolUse"],
  ["and rewrites it", {}, { ...ASKS, ...REWRITTEN }, "PermissionRequest"],
  ["and another does and rewrites it", ASKS, { ...ASKS, ...REWRITTEN }, "PreToolUse"],
];

describe("a question that a hook wants the user to be asked", () => {
  const replies = wants(bash("whoami"));
  for (const [name, before, request, hook] of HOOKS_ASK)
    it(`stays, though what runs now is allowed: a hook asks ${name}`, async () => {
      const played = await stage({
        permissions: { allow: ["Bash(touch *)"] },
        hooks: {
          PreToolUse: [says("PreToolUse", before)],
          PermissionRequest: [says("PermissionRequest", request)],
        },
        replies,
        answers: [{ kind: "deny" }],
      });
      expect((await played.agent.send("go")).reason).toBe("denied");
      expect(played.questions).toMatchObject([{ by: "hook", hook, reason: "look at it", ...REWRITTEN }]);
      expect(hasRun(played)).toBe(false);
    });

  it("stays when it comes from a hook in the user's place, whatever is allowed meanwhile", async () => {
    const asks = JSON.stringify(says("PermissionRequest", ASKS).json);
    const slow = `touch asked; until [ -e go ]; do sleep 0.05; done; echo '${asks}'`;
    const played = await stage({
      hooks: { PermissionRequest: [{ type: "command", name: "slow", command: slow }] },
      replies: wants(bash("touch ran")),
      answers: [{ kind: "deny" }],
    });
    const turn = played.agent.send("go");
    await expect.poll(() => existsSync(join(played.project, "asked")), { timeout: 10_000 }).toBe(true);
    played.agent.setMode("bypass");
    writeFileSync(join(played.project, "go"), "");
    expect((await turn).reason).toBe("denied");
    expect(played.questions).toMatchObject([{ by: "hook", hook: "slow", reason: "look at it" }]);
    expect(hasRun(played)).toBe(false);
  });

  it("is not raised by a rewrite alone: what the rules allow runs", async () => {
    const played = await stage({
      permissions: { allow: ["Bash(touch *)"] },
      hooks: { PermissionRequest: [says("PermissionRequest", REWRITTEN)] },
      replies,
      answers: [],
    });
    expect((await played.agent.send("go")).reason).toBe("done");
    expect([played.questions, hasRun(played)]).toEqual([[], true]);
  });
});
