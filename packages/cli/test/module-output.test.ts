import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";

const BIN = fileURLToPath(new URL("../bin/belay.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "belay-module-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("what a module hook prints is its run's stderr and leaves the Outcome on stdout whole", async () => {
  writeFileSync(
    join(folder, "chatty.mjs"),
    'export default () => { console.log("to stdout"); console.error("to stderr"); return { systemMessage: "hi" }; };\n',
  );
  const config = { hooks: { Stop: [{ hooks: [{ type: "module", module: "./chatty.mjs" }] }] } };
  writeFileSync(join(folder, "hooks.json"), JSON.stringify(config));
  const { stdout, stderr } = await run(["run", "Stop", "--config", "hooks.json", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    messages: [{ to: "user", block: { content: "hi" } }],
    runs: [{ stderr: "to stdout\nto stderr\n" }],
  });
  expect(stderr).toBe("");
});

function run(args: string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, HOME: folder };
    execFile(process.execPath, [BIN, ...args], { cwd: folder, env }, (_error, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
}
