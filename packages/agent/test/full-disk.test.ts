import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { stage } from "./stage.ts";

const HOST = fileURLToPath(new URL("./hosts/full-disk.mjs", import.meta.url));
/** As a full disk does, writing fails: no file may become longer than some blocks. */
const LIMITED = `trap '' XFSZ; ulimit -f 40; exec "$0" "$@"`;

it("a session whose transcript cannot be written any more says so, and can be closed", async () => {
  const { project, home } = await stage();
  const run = ["-c", LIMITED, process.execPath, HOST, project, home];
  const { stdout } = await promisify(execFile)("sh", run, { timeout: 20_000 });
  expect(JSON.parse(stdout)).toEqual({ turn: expect.stringContaining("EFBIG"), isBusy: false });
}, 30_000);
