// Where it was measured: what another machine must be compared by, and nothing that names this one.
import { availableParallelism, release, totalmem } from "node:os";

export function machine() {
  return {
    cores: availableParallelism(),
    memoryGB: Math.round(totalmem() / 1000 ** 3),
    node: process.version,
    platform: process.platform,
    arch: process.arch,
    kernel: release(),
  };
}
