import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startHost } from "./processes.ts";
import { scratch, settings } from "./scratch.ts";
import { PROJECT } from "./trust-project.ts";

/** What cannot be looked into may be swapped unseen, so it is never trusted. Each row runs without the rights of root. */

interface Fired {
  readonly ran: number;
  readonly told: readonly [code: string, message: string][];
}

/** Trusts one command after the first shell line, and fires it after the second. */
async function fired(command: string, before: string, after: string): Promise<Fired & { project: string }> {
  const { project, home, write } = scratch();
  write(PROJECT, settings("Stop", { type: "command", command, name: "guard", timeout: 5 }));
  execFileSync("sh", ["-c", before], { cwd: project, stdio: "ignore" });
  const { stdout, stderr } = await startHost("trust-then.mjs", [project, home, after]).finished;
  expect(stderr).toBe("");
  return { ...(JSON.parse(stdout) as Fired), project };
}

const UNREADABLE = "cp /bin/true tool && chmod 111 tool";
const LARGE = "cp /bin/true tool && truncate -s 11M tool && chmod 111 tool";
const FOLDER = "mkdir -p d && cp /bin/true d/tool && chmod 0 d";

describe("not trusted", () => {
  const denied = (call: string, name: string) => (project: string) =>
    `it names a file that cannot be read: EACCES: permission denied, ${call} '${join(project, name)}'`;
  const pipe = (name: string) => (project: string) =>
    `it runs a pipe, socket or device: ${join(project, name)}`;
  type Row = [what: string, command: string, before: string, after: string, why: (project: string) => string];
  const rows: Row[] = [
    ["what was missing, and may not be read now", "./tool", "", UNREADABLE, denied("open", "tool")],
    ["what could never be read", "./tool", UNREADABLE, "", denied("open", "tool")],
    ["one that was swapped", "./tool", UNREADABLE, `rm tool && ${UNREADABLE}`, denied("open", "tool")],
    ["a large one", "./tool", LARGE, "", denied("open", "tool")],
    ["one that is only mentioned", "cat tool", UNREADABLE, "", denied("open", "tool")],
    ["one in a folder that may not be entered", "./d/tool", FOLDER, "", denied("stat", "d/tool")],
    ["a package's", "node node_modules/x/a.js", "", "", denied("open", "node_modules/x/a.js")],
    ["a pipe", "sh ff.sh", "mkfifo ff.sh", "", pipe("ff.sh")],
    ["a pipe without an ending", "sh ff", "mkfifo ff", "", pipe("ff")],
    ["a pipe that is read in", ". ./ff", "mkfifo ff", "", pipe("ff")],
    ["a link to a device", "./d.sh", "ln -s /dev/zero d.sh", "", pipe("d.sh")],
  ];
  it.each(rows)("%s", async (_what, command, before, after, why) => {
    const module = "mkdir -p node_modules/x && echo > node_modules/x/a.js && chmod 0 node_modules/x/a.js";
    const { ran, told, project } = await fired(command, `${module}\n${before}`, after);
    const message = `guard cannot be trusted as it is: ${why(project)}, so an edit could go unseen`;
    expect([ran, told.map(([code]) => code)]).toEqual([0, ["hook-untrusted", "hook-not-trustable"]]);
    expect(told[1]?.[1]).toBe(message);
  });
});

describe("trusted as ever", () => {
  const SOCKET = `node -e 'require("net").createServer().listen("s.sock", () => process.kill(process.pid, "SIGKILL"))'`;
  const rows: [what: string, command: string, before: string][] = [
    ["a folder that is listed", "ls hooks/ .", "mkdir hooks"],
    ["a folder that a runtime is given", "node .", "echo > index.js"],
    ["a folder as a script", "python3 hooks", "mkdir hooks && echo > hooks/__main__.py"],
    ["devices that hold no script", "sh /dev/null </dev/null >/dev/null", ""],
    ["what comes on stdin", "echo true | bash /dev/stdin", ""],
    ["a socket that is talked to", "curl -s --unix-socket s.sock http://x", `${SOCKET} || true`],
    ["a pipe that is written to", "test -p ff || echo x >ff", "mkfifo ff"],
    ["a pipe that is mentioned", "test -p ff", "mkfifo ff"],
    ["a large program that may be read", "./tool", "cp /bin/true tool && truncate -s 11M tool"],
    ["a link into the system", "./tool", "ln -s /bin/true tool"],
    ["what is not there", "./tool", ""],
    ["what cannot be there", "./f/tool", "echo > f"],
  ];
  it.each(rows)("%s", async (_what, command, before) => {
    expect(await fired(command, before, "")).toMatchObject({ ran: 1 });
  });
});
