import { mkdirSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { GivenAnswer, OpenQuestion } from "../../../inspector/src/api.ts";
import { readLines } from "../../src/sockets.ts";
import type { Scratch } from "../cli.ts";

/** The far end of a chat's socket: it says what it is told to say, and every answer that it is given counts. */
export async function chat(
  room: Scratch,
  number: number,
  { cwd = "/", session = `chat-${number}`, toolName = "Bash" } = {},
) {
  const folder = join(room.home, ".belay/run");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const readers = new Set<Socket>();
  const given: unknown[] = [];
  let line = "";
  const server = createServer((socket) => {
    readers.add(socket);
    socket.on("error", () => {});
    readLines(socket, (value) => {
      const { question } = value as { question?: string };
      // Whether somebody watches.
      if (question === undefined) return;
      given.push(value);
      socket.write(`${JSON.stringify({ type: "answered", question, counted: true })}\n`);
    });
    socket.write(line);
  });
  const tell = (commands: readonly string[], answered: readonly GivenAnswer[] = []) => {
    const state = {
      type: "state",
      session,
      cwd,
      questions: commands.map((command) => ask(command, toolName)),
      answered,
    };
    line = `${JSON.stringify(state)}\n`;
    for (const reader of readers) reader.write(line);
  };
  tell([]);
  await new Promise<void>((resolve) => server.listen(join(folder, `00000000-${number}.sock`), resolve));
  const end = () => {
    for (const reader of readers) reader.destroy();
    server.close();
  };
  onTestFinished(end);
  return { tell, end, given };
}

function ask(command: string, toolName: string): OpenQuestion {
  return {
    id: command,
    toolName,
    toolInput: { command },
    timestamp: 0,
    rules: [],
    kinds: ["once", "session", "deny"],
  };
}
