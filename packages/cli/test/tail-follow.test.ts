import { spawn } from "node:child_process";
import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, type Scratch, scratch } from "./cli.ts";

const HOOKS = {
  PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", name: "guard", command: "exit 2" }] }],
};

/** `belay tail -f` as someone watches it. */
function watch({ home, project }: Scratch, args: readonly string[] = []) {
  const child = spawn(process.execPath, [BIN, "tail", "-f", ...args], {
    cwd: project,
    env: { ...process.env, HOME: home, NO_COLOR: "1", COLUMNS: "100" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    printed.stderr += text;
  });
  const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve(signal ?? code)));
  return {
    child,
    printed,
    ended,
    shows: (text: string | RegExp) =>
      expect.poll(() => printed.stdout + printed.stderr, { timeout: 15_000 }).toMatch(text),
  };
}

describe("belay tail -f", () => {
  it("shows what was there, then each event as any process records it, until Ctrl-C", async () => {
    const room = scratch();
    const config = room.config(HOOKS);
    const run = (...args: string[]) => room.belay(["run", ...args, "--config", config, "--json"]);
    await run("Stop");
    const tail = watch(room);
    await tail.shows(/Stop .* go on/);
    await Promise.all([run("PreToolUse", "--tool", "Bash"), run("PreToolUse", "--tool", "Write")]);
    await tail.shows(/Bash +npm test +deny +guard/);
    await tail.shows(/Write .* go on/);
    tail.child.kill("SIGINT");
    expect(await tail.ended).toBe(0);
    expect(tail.printed.stdout.trim().split("\n")).toHaveLength(3);
    expect(tail.printed.stderr).toBe("");
  });

  it("waits for a project's first event, shows only what is asked for, and says what is torn", async () => {
    const room = scratch();
    const config = room.config(HOOKS);
    const run = (...args: string[]) => room.belay(["run", ...args, "--config", config, "--json"]);
    const tail = watch(room, ["--decision", "deny", "--json"]);
    await run("Stop");
    const [project = ""] = readdirSync(join(room.home, ".belay/journal"));
    const folder = join(room.home, ".belay/journal", project);
    const [file = ""] = readdirSync(folder);
    appendFileSync(join(folder, file), '{"version":1,"id":"7');
    await run("PreToolUse", "--tool", "Bash");
    await tail.shows('"tool_name":"Bash"');
    await tail.shows("left out a line that was not written to its end");
    tail.child.kill("SIGTERM");
    expect(await tail.ended).toBe(0);
    expect(
      tail.printed.stdout
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { event: string }).event),
    ).toEqual(["PreToolUse"]);
  });

  it("ends when nobody reads any more", async () => {
    const room = scratch();
    await room.belay(["run", "Stop", "--json"]);
    const tail = watch(room);
    await tail.shows("Stop");
    tail.child.stdout.destroy();
    await room.belay(["run", "Stop", "--json"]);
    await room.belay(["run", "Stop", "--json"]);
    expect(await tail.ended).toBe(0);
    expect(tail.printed.stderr).toBe("");
  });
});
