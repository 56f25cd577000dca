import { expect, it } from "vitest";
import { read } from "./advising.ts";

/** A hook without a name is called by what it runs, and the folder tells nobody which hook it is. */
it.each([
  ["./hooks/guard.sh --strict", "guard.sh --strict"],
  ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh', "guard.sh"],
  ['python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/slow.py', "python3 slow.py"],
  ["'./my guard.sh' --now", "my guard.sh --now"],
  ['sh "$HOME/my hooks/guard.sh"', "sh guard.sh"],
  ["grep -q 'rm -rf /' && exit 2", "grep -q 'rm -rf /' && exit 2"],
  ["curl -d @- http://127.0.0.1/x.json", "curl -d @- http://127.0.0.1/x.json"],
])("%s", (command, name) => {
  const [hook] = read({ Stop: [{ hooks: [{ type: "command", command }] }] });
  expect(hook?.name).toBe(`Stop[0.0] ${name}`);
});
