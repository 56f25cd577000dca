// `belay test` against the commands alone: what 200 cases cost beyond the hooks that they run.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleave, timeOfAsync } from "./measure.mjs";

const BELAY = fileURLToPath(new URL("../packages/cli/bin/belay.js", import.meta.url));
const ALONE = fileURLToPath(new URL("test-child.mjs", import.meta.url));
const CASES = 200;
const PARALLEL = String(availableParallelism());

/** A guard as people write them: it reads the event and looks for a word. */
const GUARD = `#!/bin/sh
if grep -q 'rm -rf'; then
  echo "rm -rf is not allowed" >&2
  exit 2
fi
`;

/** A project with a guard and 200 cases for it. */
function project() {
  const folder = mkdtempSync(join(tmpdir(), "belay-bench-"));
  const guard = join(folder, "guard.sh");
  writeFileSync(guard, GUARD);
  chmodSync(guard, 0o755);
  const cases = Array.from({ length: CASES }, (_, index) => {
    const [command, expected] = index % 2 === 0 ? ["rm -rf build", "deny"] : ["npm test", "none"];
    return `  - name: case ${index}
    payload: { tool_input: { command: ${command} ${index} } }
    expect: { decision: ${expected} }
`;
  });
  const head = "hook: guard.sh\ndefaults: { event: PreToolUse }\ncases:\n";
  writeFileSync(join(folder, "guard.hooks.yaml"), head + cases.join(""));
  return { folder, guard };
}

/** A whole program, from its start to its exit. @param {string} folder @param {readonly string[]} args @param {readonly number[]} expected */
function whole(folder, args, expected = [0]) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: "ignore" });
    child.on("error", reject);
    child.on("exit", (code) =>
      code !== null && expected.includes(code)
        ? resolve(code)
        : reject(new Error(`${args[0]} exited with ${code}`)),
    );
  });
}

/** @type {import("./report.mjs").Measurement[]} */
export const testRows = [
  {
    name: `belay test, ${CASES} cases of a shell hook`,
    reference: `a program that does ${CASES} such spawns, as many at a time`,
    unit: "ms",
    target: { of: "ratio", atMost: 1.3 },
    measure: async ({ quick }) => {
      const { folder, guard } = project();
      try {
        return await interleave(
          () => timeOfAsync(() => whole(folder, [BELAY, "test", "--parallel", PARALLEL])),
          () => timeOfAsync(() => whole(folder, [ALONE, guard, String(CASES), PARALLEL])),
          quick ? 5 : 20,
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
  {
    name: `belay test --as all, ${CASES} cases of a shell hook`,
    reference: "the same without --as",
    unit: "ms",
    target: { of: "ratio", atMost: 1.15 },
    isShort: false,
    measure: async ({ quick }) => {
      const { folder } = project();
      const test = [BELAY, "test", "--parallel", PARALLEL];
      try {
        return await interleave(
          // One agent reads no exit code: cases fail there.
          () => timeOfAsync(() => whole(folder, [...test, "--as", "all"], [2])),
          () => timeOfAsync(() => whole(folder, test)),
          quick ? 5 : 20,
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
];
