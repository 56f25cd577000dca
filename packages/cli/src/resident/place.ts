import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "@belay/core/internal";
import { belayFolder, homeFolder, makeFolder, shortHash } from "@belay/engine/internal";

/** The program, as a file that Node runs. */
export const PROGRAM = fileURLToPath(new URL("../bin/belay.js", import.meta.url));
const BUILT = fileURLToPath(new URL("./main.cjs", import.meta.url));

/** Where the resident of this program listens: one per user, version, program and Node. */
export interface Place {
  readonly home: string;
  readonly folder: string;
  readonly socket: string;
}

declare const VERSION: string;

export function placeFor(home = homeFolder()): Place {
  const folder = join(belayFolder(home), "run");
  const name = shortHash([VERSION, PROGRAM, process.execPath].join("\0"));
  return { home, folder, socket: join(folder, `${name}.sock`) };
}

/** Bytes of a socket's path that every system takes. */
const MAX_PATH = 100;
const OF_OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;

/** Makes the folder. Returns why nobody may listen there, or undefined: whoever can put a socket there answers for the hooks. */
export function whyNotThere({ home, folder, socket }: Place): string | undefined {
  if (process.platform === "win32") return "Windows has no resident: each call starts Belay";
  if (Buffer.byteLength(socket) > MAX_PATH) return `${socket} is too long for a socket`;
  if (!existsSync(home)) return `there is no ${home}`; // it is not made anew for a caller that is gone
  const uid = process.getuid?.();
  try {
    makeFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const above = statSync(dirname(folder));
    if (above.uid !== uid || (above.mode & WRITABLE_BY_OTHERS) !== 0)
      return `${realpathSync(dirname(folder))} is not yours alone; next: chmod go-w it`;
    const found = lstatSync(folder);
    if (!found.isDirectory()) return `${folder} is a link or a file; next: remove it`;
    if (found.uid !== uid) return `${folder} is another user's; next: remove it`;
    if ((found.mode & OF_OTHERS) !== 0) return `${folder} is open to others; next: remove it`;
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Tells a build of the program from the next: a file of a part that is loaded later may be gone with it. */
export function buildMark(): string {
  const { ino = 0, size = 0, mtimeMs = 0 } = statSync(BUILT, { throwIfNoEntry: false }) ?? {};
  return [ino, size, mtimeMs].join(" ");
}
