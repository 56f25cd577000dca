import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createEngine } from "@belay/engine";
import { asTrusted, fingerprint, trust } from "@belay/engine/internal";
import { afterAll, expect, test } from "vitest";
import { LAUNCHER } from "../scratch.ts";
import { FILE_ROWS, type FileRow, SESSION } from "./rows-files.ts";

const root = mkdtempSync(join(tmpdir(), "belay-files-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.for(FILE_ROWS.map((row, index) => ({ ...row, folder: join(root, String(index)) })))(
  "$ref: $says",
  async (row) => {
    expect(await runsOf(row, row.folder)).toEqual({ before: row.runs.filter(isUsers), after: row.runs });
  },
);

const isUsers = (file: string) => file.startsWith("home/");

const NOTICE = { message: "done", notification_type: "idle_prompt" };

/** The hooks that run, by the file they are named after: before the project is trusted, and after. */
async function runsOf({ files, dialect }: FileRow, folder: string) {
  const [project, home] = [join(folder, "project"), join(folder, "home")];
  for (const file of files) write(join(folder, file), { type: "command", command: "true", name: file });
  mkdirSync(join(project, ".git"), { recursive: true });
  const engine = await createEngine({
    launcher: LAUNCHER,
    cwd: project,
    home,
    sessionId: SESSION,
    ...(dialect && { dialect }),
  });
  const fire = async () => (await engine.fire("Notification", NOTICE)).runs.map(({ hook }) => hook);
  const before = await fire();
  const { matches } = await engine.explain("Notification", NOTICE);
  const folders = { project, cwd: project, home };
  const items = matches.map(({ hook }) => asTrusted(hook, fingerprint(hook, folders), project));
  trust(project, items, { home });
  const after = await fire();
  await engine.close();
  return { before, after };
}

function write(file: string, hook: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ hooks: { Notification: [{ hooks: [hook] }] } }));
}
