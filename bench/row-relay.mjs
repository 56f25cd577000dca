// A hook inside another agent, from its payload to the answer: through the resident, and with Belay started for the call.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { SETTLED_MS } from "./contestants.mjs";
import { interleave, timeOf } from "./measure.mjs";

const BELAY = fileURLToPath(new URL("../packages/cli/bin/belay.js", import.meta.url));
const MB = 1024 * 1024;
const PAYLOAD = JSON.stringify({
  hook_event_name: "PreToolUse",
  session_id: "bench",
  tool_name: "Bash",
  tool_input: { command: "npm test" },
});

const JSON_HOOK = { name: "json", type: "json", json: { decision: "block", reason: "no" } };

/** The system's own: a shim of a version manager takes as long again, and would flatter. */
const PYTHON3 = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";

/** One guard, cold and warm. */
const PYTHON = `
import json, os, re, subprocess, sys
def judge(payload):
    return {"decision": "block", "reason": "no"} if re.search("npm", payload["tool_input"]["command"]) else {}
if os.environ.get("BELAY_WARM") != "1":
    print(json.dumps(judge(json.load(sys.stdin))))
else:
    for line in sys.stdin:
        call = json.loads(line)
        print(json.dumps({"id": call["id"], "output": judge(call["input"])}), flush=True)
`;

/**
 * A scratch home with a project and its hook, and the resident of that home.
 *
 * @param {object} hook
 * @param {(place: ReturnType<typeof placeIn>) => Promise<Measured>} measure
 * @returns {Promise<Measured>} @template Measured
 */
async function withRelay(hook, measure) {
  const root = mkdtempSync(join(tmpdir(), "belay-bench-"));
  const place = placeIn(root);
  place.addProject("project", hook);
  try {
    if (place.belay("daemon").status !== 0) throw new Error("there is no resident");
    await setTimeout(SETTLED_MS);
    return await measure(place);
  } finally {
    place.belay("daemon", "stop");
    rmSync(root, { recursive: true, force: true });
  }
}

/** @param {string} root */
function placeIn(root) {
  // Extra certificates are parsed at every start of Node and would hide what is measured.
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...inherited } = process.env;
  const home = join(root, "home");
  mkdirSync(home);
  const env = { ...inherited, HOME: home };
  /** @param {string} program @param {readonly string[]} args @param {string} [cwd] */
  const start = (program, args, cwd = join(root, "project")) =>
    spawnSync(program, args, { cwd, env, input: PAYLOAD, encoding: "utf8" });
  return {
    root,
    env,
    start,
    /** @param {readonly string[]} args */
    belay: (...args) => start(process.execPath, [BELAY, ...args]),
    script: join(home, ".belay/bin/belay-hook"),
    /** @param {string} name @param {object} hook */
    addProject: (name, hook) => {
      const cwd = join(root, name);
      mkdirSync(join(cwd, ".belay"), { recursive: true });
      writeFileSync(
        join(cwd, ".belay/settings.json"),
        JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
      );
      start(process.execPath, [BELAY, "trust", "--yes"], cwd);
      return cwd;
    },
    relay: (cwd = join(root, "project")) =>
      denied(start(join(home, ".belay/bin/belay-hook"), ["codex"], cwd)),
    /** So many events by one client, without a process for each. @param {number} events */
    ask: async (events) => {
      const paths = readFileSync(join(home, ".belay/bin/belay-hook.paths"), "utf8").split("\n");
      const body = JSON.stringify({ args: ["codex"], cwd: join(root, "project"), env, payload: PAYLOAD });
      for (let event = 0; event < events; event += 1) await post(paths[2] ?? "", body);
    },
    status: () => start(process.execPath, [BELAY, "daemon", "status"]).stdout,
  };
}

/** @param {string} socketPath @param {string} body @returns {Promise<void>} */
function post(socketPath, body) {
  const headers = { "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const asking = request({ socketPath, path: "/call", method: "POST", headers }, (response) => {
      response.resume().on("end", resolve);
    });
    asking.on("error", reject).end(body);
  });
}

