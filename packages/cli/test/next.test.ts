import { describe, expect, test } from "vitest";
import { scratch } from "./cli.ts";

/** Next steps are typed as they are printed, so what is printed must work as it stands. */
describe("started through npm, the next steps begin with npx", () => {
  const rows: [what: string, env: NodeJS.ProcessEnv, expected: string][] = [
    ["by itself", {}, "belay"],
    ["by npx", { npm_command: "exec" }, "npx belay"],
    ["by a script of npm", { npm_lifecycle_event: "start" }, "npx belay"],
  ];
  const commands: [line: string, next: string][] = [
    ["--help", "init"],
    ["check", "init"],
    ["why Stop", "init"],
    ["run Stop", "init"],
    ["init", "run PreToolUse --tool Bash"],
    ["demo --fast", "init  "],
    ["run Stop --input missing.json --config broken.json", "check --config broken.json"],
  ];
  for (const [what, env, belayHere] of rows) {
    test.each(commands)(`${what}: belay %s`, async (line, next) => {
      const { belay, file } = scratch();
      file("broken.json", "{");
      const { stdout, stderr } = await belay(line.split(" "), { env });
      expect(stdout + stderr).toMatch(new RegExp(`(?<!npx )${belayHere} ${next}`));
    });
  }
});
