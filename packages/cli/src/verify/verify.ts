import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "@belay/core/internal";
import { belayFolder, randomId } from "@belay/engine/internal";
import type { Harness } from "@belay/harness";
import { BELAY } from "../args/flags.ts";
import { EXAMPLE_EVENT } from "../hooks/first-hook.ts";
import { DEATHS, type Death, type Deaths } from "../install/deaths.ts";
import { pathsFile, relayFile } from "../install/place.ts";
import { readInstalled } from "../install/state.ts";
import { onPath } from "../relay/script.ts";
import { PROGRAM } from "../resident/place.ts";
import {
  ALL_CALLS,
  CANARIES,
  type Canary,
  callsOf,
  fileOf,
  hookText,
  judge,
  type Proof,
  placed,
  settingsFor,
} from "./canaries.ts";
import type { Verified } from "./report.ts";

type Drive = typeof import("../../../../scripts/agents/drive.mjs");
type Driver = Drive["DRIVERS"][number];
type Place = Parameters<NonNullable<Parameters<Drive["run"]>[2]["prepare"]>>[0];

/** How agents are driven is a file of its own, loaded here: no other command pays for it. */
export function loadDrive(): Promise<Drive> {
  return import(new URL("./drive.js", import.meta.url).href);
}

const COMMAND_MS = 60_000;

/** Drives the agent in scratch homes until each canary was met, or a session meets no further one. */
export async function verifyAgent(
  drive: Drive,
  harness: Harness,
  scope: "project" | "user",
): Promise<Verified> {
  const { name, title, settings } = harness;
  const driver = drive.DRIVERS.find((each) => each.name === name);
  const none = (why: string, next: string): Verified => ({ agent: name, proofs: {}, why, next });
  if (!driver) return none(`nobody knows how to drive ${title} without a screen`, `${BELAY} doctor`);
  const where = whereIs(drive, driver, settings.program);
  if (!where)
    return none(`there is no ${settings.program} on the PATH`, `put it there, then: ${BELAY} verify ${name}`);
  const placings = placed(harness, driver.events);
  const proofs: Partial<Record<Canary, Proof>> = {};
  const open = () => placings.flatMap(({ canary }) => (proofs[canary] ? [] : [canary]));
  let why = "the session did not come so far";
  for (let before = Number.POSITIVE_INFINITY; open().length < before && open().length > 0; ) {
    before = open().length;
    try {
      Object.assign(proofs, await session(drive, driver, where, { harness, scope, canaries: open() }));
    } catch (error) {
      why = messageOf(error);
    }
  }
  const rest = CANARIES.map((canary): [Canary, Proof] => {
    const isPlaced = placings.some((each) => each.canary === canary);
    const left: Proof = isPlaced ? { result: "not verified", why } : { result: "not expressible", why: "" };
    return [canary, proofs[canary] ?? left];
  });
  return { agent: name, program: where.program ?? where.installed, proofs: Object.fromEntries(rest) };
}

interface Where {
  readonly installed: string;
  readonly node: string;
  readonly program?: string;
}

/** The program of the PATH, or that of `npm run agents`; the latter first where its cache is named. */
function whereIs(drive: Drive, driver: Driver, program: string): Where | undefined {
  const folder = drive.installed(driver.name, driver.version);
  const cached = existsSync(join(folder, "done"))
    ? { installed: folder, node: drive.nodeOf(driver) }
    : undefined;
  if (cached && process.env.BELAY_AGENTS_CACHE) return cached;
  const found = onPath(program);
  return found === "" ? cached : { installed: folder, node: process.execPath, program: found };
}

interface Plan {
  readonly harness: Harness;
  readonly scope: "project" | "user";
  readonly canaries: readonly Canary[];
}

/** One session of the agent with our hook in it. */
async function session(drive: Drive, driver: Driver, where: Where, { harness, scope, canaries }: Plan) {
  const token = `context-${randomId()}`;
  const calls = callsOf(canaries);
  let used: Place | undefined;
  const ran = await drive.run(driver, where, {
    hooks: [],
    prompt: `Run ${calls.map(fileOf).join(", ")}.`,
    approves: true,
    script: scriptOf(drive, calls),
    prepare: (place) => {
      used = place;
      prepare(place, harness, driver, { scope, canaries, token });
    },
  });
  try {
    const seen = join(ran.home, "seen.txt");
    const asked = existsSync(seen) ? readFileSync(seen, "utf8").split("\n") : [];
    if (ran.asked.length === 0)
      throw new Error(
        `the model was never asked (exit ${ran.exit}): ${(ran.stderr || ran.stdout).slice(-300)}`,
      );
    const is = {
      ran: new Set(ALL_CALLS.filter((word) => existsSync(join(ran.project, `${fileOf(word)}.txt`)))),
      asked: new Set(asked),
      isTold: ran.asked.some(({ said }) => said.includes(token)),
    };
    const proofs = canaries.map((canary) => [canary, judge(canary, is)] as const);
    return Object.fromEntries(proofs.filter(([, proof]) => proof !== undefined));
  } finally {
    if (used) belay(["daemon", "stop"], used);
    ran.forget();
  }
}

