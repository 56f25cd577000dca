import { chmodSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { belayFolder, homeFolder, makeFolder } from "@belay/engine/internal";

/*
 * Where a running `belay chat` can be found by another process of the same user: a socket for each, in a folder that is
 * closed to everybody else. The name holds the process: two may be at the same session, one in a container.
 */

const SOCKET = /^[\da-f]{8}-\d+\.sock$/;

export function runFolder(home?: string): string {
  return join(belayFolder(homeFolder(home)), "run");
}

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

/** More than any message holds; whoever sends more is not one of ours. */
const MAX_LINE = 4 * 1024 * 1024;

/** Tells each line that comes as JSON; a peer that sends anything else is hung up on. */
export function readLines(socket: Socket, told: (value: unknown) => void): void {
  let text = "";
  socket.setEncoding("utf8");
  socket.on("error", () => {}); // "close" follows
  socket.on("data", (part: string) => {
    const [rest = "", ...lines] = (text + part).split("\n").reverse();
    text = rest;
    try {
      if (text.length > MAX_LINE) throw new RangeError("a line without an end");
      for (const line of lines.reverse()) told(JSON.parse(line));
    } catch {
      socket.destroy();
    }
  });
}

export function writeLine(socket: Socket, value: unknown): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(value)}\n`);
}
