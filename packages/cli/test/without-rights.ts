import { execFile } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { BIN } from "./cli.ts";

const NOBODY = 65_534;

/** All that it prints, and what it leaves among temporary files. Runs a copy of `belay`, as somebody whom rights bind: the folder of the checkout may be closed to others. */
export async function belayWithoutRights(
  project: string,
  home: string,
  args: readonly string[],
): Promise<string> {
  const copy = join(home, "belay");
  for (const part of ["bin", "dist"])
    cpSync(join(dirname(BIN), "..", part), join(copy, part), { recursive: true });
  const TMPDIR = join(home, "tmp");
  mkdirSync(TMPDIR);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chmodSync(dirname(home), 0o755);
    chownSync(TMPDIR, NOBODY, NOBODY);
  }
  const said = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [join(copy, "bin/belay.js"), ...args],
      {
        cwd: project,
        env: { PATH: process.env.PATH, HOME: home, NO_COLOR: "1", COLUMNS: "200", TMPDIR },
        ...(isRoot && { uid: NOBODY, gid: NOBODY }),
      },
      (_, stdout, stderr) => resolve(stdout + stderr),
    );
  });
  return said + readdirSync(TMPDIR).join();
}
