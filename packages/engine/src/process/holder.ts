import { readFileSync } from "node:fs";

/** Names a process in a lock: its pid, and when it began, because a pid is used again. */
export function holderName(pid: number): string {
  return [pid, birthOf(pid) ?? []].flat().join(" ");
}

/** The pid of the process that a lock names, while that process runs. A later process with the same pid is another. */
export function livingHolder(name: string): number | undefined {
  const [first, birth] = name.split(" ");
  const pid = Number(first);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  const known = birth === undefined ? undefined : birthOf(pid);
  return known === undefined || known === birth ? pid : undefined;
}

/** When a process began: the boot and the tick. undefined where the system does not tell. */
function birthOf(pid: number): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is a name in brackets that may hold anything; the 22nd is the tick.
    const tick = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return tick === undefined ? undefined : `${boot}:${tick}`;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
