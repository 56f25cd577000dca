import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Diagnostic, EventName, Hook, Outcome } from "@belay/core";
import { DEFAULT_TIMEOUT_SECONDS } from "@belay/core/advise";
import { oneLine, safeJson } from "@belay/core/clean";
import { whyNoAnswer } from "@belay/core/compare";
import { eventRow, placeOf, plural } from "@belay/core/internal";
import { createEngine, DIALECT_NAMES, type Engine, EVENT_NAMES, UsageError } from "@belay/engine";
import { checkConfig, coveredFiles, findProject, homeFolder, shownPath } from "@belay/engine/internal";
import { type Command, type FlagValues, oneOf, readFlags } from "../args/args.ts";
import { oneEvent } from "../args/event.ts";
import { AS_FLAG, BELAY, CONFIG_FLAGS, workingFolder } from "../args/flags.ts";
import { doubtsAboutAny, parseObject, readPayload } from "../args/payload.ts";
import { type EmulatedAs, losesRestriction } from "../as/emulated.ts";
import { asAgents } from "../as/index.ts";
import { homeOfScript } from "../hooks/dialect-hint.ts";
import { closeStdin, type Io, untilInterrupted } from "../io.ts";
import { interruption, type Running, runningHooks, showRunning } from "../render/progress.ts";
import { renderTry } from "../render/try.ts";
import { hooksThatRun } from "../testing/read/hooks.ts";
import { commandText, howToRun, settingsFor } from "../testing/read/how-to-run.ts";
import { type Attempt, attemptsFor, guessEvents } from "../testing/read/try-payloads.ts";
import { again } from "../testing/watch.ts";

const USAGE = "belay try <script|command> [Event] [options]";

const FLAGS = {
  payload: {
    type: "string",
    value: "JSON|FILE|-",
    help: "fields of the payload; the others come from the event's sample",
  },
  dialect: {
    type: "string",
    value: "NAME",
    help: `read its output by this dialect: ${DIALECT_NAMES.join(", ")}`,
  },
  cwd: CONFIG_FLAGS.cwd,
  ...AS_FLAG,
  watch: { type: "boolean", short: "w", help: "run again when the script is saved" },
  verbose: { type: "boolean", short: "v", help: "show what the script printed" },
  json: { type: "boolean", help: "print { tries, problems } as JSON" },
} as const;

const TAKES = "--payload takes JSON, a file, or - for stdin";

/** What those reach for who come from `belay run`. */
const ELSEWHERE = {
  tool: `--payload '{"tool_name":"Write"}' names a tool`,
  "tool-input": `--payload '{"tool_input":{"command":"ls"}}' gives it`,
  prompt: `--payload '{"prompt":"deploy it"}' gives one`,
  set: `--payload '{"source":"resume"}' sets any field`,
  input: TAKES,
  config: `${BELAY} run fires an event at the hooks of a config`,
  plugin: `${BELAY} run fires an event at the hooks of a plugin`,
};

type Values = FlagValues<typeof FLAGS>;

export const command: Command = {
  usage: USAGE,
  summary: `Runs one script or command as a hook, on sample payloads of the event, of those that the settings have it for, or of every event it might be for. Nothing is recorded. It is ended after ${DEFAULT_TIMEOUT_SECONDS} seconds, as a hook is whose settings say nothing else.\nExits 0: it ran, 2: it gave no answer of its own (it could not start, hung, failed or printed nonsense), or --as loses a restriction, 1: bad usage.`,
  flags: FLAGS,
  events: EVENT_NAMES,
  examples: [
    "belay try .belay/hooks/guard.sh",
    `belay try guard.py PreToolUse --payload '{"tool_input":{"command":"rm -rf /"}}'`,
    "belay try .belay/hooks/format.sh PostToolUse --watch",
  ],
  run: tryScript,
};

