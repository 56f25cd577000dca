import type { Socket } from "node:net";

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
