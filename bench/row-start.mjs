// `belay run` as a whole: start, read the config, run one hook, decide, write the journal, print.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleave, timeOf } from "./measure.mjs";

const BELAY = fileURLToPath(new URL("../packages/cli/bin/belay.js", import.meta.url));

/** @param {readonly string[]} args @param {number} rounds */
async function against(args, rounds) {
  const home = mkdtempSync(join(tmpdir(), "belay-bench-"));
  const config = join(home, "hooks.json");
  const hooks = [{ matcher: "Bash", hooks: [{ type: "command", command: "true" }] }];
  writeFileSync(config, JSON.stringify({ hooks: { PreToolUse: hooks } }));
  // Extra certificates are parsed at every start of Node (here 60 ms) and would hide both numbers.
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env;
  /** @param {readonly string[]} nodeArgs */
  const start = (nodeArgs) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, nodeArgs, {
      cwd: home,
      env: { ...env, HOME: home },
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`node ${nodeArgs.join(" ")} exited with ${status}: ${stderr}`);
    return stdout;
  };
  const run = () => {
    const printed = start([BELAY, "run", "PreToolUse", "--config", config, ...args]);
    if (!/"exitCode": ?0|exit 0/.test(printed)) throw new Error(`the hook did not run:\n${printed}`);
  };
  try {
    return await interleave(
      () => timeOf(run, 1),
      () => timeOf(() => start(["-e", "0"]), 1),
      rounds,
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** @type {import("./report.mjs").Measurement[]} */
export const startRows = [
  {
    name: "belay run --json, one `true` hook",
    reference: "node -e 0",
    unit: "ms",
    target: { of: "ratio", atMost: 2 },
    measure: ({ quick }) => against(["--json"], quick ? 10 : 40),
  },
  {
    name: "belay run, one `true` hook, for people",
    reference: "node -e 0",
    unit: "ms",
    target: { of: "ratio", atMost: 2 },
    measure: ({ quick }) => against([], quick ? 10 : 40),
  },
];
