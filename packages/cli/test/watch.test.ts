import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { background, type Scratch, scratch } from "./cli.ts";

const PATIENCE = { timeout: 15_000 };

/** A command that goes on until it is interrupted. */
function start(room: Scratch, args: readonly string[]) {
  const { child, printed, ended, shows } = background(room, args);
  const interrupt = () => {
    child.kill("SIGINT");
    return ended;
  };
  return { text: () => printed.all, printed: shows, interrupt };
}

const PASSES = "#!/bin/sh\nexit 0\n";
const BLOCKS = "#!/bin/sh\necho no >&2; exit 2\n";

/** A script, and cases for it. */
function withScript(text: string) {
  const project = scratch();
  const script = project.file("hooks/a.sh", text, 0o755);
  const cases = project.file(
    "cases/a.hooks.yaml",
    "hook: ../hooks/a.sh\ncases: [{ name: a, event: Stop, expect: { decision: none } }]\n",
  );
  return { ...project, script, cases };
}

describe("--watch", () => {
  const WATCHES: readonly [command: string, args: readonly string[], before: RegExp, after: RegExp][] = [
    ["try", ["./hooks/a.sh", "Stop"], /go on/, /block by a\.sh: no/],
    ["test", [], /1 passed/, /1 failed/],
  ];
  it.each(WATCHES)("%s runs again when the script is saved", async (command, args, before, after) => {
    const project = withScript(PASSES);
    const watching = start(project, [command, ...args, "--watch"]);
    await watching.printed(/watching \d+ files?/);
    expect(watching.text()).toMatch(before);
    writeFileSync(project.script, BLOCKS);
    await watching.printed(after);
    expect(await watching.interrupt()).toBe(130);
  });

  it.each(WATCHES)("%s runs again when it is saved during a run", async (command, args, before, after) => {
    const project = withScript("");
    const began = join(project.home, "began");
    writeFileSync(project.script, `#!/bin/sh\ntouch ${began}; while test -e ${began}; do sleep 0.1; done\n`);
    const watching = start(project, [command, ...args, "--watch"]);
    await vi.waitFor(() => expect(existsSync(began)).toBe(true), PATIENCE);
    // A new file in its place: the shell that reads the old one goes on.
    rmSync(project.script);
    writeFileSync(project.script, BLOCKS, { mode: 0o755 });
    rmSync(began);
    await watching.printed(after);
    expect(watching.text()).toMatch(before);
    expect(await watching.interrupt()).toBe(130);
  });

  it("test watches what someone wrote, not the settings that it makes for a hook: what it leaves running may touch them", async () => {
    const watching = start(withScript(PASSES), ["test", "--watch"]);
    await watching.printed(/watching/);
    expect(watching.text()).toContain("watching 2 files");
    expect(await watching.interrupt()).toBe(130);
  });

  const GONE: readonly [what: string, args: readonly string[], gone: "script" | "cases", said: RegExp][] = [
    ["the script of try", ["try", "./hooks/a.sh", "Stop"], "script", /belay: there is no script/],
    ["the only case file", ["test"], "cases", /belay: there is no case file/],
  ];
  it.each(GONE)("waits for %s when it is removed with its folder", async (_, args, gone, said) => {
    const project = withScript(PASSES);
    const watching = start(project, [...args, "--watch"]);
    await watching.printed(/watching \d+ files?/);
    const name = gone === "script" ? "hooks/a.sh" : "cases/a.hooks.yaml";
    rmSync(dirname(project[gone]), { recursive: true });
    await watching.printed(said);
    writeFileSync(project.script.replace("hooks/a.sh", "other"), "");
    await vi.waitFor(() => expect(watching.text().match(/watching/g)?.length).toBeGreaterThan(1), PATIENCE);
    if (gone === "script") project.file(name, BLOCKS, 0o755);
    else project.file(name, "hook: exit 2\ncases: [{ name: a, event: Stop, expect: { decision: none } }]\n");
    await watching.printed(/block by|1 failed/);
    expect(await watching.interrupt()).toBe(130);
  });

  it.each(["cases/b.hooks.yaml", "new/inner/b.hooks.yaml"])("test sees a new case file: %s", async (name) => {
    const project = withScript(PASSES);
    const watching = start(project, ["test", "--watch"]);
    await watching.printed(/watching 2 files/);
    project.file("new/other.txt", "");
    project.file(name, "hook: exit 2\ncases: [{ name: b, event: Stop, expect: { decision: block } }]\n");
    await watching.printed(/2 passed/);
    expect(await watching.interrupt()).toBe(130);
  });

  it("test sees a script that was missing", async () => {
    const project = withScript(PASSES);
    rmSync(dirname(project.script), { recursive: true });
    const watching = start(project, ["test", "--watch"]);
    await watching.printed(/there is no script [\s\S]*watching/);
    project.file("hooks/a.sh", PASSES, 0o755);
    await watching.printed(/1 passed/);
    expect(await watching.interrupt()).toBe(130);
  });

  it("test --update runs again by itself when a case file was saved during the run, and writes then", async () => {
    const project = withScript("");
    const { cases, script } = project;
    writeFileSync(script, `#!/bin/sh\ngrep -q Mine ${cases} || echo '# Mine.' >> ${cases}\nexit 2\n`);
    const watching = start(project, ["test", "--watch", "--update"]);
    await watching.printed(/was not updated: the file has changed meanwhile; run it again/);
    await watching.printed(/updated 1 case:.*watching/s);
    expect(readFileSync(cases, "utf8")).toMatch(/decision: block.*# Mine\./s);
    expect(await watching.interrupt()).toBe(130);
  });
});
