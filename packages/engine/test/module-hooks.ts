import type { Engine, Outcome } from "@belay/engine";
import { CALL, type Scratch, scratch } from "./scratch.ts";

export const DENY = `{ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "no " + input.tool_name } }`;

export async function open(
  file: string,
  text: string,
  entry: object = {},
): Promise<Scratch & { hooks: Engine }> {
  const room = scratch();
  room.write(file, text);
  const hooks = await room.engineFor("PreToolUse", [
    { type: "module", module: `./${file}`, name: "guard", ...entry },
  ]);
  return { ...room, hooks };
}

export const fire = (hooks: Engine): Promise<Outcome> => hooks.fire("PreToolUse", CALL);

export const denied = { kind: "deny", reason: "no Bash", hook: "guard" };
