import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./pages.ts";

const BIN = join(ROOT, "packages/cli/bin/belay.js");

/** No test leaves this machine. */
const QUIET_NPM = {
  npm_config_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
};

/** A fresh folder with a home of its own and `belay` on the PATH. */
export interface Scratch {
  run(script: string, cwd?: string): Promise<{ code: number | null; output: string }>;
  remove(): void;
}

export function scratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), "belay-docs-"));
  const [bin, home, work] = ["bin", "home", "work"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [bin, home, work]) mkdirSync(path);
  const belay = join(bin, "belay");
  writeFileSync(belay, `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(belay, 0o755);
  const {
    NODE_EXTRA_CA_CERTS: _slow,
    npm_command: _npm,
    npm_lifecycle_event: _script,
    ...inherited
  } = process.env;
  const env = {
    ...inherited,
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    NO_COLOR: "1",
    BELAY_CLONE: ROOT,
    ...QUIET_NPM,
  };
  return {
    run: (script, cwd = work) =>
      new Promise((resolve, reject) => {
        const child = spawn("sh", ["-eu", "-c", `exec 2>&1\n${script}`], {
          cwd,
          env,
          stdio: ["ignore", "pipe", "inherit"],
        });
        let output = "";
        child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
          output += chunk;
        });
        child.on("error", reject);
        child.on("close", (code) => resolve({ code, output }));
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
