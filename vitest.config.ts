import { defineConfig } from "vitest/config";
import { OWN_AGENT_VARIABLE } from "./packages/engine/src/environment.ts";
import { callVariables } from "./packages/harness/src/registry.ts";

// Every Node that a test starts would read these certificates first, for twice the time of a start; the tests call nobody.
delete process.env.NODE_EXTRA_CA_CERTS;

// An agent may run the tests: `belay trust` would refuse to.
for (const name of [OWN_AGENT_VARIABLE, ...callVariables]) delete process.env[name];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "all", include: ["packages/*/test/**/*.test.{ts,tsx}"] } },
      {
        extends: true,
        test: {
          name: "launcher",
          // The companion starts processes as the host does: what can go wrong with a process, and a smoke test (engine).
          include: [
            "packages/engine/test/{engine,exec-form,host-ends,process-ends,process-io}.test.ts",
            "packages/engine/test/conformance/conformance.test.ts", // its faults alone
          ],
          env: { BELAY_TEST_LAUNCHER: "on" },
        },
      },
    ],
    // Real processes on two cores: starting them is slow when many files do it at once.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // A start copies the page tables of the process that starts: of one that holds all threads it takes twice the system's time.
    pool: "forks",
    // One more than the cores that CI has: most tests wait for processes.
    maxWorkers: 3,
  },
});
