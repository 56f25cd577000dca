import { execFile } from "node:child_process";
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { type Scratch, scratch } from "./cli.ts";

const PROJECTS = ["a", "b", "c", "d", "e", "f"];

/** Projects in one home, with a hook each. */
function projects(room: Scratch): string[] {
  return PROJECTS.map((name) => {
    const hook = { type: "command", command: `echo ${name}` };
    room.file(`${name}/.belay/settings.json`, JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }));
    return join(room.project, name);
  });
}

const trusted = (room: Scratch) =>
  Object.keys(JSON.parse(readFileSync(join(room.home, ".belay/trust.json"), "utf8")).projects).sort();

const MANY = `
import { trust } from "@belay/engine/internal";
const print = (n) => n.toString(16).padStart(16, "0") + "." + "0".repeat(64);
const item = (n) => ({ print: print(n), file: "f", place: "p" + n, fields: {}, scripts: {} });
for (let n = 0; n < 20; n += 1) trust(process.argv[1], [item(n)], { home: process.argv[2] });
`;

it("six processes that trust at the same time lose nothing of each other", async () => {
  const room = scratch();
  await Promise.all(
    PROJECTS.map((name) =>
      promisify(execFile)(process.execPath, ["--input-type=module", "-e", MANY, name, room.home], {
        cwd: import.meta.dirname,
      }),
    ),
  );
  const { projects: found } = JSON.parse(readFileSync(join(room.home, ".belay/trust.json"), "utf8"));
  const counts = Object.entries(found).map(([name, prints]) => [name, (prints as string[]).length]);
  expect(counts.sort()).toEqual(PROJECTS.map((name) => [name, 20]));
  expect(readdirSync(join(room.home, ".belay"))).toEqual(["trust.json"]);
});

const LEFT: readonly [by: string, holder: string][] = [
  ["a dead process", "999999999"], // no process has this id on any system
  ["one whose number another has since", `${process.pid} an-earlier-boot:1`],
];

it.each(LEFT)("a lock that %s left blocks nobody", async (_, holder) => {
  const room = scratch();
  const folders = projects(room);
  const lock = room.file("../home/.belay/trust.json.lock", holder);
  utimesSync(lock, new Date(0), new Date(0));
  const results = await Promise.all(folders.map((folder) => room.belay(["trust", "--yes", "--cwd", folder])));
  expect(results.map(({ code }) => code)).toEqual(folders.map(() => 0));
  expect(trusted(room)).toEqual(folders);
  expect(readdirSync(join(room.home, ".belay"))).toEqual(["trust.json"]);
});
