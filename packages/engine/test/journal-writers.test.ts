import { statSync } from "node:fs";
import { join } from "node:path";
import { linesFromStart } from "@belay/engine/internal";
import { expect, it } from "vitest";
import { files } from "./journals.ts";
import { sleep, startHost } from "./processes.ts";
import { scratch } from "./scratch.ts";

/** The numbers of all records in a journal, by their session, and the flaws of the other lines. */
async function numbersIn(folder: string): Promise<{ bySession: Map<string, string[]>; flaws: string[] }> {
  const bySession = new Map<string, string[]>();
  const flaws: string[] = [];
  for await (const line of linesFromStart(folder)) {
    if ("flaw" in line) {
      flaws.push(line.flaw);
      continue;
    }
    const { session, payload } = line.record;
    bySession.set(session, [...(bySession.get(session) ?? []), String(payload.tool_use_id)]);
  }
  return { bySession, flaws };
}

/** Files of 1 MiB, some 20 records each. */
const BYTES = String(8 * 1024 * 1024);

it("four processes that fill files together lose nothing", { timeout: 60_000 }, async () => {
  const folder = join(scratch().root, "journal");
  const names = ["a", "b", "c", "d"];
  const hosts = names.map((name) => startHost("journal.mjs", [folder, name, "25", BYTES]).finished);
  for (const host of hosts) expect(await host).toMatchObject({ code: 0, stderr: "" });
  const { bySession, flaws } = await numbersIn(folder);
  const all = Array.from({ length: 25 }, (_, done) => String(done));
  expect(flaws).toEqual([]);
  expect(Object.fromEntries(bySession)).toEqual(Object.fromEntries(names.map((name) => [name, all])));
  expect(files(folder).length).toBeGreaterThan(3);
  for (const file of files(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
});

it("of a process that is killed while others write, all that was acknowledged is there", {
  timeout: 60_000,
}, async () => {
  const folder = join(scratch().root, "journal");
  const steady = startHost("journal.mjs", [folder, "steady", "150"]);
  const acknowledged = new Map<string, string[]>();
  for (let round = 0; round < 5; round += 1) {
    const host = startHost("journal.mjs", [folder, `killed-${round}`, "100000"]);
    await host.printed("\n");
    await sleep(20 * round);
    host.kill("SIGKILL");
    const { stdout } = await host.finished;
    acknowledged.set(`killed-${round}`, stdout.split("\n").slice(0, -1));
  }
  const { stdout, stderr } = await steady.finished;
  expect(stderr).toBe("");
  acknowledged.set("steady", stdout.split("\n").slice(0, -1));
  const { bySession, flaws } = await numbersIn(folder);
  expect(flaws.filter((flaw) => flaw !== "torn")).toEqual([]);
  for (const [session, numbers] of acknowledged) {
    expect(numbers.length, session).toBeGreaterThan(0);
    expect(bySession.get(session)?.slice(0, numbers.length), session).toEqual(numbers);
  }
});
