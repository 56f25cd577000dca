import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { journalFolder, writeWholeSync } from "@belay/engine/internal";
import { describe, expect, it } from "vitest";
import { type Finished, start } from "./processes.ts";
import { ROOT, type Scratch, says, scratch, settings } from "./scratch.ts";

/** Files that are none: they wait for ever, or never come to an end. Each is met by a process of its own. */

const HOST = join(ROOT, "packages/engine/test/hosts/untrusted.mjs");

/** Fires one event in a process that may take neither much memory nor much time. */
async function fired({ project, home }: Scratch): Promise<Finished> {
  const limited = 'ulimit -v 6000000; exec "$@"';
  const host = start("sh", ["-c", limited, "sh", process.execPath, HOST, project, home]);
  const limit = setTimeout(() => host.kill("SIGKILL"), 10_000);
  const finished = await host.finished;
  clearTimeout(limit);
  return finished;
}

describe("a settings file of a project that is a link to an endless file of no size is not read to its end", () => {
  it.each(["settings.json", "settings.local.json"])("%s", async (name) => {
    const room = scratch();
    mkdirSync(join(room.project, ".belay"));
    symlinkSync("/proc/self/pagemap", join(room.project, ".belay", name));
    expect(await fired(room)).toMatchObject({ code: 0, stdout: "config-unreadable\n" });
  });
});

describe("a pipe in the user's own folder holds nothing up", () => {
  const today = () => new Date().toISOString().slice(0, 10);
  const rows: [what: string, path: (room: Scratch) => string, codes: string][] = [
    [
      "the journal",
      ({ project, home }) => join(journalFolder(project, home), `${today()}.jsonl`),
      "journal-failed",
    ],
    [
      "what is trusted",
      ({ home }) => join(home, ".belay/trust.json"),
      "trust-unreadable hook-untrusted hook-skipped",
    ],
  ];
  it.each(rows)("%s", async (_what, path, expected) => {
    const room = scratch();
    if (expected !== "journal-failed")
      room.write("project/.belay/settings.json", settings("Stop", says("x")));
    const pipe = path(room);
    mkdirSync(dirname(pipe), { recursive: true });
    execFileSync("mkfifo", [pipe]);
    expect(await fired(room)).toMatchObject({ code: 0, stdout: `${expected}\n` });
    rmSync(pipe);
  });
});

it("a file is written whole and at once; a mode is kept, or the one that is asked for", () => {
  const { root, write } = scratch();
  const file = write("a.txt", "old");
  chmodSync(file, 0o640);
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  expect([writeWholeSync(file, "new"), readFileSync(file, "utf8"), modeOf(file)]).toEqual([
    "updated",
    "new",
    0o640,
  ]);
  writeWholeSync(file, "newer", 0o600);
  const made = join(root, "deep/er/b.txt");
  expect([writeWholeSync(made, "b", 0o600), modeOf(made), modeOf(file)]).toEqual(["created", 0o600, 0o600]);
  expect(readdirSync(root, { recursive: true }).filter((name) => String(name).endsWith(".tmp"))).toEqual([]);
  expect(() => writeWholeSync(root, "x")).toThrow("it is a folder");
});
