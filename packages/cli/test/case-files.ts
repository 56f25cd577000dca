import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Scratch, scratch } from "./cli.ts";

const GUARD = `#!/bin/sh
input=$(cat)
case "$input" in
  *'rm -rf'*) echo "rm -rf is not allowed" >&2; exit 2 ;;
  *context*) echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"mind the gap"}}' ;;
  *rewrite*) echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"safer","updatedInput":{"command":"ls -l"}}}' ;;
  *halt*) echo '{"continue":false,"stopReason":"enough in '"$PWD"'"}' ;;
  *nonsense*) echo '{"decision":7}' ;;
  *leave*) echo "$WORD at $HOME" > left.txt; cat given.txt >> left.txt ;;
esac
exit 0
`;

const SETTINGS = {
  PreToolUse: [
    {
      matcher: "Bash|Write",
      hooks: [{ type: "command", command: "$BELAY_PROJECT_DIR/guard.sh", name: "guard" }],
    },
  ],
};

/** A project with a guard and these case files, and what else is put there; what `belay test` says of them. */
export async function run(
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  put: (project: Scratch) => void = () => {},
) {
  const project = scratch();
  project.file("guard.sh", GUARD, 0o755);
  project.config(SETTINGS);
  for (const [name, text] of Object.entries(files)) project.file(name, text);
  put(project);
  // What is kept goes with the rest.
  const TMPDIR = join(project.home, "tmp");
  mkdirSync(TMPDIR);
  const result = await project.belay(["test", ...args], { env: { COLUMNS: "200", NO_COLOR: "1", TMPDIR } });
  return { ...result, project };
}

/** A case about one command, and what is expected of it. */
export const about = (command: string, expected: string, more = "") =>
  `config: hooks.json
cases:
  - name: one
    event: PreToolUse
    payload: { tool_input: { command: ${JSON.stringify(command)} } }
${more}    expect: ${expected}
`;

/** Runs each text as a case file of its own, in one start. `blocks` is what is printed of each, on one line, in their order. */
export async function runEach(
  texts: readonly string[],
  args: readonly string[] = [],
  put: (project: Scratch) => void = () => {},
) {
  const files = Object.fromEntries(texts.map((text, index) => [`${index + 10}.hooks.yaml`, text]));
  const result = await run(files, args, put);
  const [report = ""] = result.stdout.split(/\n\n(?=\d+ (?:failed|passed|updated))/);
  const blocks = report.split(/^(?=[✓✗] \d\d\.hooks\.yaml)/m).map((block) => block.replaceAll(/\s+/g, " "));
  return { ...result, blocks };
}
