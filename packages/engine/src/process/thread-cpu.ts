import { readFileSync } from "node:fs";

/** From Node 23.9 on. */
const { threadCpuUsage } = process as { threadCpuUsage?: () => NodeJS.CpuUsage };

/**
 * The milliseconds for which this thread has had the processor, to be compared with an earlier answer. Where neither Node nor
 * the system tells, those of the whole process, which a busy thread of the host runs up as well.
 */
export function threadCpuMs(): number {
  if (threadCpuUsage === undefined) return linuxThreadMs() ?? sumMs(process.cpuUsage());
  return sumMs(threadCpuUsage());
}

const sumMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;

function linuxThreadMs(): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const [onCpuNs] = readFileSync("/proc/thread-self/schedstat", "latin1").split(" ");
    return Number(onCpuNs) / 1e6;
  } catch {
    return undefined;
  }
}
