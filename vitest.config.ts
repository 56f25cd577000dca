import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.{ts,tsx}"],
    // Real processes on two cores: starting them is slow when many files do it at once.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "threads",
  },
});
