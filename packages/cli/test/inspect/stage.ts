import { afterAll } from "vitest";
import { type Scratch, scratch } from "../cli.ts";
import { launch, type Served } from "./server.ts";

/** Says no, asks and lets pass; what it prints would be markup if anything here were. */
const GUARD = `#!/bin/sh
input=$(cat)
case "$input" in
*"rm -rf"*) echo "rm -rf is not allowed here; <img src=x onerror=alert(1)> use trash" >&2; exit 2 ;;
*push*) printf '%s' '{"systemMessage":"a push","colour":"red","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"pushes go through you"}}' ;;
esac
`;

const NOD = {
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "allow",
    permissionDecisionReason: "reading is fine",
  },
};

const SETTINGS = {
  hooks: {
    PreToolUse: [
      {
        matcher: "Bash",
        hooks: [{ type: "command", command: "./guard.sh", name: "guard", onFailure: "block" }],
      },
      {
        sequential: true,
        hooks: [
          { type: "command", command: "sleep 0.03", name: "audit" },
          { type: "json", json: NOD, name: "nod" },
        ],
      },
      { matcher: "Write|Edit", hooks: [{ type: "command", command: "./lint.sh", name: "lint" }] },
    ],
    UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo 'The build is green.'", name: "news" }] }],
    Stop: [
      {
        hooks: [{ type: "command", command: "echo 'the tests have not run' >&2; exit 2", name: "run-tests" }],
      },
    ],
  },
};

/** All of them are of one session. */
export const SESSION = "6b5e2f6c-8d7a-4c1b-9e3f-2a1b3c4d5e6f";

const EVENTS: readonly (readonly string[])[] = [
  ["UserPromptSubmit", "--prompt", "tidy up <b>everything</b> and push it"],
  ["PreToolUse", "--tool", "Read", "--tool-input", '{"file_path":"src/parser.ts"}'],
  ["PreToolUse", "--tool", "Write", "--tool-input", '{"file_path":"notes.txt","content":"done"}'],
  ["PreToolUse", "--tool", "Bash", "--tool-input", '{"command":"rm -rf build /tmp/cache"}'],
  ["PreToolUse", "--tool", "Bash", "--tool-input", '{"command":"git push origin main"}'],
  ["Stop"],
];

export interface Stage {
  readonly room: Scratch;
  readonly served: Served;
}

/**
 * A project with trusted hooks, some events that really fired, and the page over them. Made when the first test asks for it,
 * and shared by the tests of a file.
 */
export function sharedStage(): () => Promise<Stage> {
  let made: Promise<Stage> | undefined;
  const room = scratch(afterAll);
  afterAll(async () => (await made)?.served.end());
  return () => {
    made ??= stageIn(room);
    return made;
  };
}

async function stageIn(room: Scratch): Promise<Stage> {
  room.file("guard.sh", GUARD, 0o755);
  room.file(".belay/settings.json", JSON.stringify(SETTINGS, null, 2));
  await room.belay(["trust", "--yes"]);
  for (const args of EVENTS) await room.belay(["run", ...args, "--session", SESSION, "--json"]);
  return { room, served: await launch(room) };
}
