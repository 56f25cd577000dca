import { describe, expect, it } from "vitest";
import { scratch, settings } from "./scratch.ts";

/** A trusted hook whose command names one file, x.sh, fired before and after that file changes. */
async function runsAfterEdit(command: string): Promise<boolean> {
  const room = scratch();
  room.write("project/x.sh", "true", 0o755);
  room.write("project/.belay/settings.json", settings("Stop", { type: "command", command, name: "guard" }));
  await room.trustAll();
  const fire = async () => (await room.engine()).fire("Stop");
  expect((await fire()).runs).toMatchObject([{ hook: "guard" }]);
  room.write("project/x.sh", "echo changed", 0o755);
  return (await fire()).runs.length === 1;
}

describe("what a hook only writes to is none of its scripts: its own log does not switch it off", () => {
  const rows = [
    "date >> x.sh",
    "date >>x.sh",
    "date > x.sh; true",
    "date >| x.sh",
    "date 2>x.sh",
    'sh -c "date > x.sh"',
    "cat | tee x.sh",
    "cat | tee -a x.sh > /dev/null",
  ];
  it.each(rows)("%s", async (command) => expect(await runsAfterEdit(command)).toBe(true));
});

describe("what it may run is, however near a redirection stands", () => {
  const rows = [
    "sh x.sh > log",
    "date > log; sh x.sh",
    "date > x.sh; sh x.sh",
    "sh < x.sh",
    "sh <> x.sh",
    "echo 1 | xargs -I \\> ./x.sh \\>",
    "echo 1 | xargs -I '>' ./x.sh '>'",
    "true >(sh x.sh) || true",
    "tee() { sh $1; }; tee x.sh",
    "alias tee=sh; eval tee x.sh",
  ];
  it.each(rows)("%s", async (command) => expect(await runsAfterEdit(command)).toBe(false));
});
