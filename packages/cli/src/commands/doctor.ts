import { readFileSync } from "node:fs";
import {
  configLoader,
  configPlaces,
  findProject,
  homeFolder,
  isExecutable,
  statOf,
} from "@belay/engine/internal";
import { type Command, noArguments, readFlags } from "../args/args.ts";
import { BELAY, CONFIG_FLAGS, workingFolder } from "../args/flags.ts";
import { canBeTrusted, listHooks } from "../hooks/listed.ts";
import { deathsSaid } from "../install/deaths.ts";
import { configuredEvents } from "../install/events.ts";
import { type Base, pathsFile, relayFile } from "../install/place.ts";
import { shown } from "../install/plan.ts";
import { readInstalled } from "../install/state.ts";
import { type AgentState, type Finding, survey } from "../install/survey.ts";
import type { Io } from "../io.ts";
import { hang, oneLine, paintFor } from "../render/text.ts";

const USAGE = "belay doctor [--json] [--cwd DIR]";
const FLAGS = {
  json: { type: "boolean", help: "print the report as JSON" },
  cwd: CONFIG_FLAGS.cwd,
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Looks at what is installed in other agents: which entries stand where, whether the relay that they call is there, which hooks are not trusted, never run, or run twice, and which versions of the agents are on the PATH. It asks each agent there for its --version. Exits 1 if something is wrong.",
  flags: FLAGS,
  examples: ["belay doctor", "belay doctor --json"],
  run: doctor,
};

async function doctor(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  noArguments(positionals, `usage: ${USAGE}`);
  const base = { project: findProject(workingFolder(values.cwd)), home: homeFolder() };
  const installed = readInstalled(base.home);
  const agents = await survey({ base, installed, configured: await configuredEvents(base) });
  const isUsed = agents.some(({ holdings }) => holdings.length > 0);
  const findings = [...(isUsed ? relayFindings(base.home) : []), ...(await trustFindings(base))];
  const all = [...findings, ...agents.flatMap((agent) => agent.findings)];
  const ok = all.every(({ severity }) => severity !== "error");
  if (values.json) io.out(`${JSON.stringify({ ok, findings, agents }, null, 2)}\n`);
  else io.out(report(findings, agents, { ...base, scope: "project" }, io));
  return ok ? 0 : 1;
}

/** Whether the script that entries call can start Belay. */
function relayFindings(home: string): Finding[] {
  const next = `${BELAY} install, for any agent, writes it anew`;
  const script = relayFile(home);
  if (!isExecutable(script)) return [{ severity: "error", text: `${script} is no program`, next }];
  try {
    const [node = "", belay = ""] = readFileSync(pathsFile(home), "utf8").split("\n");
    return [node, belay]
      .filter((file) => !statOf(file)?.isFile())
      .map((file) => ({ severity: "error", text: `the relay starts ${file}, which is not there`, next }));
  } catch {
    return [{ severity: "error", text: `${pathsFile(home)} cannot be read: the relay refuses`, next }];
  }
}

async function trustFindings({ project, home }: Omit<Base, "scope">): Promise<Finding[]> {
  const places = configPlaces({ cwd: project, project, home, sessionId: "" });
  const { hooks, configs } = await configLoader().load(places);
  const open = listHooks(hooks, { project, cwd: project, home }).filter(canBeTrusted);
  const broken = configs.filter((config) => config.broken).map(({ file }) => file);
  return [
    ...(broken.length > 0
      ? [{ severity: "error" as const, text: `${broken.join(", ")} cannot be read`, next: `${BELAY} check` }]
      : []),
    ...(open.length > 0
      ? [
          {
            severity: "error" as const,
            text: `not trusted, so they do not run: ${open.map(({ hook }) => hook.name).join(", ")}`,
            next: `${BELAY} trust`,
          },
        ]
      : []),
  ];
}

function report(findings: readonly Finding[], agents: readonly AgentState[], base: Base, io: Io): string {
  const paint = paintFor(io);
  const lineOf = ({ severity, text, next }: Finding) =>
    hang(
      `  ${severity === "error" ? paint.red("✗") : paint.yellow("!")} `,
      `${oneLine(text)}${next === undefined ? "" : `; next: ${next}`}`,
      io.columns,
    );
  const blocks = agents.map(({ title, version, tested, holdings, deaths, findings: own }) => [
    ...hang(
      "",
      `${paint.bold(title)}  ${version ?? "not on the PATH"}${version === tested ? ", as measured" : ""}`,
      io.columns,
    ),
    ...holdings.flatMap(({ file, events }) =>
      hang(`  ${paint.green("✓")} `, `${shown(file, base)}: ${events.map(oneLine).join(", ")}`, io.columns),
    ),
    ...(deaths ? hang("    ", `without an answer: ${deathsSaid(deaths)}`, io.columns) : []),
    ...(holdings.length === 0 && own.length === 0 ? ["  nothing installed"] : []),
    ...own.flatMap(lineOf),
  ]);
  const general = findings.length > 0 ? [findings.flatMap(lineOf)] : [];
  const none = agents.length === 0 ? [[`Nothing is installed. Next: ${BELAY} install <agent>`]] : [];
  return `${[...general, ...blocks, ...none].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
