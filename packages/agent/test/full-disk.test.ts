import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { stage } from "./stage.ts";

const HOST = fileURLToPath(new URL("./hosts/full-disk.mjs", import.meta.url));
/** As a full disk does, writing fails: no file may become longer than some blocks. */
const LIMITED = `trap '' XFSZ; ulimit -f 40; exec "$0" "$@"`;

/** What a hook has to say at the end cannot be written either. */
const BYE = { hooks: { SessionEnd: [{ hooks: [{ type: "json", json: { systemMessage: "bye" } }] }] } };

it("a session whose transcript cannot be written any more says so, and can be closed", async () => {
  const { project, home } = await stage();
  mkdirSync(join(home, ".belay"), { recursive: true });
  writeFileSync(join(home, ".belay/settings.json"), JSON.stringify(BYE));
  const run = ["-c", LIMITED, process.execPath, HOST, project, home];
  const { stdout } = await promisify(execFile)("sh", run, { timeout: 20_000 });
  expect(JSON.parse(stdout)).toEqual({
    turn: expect.stringContaining("EFBIG"),
    isBusy: false,
    closed: expect.stringContaining("EFBIG"),
    hooks: "the engine is closed",
  });
}, 30_000);
