import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TSC = createRequire(import.meta.url).resolve("typescript/bin/tsc");

const HOST = `
import { createAgent } from "@belay/agent";
import { createEngine } from "@belay/engine";
import { checkConfig } from "@belay/engine/internal";
export const hooks = await createEngine({ env: { TOKEN: "x", GONE: undefined } });
export const listed: readonly { id: string }[] = await hooks.hooks();
export const all = [createAgent, checkConfig];
`;

const OPTIONS = { noEmit: true, strict: true, types: [], target: "es2023", module: "nodenext" };

it("a host compiles with the packages' types and no others: @types/node is not needed", {
  timeout: 300_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "belay-host-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  writeFileSync(join(folder, "host.mts"), HOST);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: OPTIONS, files: ["host.mts"] }),
  );
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [TSC, "-p", folder], (_error, stdout, stderr) => resolve(stdout + stderr));
  });
  expect(said).toBe("");
});
