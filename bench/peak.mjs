import { readFileSync } from "node:fs";

/** The most memory this process ever had. What getrusage tells begins with that of the process that started this one. */
export function peakBytes() {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;
}