/** Each call in a turn of its own. */
function scriptOf({ PROJECT }: Drive, words: readonly string[]): Parameters<Drive["run"]>[2]["script"] {
  return (tools) => ({
    "": [
      ...words.map((word) => ({
        text: "I run it.",
        calls: [tools.shell(`touch ${PROJECT}/${fileOf(word)}.txt`)],
      })),
      { text: "It is done." },
    ],
  });
}

/** How the relay of a scratch home dies. */
const DEATH: Readonly<Record<Death, (place: Place, harness: Harness) => void>> = {
  "script gone": ({ home }) => rmSync(relayFile(home)),
  "Node gone": ({ home }) => {
    const [, ...rest] = readFileSync(pathsFile(home), "utf8").split("\n");
    writeFileSync(pathsFile(home), ["/nowhere/node", ...rest].join("\n"));
  },
  killed: ({ home }) => writeFileSync(relayFile(home), "#!/bin/sh\nkill -9 $$\n"),
  "limit reached": ({ home }, { settings: { shape } }) => {
    writeFileSync(relayFile(home), "#!/bin/sh\nexec sleep 30\n");
    const limit = LATE_MS / ("limit" in shape ? shape.limit.ms : 1);
    for (const file of Object.keys(readInstalled(home)))
      writeFileSync(file, readFileSync(file, "utf8").replaceAll(LIMIT, `$1${limit}`));
  },
};

/** The limit of an entry, or of a plugin's call. */
const LIMIT = /(\btimeout(?:Sec)?"?\s*[:=]\s*)\d+/g;
const LATE_MS = 2000;

/** What becomes of a call whose relay has died; undefined where the agent could not be driven. */
export async function measureDeaths(
  drive: Drive,
  harness: Harness,
  scope: "project" | "user",
): Promise<Partial<Deaths> | undefined> {
  const driver = drive.DRIVERS.find((each) => each.name === harness.name);
  const where = driver && whereIs(drive, driver, harness.settings.program);
  if (!driver || !where) return undefined;
  const found: Partial<Record<Death, Deaths[Death]>> = {};
  for (const death of DEATHS) {
    const ran = await drive.run(driver, where, {
      hooks: [],
      prompt: "Run it.",
      approves: true,
      script: scriptOf(drive, ["control"]),
      prepare: (place) => {
        prepare(place, harness, driver, { scope, canaries: ["deny"], token: "" });
        DEATH[death](place, harness);
      },
    });
    const isRun = existsSync(join(ran.project, `${fileOf("control")}.txt`));
    if (ran.asked.length > 0) found[death] = isRun ? "runs" : "refused";
    ran.forget();
  }
  return found;
}

/** Puts our hook into the scratch project, and the relay into the agent, as a user does. */
function prepare(
  place: Place,
  harness: Harness,
  driver: Driver,
  { scope, canaries, token }: Omit<Plan, "harness"> & { token: string },
): void {
  const hook = join(place.home, "hooks", "canary.mjs");
  writeFileSync(hook, hookText(join(place.home, "seen.txt"), token));
  const folder = belayFolder(place.project);
  mkdirSync(folder, { recursive: true });
  const placings = placed(harness, driver.events).filter(({ canary }) => canaries.includes(canary));
  writeFileSync(
    join(folder, "settings.json"),
    settingsFor(placings, EXAMPLE_EVENT, [process.execPath, hook]),
  );
  const scopes = scope === "user" || harness.settings.project === undefined ? ["--user"] : [];
  if (harness.settings.needsGit) spawnSync("git", ["init", "-q"], { cwd: place.project, env: place.env });
  for (const args of [
    ["trust", "--yes"],
    ["install", harness.name, "--yes", ...scopes],
  ]) {
    const { status, text } = belay(args, place);
    if (status !== 0) throw new Error(`${BELAY} ${args.join(" ")} ended with ${status}: ${text.trim()}`);
  }
}

/** A command of ours as the user of the scratch home types it. */
function belay(args: readonly string[], { project, env }: Place): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: project,
    env,
    encoding: "utf8",
    timeout: COMMAND_MS,
  });
  return { status, text: `${stdout}${stderr}` };
}