async function tryScript(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS, ELSEWHERE);
  const [given, ...rest] = positionals;
  if (given === undefined) throw new UsageError("a script or a command is needed", `usage: ${USAGE}`);
  const payload = await payloadFrom(values.payload);
  closeStdin();
  const named = rest.length > 0 ? oneEvent(rest, USAGE) : eventOf(payload);
  const { signal } = untilInterrupted();
  const once = () => tryOnce(given, named, payload, values, signal, io);
  const code = values.watch ? await again(once, signal, io) : (await once()).code;
  return signal.aborted ? 130 : code;
}

async function payloadFrom(given: string | undefined): Promise<Record<string, unknown>> {
  if (given === undefined) return {};
  if (!given.trimStart().startsWith("{")) return readPayload(given, TAKES);
  return parseObject(given, "--payload", `for example: '{"tool_input":{"command":"ls"}}'`);
}

function eventOf({ hook_event_name: name }: Record<string, unknown>): EventName | undefined {
  return typeof name === "string" ? oneEvent([name], USAGE) : undefined;
}

async function tryOnce(
  given: string,
  named: EventName | undefined,
  payload: Record<string, unknown>,
  values: Values,
  signal: AbortSignal,
  io: Io,
): Promise<{ code: number; files: string[] }> {
  const as =
    values.as === undefined
      ? undefined
      : await asAgents(values.as, values.cwd === undefined ? {} : { cwd: values.cwd });
  const cwd = workingFolder(values.cwd);
  const said = values.dialect === undefined ? undefined : oneOf(values.dialect, DIALECT_NAMES, "dialect");
  const runnable = howToRun(given, process.cwd());
  const { script } = runnable;
  const hooks = script ? await hooksThatRun(script.file, said) : [];
  const home = script && hooks.length === 0 ? homeOfScript(script.file) : undefined;
  const dialect = said ?? hooks[0]?.dialect ?? home;
  const folders = { project: findProject(cwd), cwd, home: homeFolder() };
  const text = runnable.script?.text ?? commandText(given, folders);
  const configured = [...new Set(hooks.map(({ event }) => event))];
  const guessed = configured.length > 0 ? configured : guessEvents(text, dialect);
  const events = named === undefined ? guessed : [named];
  const unsaid = { dialect: said ? undefined : dialect, events: named ? undefined : events };
  const source = whoSays(unsaid, hooks, cwd);
  if (source) io.err(`belay: ${oneLine(given)} is ${source}\n`);
  for (const doubt of doubtsAboutAny(events, payload)) io.err(`belay: warning: ${doubt}\n`);
  const { attempts, leftOut } = attemptsFor(events, text, payload, { cwd, session: "try" }, hooks);
  for (const doubt of matchersThatFail(attempts, hooks)) io.err(`belay: warning: ${doubt}\n`);
  if (leftOut > 0)
    io.err(`belay: warning: left out ${plural(leftOut, "more call")} that it names; --payload chooses one\n`);
  const root = mkdtempSync(join(tmpdir(), "belay-try-"));
  const config = join(root, "settings.json");
  writeFileSync(config, settingsFor(runnable, events));
  const running = runningHooks();
  const options = { cwd, configFiles: [config], program: BELAY, ...(dialect && { dialect, simulate: true }) };
  try {
    const problems = problemsOf((await checkConfig(options)).problems, config);
    const engine = await createEngine({
      ...options,
      journal: false,
      launcher: "off",
      limits: { stopCap: Number.POSITIVE_INFINITY },
      onHook: running.step,
    });
    let tries: Tried[] = [];
    let emulate = (_: Tried): readonly EmulatedAs[] | undefined => undefined;
    let files: string[] = [];
    try {
      const listed = await engine.hooks();
      emulate = ({ outcome, payload }) =>
        as?.emulate(
          outcome,
          payload,
          listed.map(({ hook }) => hook),
        );
      files = listed.flatMap(({ hook }) => coveredFiles(hook, folders, [folders.home]).files);
      if (values.watch && files.length === 0)
        throw new UsageError(
          `--watch has nothing to watch: ${JSON.stringify(given)} names no file`,
          "next: the same without --watch, or with a script",
        );
      const quiet = values.json ? { ...io, isTerminal: false } : io;
      tries = (await tryAll(attempts, engine, running, signal, quiet)).map((one) => {
        const emulated = emulate(one);
        return emulated ? { ...one, emulated } : one;
      });
    } finally {
      await engine.close();
    }
    if (!signal.aborted) {
      const { name, note } = runnable;
      const isGuess = named === undefined && hooks.length === 0;
      const { payload: isGiven, verbose = false } = values;
      const view = { name, note, tries, problems, isGuess, isGiven: isGiven !== undefined, verbose, cwd };
      io.out(values.json ? `${safeJson({ ...(note && { note }), tries, problems })}\n` : renderTry(view, io));
    }
    const emulated = tries.flatMap((one) => one.emulated ?? []);
    if (as && emulated.some(losesRestriction)) return { code: 2, files };
    const isFailed = tries.some(({ event, outcome }) =>
      outcome.runs.some((run) => whyNoAnswer(run, event) !== undefined),
    );
    return { code: isFailed ? 2 : 0, files };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function whoSays(
  what: { readonly dialect: string | undefined; readonly events: readonly EventName[] | undefined },
  [hook]: readonly Hook[],
  cwd: string,
): string {
  const { dialect, events } = what;
  const read = dialect === undefined ? [] : [`read as ${dialect}`];
  if (!hook) return read.length > 0 ? `${read}, by the folder that it stands in` : "";
  const tried = events ? [`tried at ${events.join(", ")}`] : [];
  const place = oneLine(shownPath(placeOf(hook.source), cwd));
  const said = [...read, ...tried].join(" and ");
  return said && `${said}, as ${place} says`;
}

/** Payloads that fire none of the hooks which settings have for the script at their event. */
function matchersThatFail(attempts: readonly Attempt[], hooks: readonly Hook[]): string[] {
  const doubts = attempts.flatMap(({ event, payload }) => {
    const { matcher: field } = eventRow(event);
    const here = hooks.filter((hook) => hook.event === event);
    const value = field && payload[field];
    if (here.length === 0 || typeof value !== "string" || here.some(({ matcher }) => matcher.test(value)))
      return [];
    return [
      `no matcher in the settings fits ${field} ${JSON.stringify(value)}: an agent would not run the script for it`,
    ];
  });
  return [...new Set(doubts)];
}

async function tryAll(
  attempts: readonly Attempt[],
  engine: Engine,
  running: Running,
  signal: AbortSignal,
  io: Io,
): Promise<Tried[]> {
  const [limit = 0] = (await engine.hooks()).map(({ hook }) => hook.timeoutMs / 1000);
  let ended: readonly string[] | undefined;
  const note = () => {
    ended = running.names();
  };
  signal.addEventListener("abort", note);
  const tries: Tried[] = [];
  for (const [index, attempt] of attempts.entries()) {
    if (signal.aborted) break;
    const { event, payload } = attempt;
    const place = attempts.length > 1 ? ` (${index + 1} of ${attempts.length})` : "";
    const wipe = showRunning(running, io, { limit, at: `${event}${place}` });
    try {
      tries.push({ ...attempt, outcome: await engine.fire(event, payload, { signal }).finally(wipe) });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
  signal.removeEventListener("abort", note);
  if (ended) io.err(`belay: ${interruption(ended)}\n`);
  return tries;
}

/** What check says of the script. Of the settings it says nothing that anyone wrote. */
function problemsOf(problems: readonly Diagnostic[], config: string): Diagnostic[] {
  const found = problems
    .filter(({ code }) => code.startsWith("script-") || code.startsWith("module-"))
    .map(({ path, ...rest }) => (path === undefined || path.startsWith(config) ? rest : { ...rest, path }));
  const seen = new Set<string>();
  return found.filter(({ code, message }) => !seen.has(code + message) && seen.add(code + message));
}

interface Tried extends Attempt {
  readonly outcome: Outcome;
  readonly emulated?: readonly EmulatedAs[];
}