/** @param {{ status: number | null, stdout: string, stderr: string }} result */
function denied({ status, stdout, stderr }) {
  if (status !== 0 || !/"deny"|"block"/.test(stdout))
    throw new Error(`no deny: ${status} ${stdout} ${stderr}`);
}

/** @param {ReturnType<typeof placeIn>} place @param {number} events */
function sawAll({ status }, events) {
  const said = status();
  if (!new RegExp(`^events +${events}$`, "m").test(said)) throw new Error(`not ${events} events:\n${said}`);
}

/** @param {readonly [string, readonly string[]]} reference @param {boolean} quick */
const throughResident = ([program, args], quick) =>
  withRelay(JSON_HOOK, async (place) => {
    const rounds = quick ? 20 : 100;
    await place.ask(WARM_UP);
    const samples = await interleave(
      () => timeOf(place.relay, 1),
      () => timeOf(() => place.start(program, args), 1),
      rounds,
    );
    sawAll(place, WARM_UP + rounds + Math.ceil(rounds / 10));
    return samples;
  });

/** A resident lives for hours: what is measured is one that V8 has compiled. */
const WARM_UP = 300;

/** The resident's memory. @param {ReturnType<typeof placeIn>} place */
function memoryOf(place) {
  const [, pid] = /process (\d+)/.exec(place.status()) ?? [];
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kb) * 1024;
}

/** @type {import("./report.mjs").Measurement[]} */
export const relayRows = [
  {
    name: "relay through the resident, one json hook",
    reference: "sh -c true",
    unit: "ms",
    target: { of: "ratio", atMost: 8 },
    measure: ({ quick }) => throughResident(["sh", ["-c", "true"]], quick),
  },
  {
    name: "relay through the resident, one json hook",
    reference: "node -e 0",
    unit: "ms",
    target: { of: "ratio", atMost: 0.6 },
    measure: ({ quick }) => throughResident([process.execPath, ["-e", "0"]], quick),
  },
  {
    name: "relay, Belay started for the call, one json hook",
    reference: "node -e 0",
    unit: "ms",
    target: { of: "ratio", atMost: 2.3 },
    measure: ({ quick }) =>
      withRelay(JSON_HOOK, (place) =>
        interleave(
          () => timeOf(() => denied(place.belay("hook", "codex")), 1),
          () => timeOf(() => place.start(process.execPath, ["-e", "0"]), 1),
          quick ? 20 : 100,
        ),
      ),
  },
  {
    name: "a Python guard, warm through the relay",
    reference: "the same guard started cold",
    unit: "ms",
    target: { of: "ratio", atMost: 0.6 },
    measure: ({ quick }) =>
      withRelay(
        { name: "py", type: "command", command: `${PYTHON3} ../guard.py`, warm: true },
        async (place) => {
          writeFileSync(join(place.root, "guard.py"), PYTHON);
          place.belay("trust", "--yes");
          await place.ask(WARM_UP);
          return interleave(
            () => timeOf(place.relay, 1),
            () => timeOf(() => denied(place.start("sh", ["-c", `${PYTHON3} ../guard.py`])), 1),
            quick ? 20 : 100,
          );
        },
      ),
  },
  {
    name: "the resident at rest, five projects",
    reference: "120 MiB",
    unit: "MiB",
    isShort: false,
    target: { of: "value", atMost: 120 },
    measure: ({ quick }) =>
      withRelay(JSON_HOOK, async (place) => {
        for (let count = 1; count <= 5; count += 1) {
          const cwd = place.addProject(`project-${count}`, JSON_HOOK);
          for (let event = 0; event < (quick ? 5 : 20); event += 1) place.relay(cwd);
        }
        await setTimeout(1000);
        return { ours: [memoryOf(place) / MB], reference: [120] };
      }),
  },
  {
    name: "the resident after 11,000 events",
    reference: "after 1,000",
    unit: "MiB",
    isShort: false,
    target: { of: "difference", atMost: 10 },
    measure: () =>
      withRelay(JSON_HOOK, async (place) => {
        await place.ask(1000);
        const before = memoryOf(place) / MB;
        await place.ask(10_000);
        return { ours: [memoryOf(place) / MB], reference: [before] };
      }),
  },
];
