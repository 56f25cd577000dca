import { chmodSync } from "node:fs";
import { join } from "node:path";
import { belayFolder, homeFolder, makeFolder } from "@belay/engine/tools";

/*
 * Where a running `belay chat` can be found by another process of the same user: a socket for each, in a folder that is
 * closed to everybody else. The name holds the process: two may be at the same session, one in a container.
 */

const SOCKET = /^[\da-f]{8}-\d+\.sock$/;

export function runFolder(home?: string): string {
  return join(belayFolder(homeFolder(home)), "run");
}

/** Made if need be, and closed to others. */
export function openRunFolder(home?: string): string {
  const folder = runFolder(home);
  makeFolder(folder);
  chmodSync(folder, 0o700);
  return folder;
}

export function socketName(sessionId: string): string {
  return `${sessionId
    .replaceAll(/[^\da-f]/g, "0")
    .slice(0, 8)
    .padEnd(8, "0")}-${process.pid}.sock`;
}

export const isSocketName = (name: string): boolean => SOCKET.test(name);

/** Others' pipes on Windows have no such lock, so nothing is opened there. */
export const HAS_SOCKETS = process.platform !== "win32";
