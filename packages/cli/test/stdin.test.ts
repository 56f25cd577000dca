import { execFileSync, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, PLAIN, scratch } from "./cli.ts";

/** A script that was taken for a module, and a hook that reads what is not its own. */
const SCRIPT = `import { readFileSync } from "node:fs";
const event = JSON.parse(readFileSync(0, "utf8"));
if (event.tool_input.command.includes("rm")) process.exit(2);
`;
const READS = `import { readFileSync } from "node:fs";
export default () => ({ systemMessage: "read " + readFileSync(0, "utf8").length });
`;

const CASES = (hook: string) =>
  JSON.stringify({ hook, cases: [{ name: "a", event: "Stop", expect: { decision: "none" } }] });
const RECORDED = "PreToolUse";

/** All of it in a project whose stdin is a pipe that somebody holds open and never writes to. */
async function withOpenPipe(args: readonly string[]) {
  const place = scratch();
  const { file, project, home } = place;
  file("x.ts", SCRIPT);
  file("reads.mjs", READS);
  file("script.hooks.json", CASES("x.ts"));
  file("reads.hooks.json", CASES("reads.mjs"));
  place.config({ [RECORDED]: [{ hooks: [{ type: "module", module: "./reads.mjs" }] }] });
  const fifo = join(project, "fifo");
  execFileSync("mkfifo", [fifo]);
  const held = openSync(fifo, "r+");
  onTestFinished(() => closeSync(held));
  const belay = (argv: readonly string[]) =>
    new Promise<object>((resolve) => {
      const child = spawn(process.execPath, [BIN, ...argv], {
        cwd: project,
        env: { ...process.env, ...PLAIN, HOME: home, COLUMNS: "300", NO_COLOR: "1" },
        stdio: [held, "pipe", "pipe"],
        timeout: 20_000, // it never ended: nothing less helps there
        killSignal: "SIGKILL",
      });
      let printed = "";
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding("utf8").on("data", (text: string) => (printed += text));
      child.on("close", (code, signal) => resolve({ code, signal, printed }));
    });
  if (args[0] === "replay") await belay(["run", RECORDED, "--config", "hooks.json"]);
  return belay(args);
}

describe("a hook that reads belay's own stdin, a pipe that stays open", () => {
  const rows: [what: string, args: readonly string[], code: number, printed: string][] = [
    ["run", ["run", RECORDED, "--config", "hooks.json"], 0, "read 0"],
    ["try", ["try", "reads.mjs", "Stop"], 0, "read 0"],
    ["test", ["test", "reads.hooks.json"], 0, "1 passed"],
    ["replay", ["replay", "--rerun", "--config", "hooks.json"], 0, "all were decided as recorded"],
  ];
  it.each(rows)("%s reads nothing, and ends", async (_what, args, code, printed) => {
    expect(await withOpenPipe(args)).toEqual({
      code,
      signal: null,
      printed: expect.stringContaining(printed),
    });
  });
});

describe("TypeScript that exports no hook", () => {
  const rows: [what: string, args: readonly string[], printed: RegExp][] = [
    [
      "try",
      ["try", "x.ts", "PreToolUse"],
      /^belay: x\.ts exports no function \(export default …\), so it is no module hook; as a script it needs somebody to run it: belay try '(?:npx tsx|node) x\.ts'\n$/,
    ],
    [
      "a case",
      ["test", "script.hooks.json"],
      /^script\.hooks\.json:1: hook: x\.ts exports no function \(export default …\), so it is no module hook; as a script it needs somebody to run it: hook: (?:npx tsx|node) "\$BELAY_PROJECT_DIR"\/x\.ts\n/,
    ],
  ];
  it.each(rows)("%s refuses it before anything runs", async (_what, args, printed) => {
    expect(await withOpenPipe(args)).toEqual({
      code: 1,
      signal: null,
      printed: expect.stringMatching(printed),
    });
  });
});
