import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type EventName, match, type Run, readConfig, replay } from "@belay/core";
import { eventRow, hooksOf } from "@belay/core/internal";
import { describe, expect, it } from "vitest";
import { emulate, HARNESSES, type Harness, type HookRun, harnessNamed } from "../src/index.ts";

const folder = fileURLToPath(new URL("../../../fixtures/agents/", import.meta.url));

interface Row {
  readonly id: string;
  readonly event: string;
  readonly hooks: readonly RowHook[];
  readonly finished?: readonly number[];
  readonly approval?: "asks";
  readonly about?: "settings";
  readonly fired?: false;
  /** Measured by hand before a terminal, where there is somebody to ask. */
  readonly surface?: "terminal";
  readonly step: "runs" | "refused" | "asks";
  readonly input?: string;
  readonly told?: readonly string[];
  /** What the user sees. */
  readonly shown?: readonly string[];
  readonly turn?: "ends";
}

interface RowHook {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exit?: number;
  readonly sleep?: number;
  readonly timedOut?: true;
  readonly notFound?: true;
  readonly type?: "http";
  readonly status?: number;
  readonly setting?: "onFailure" | "failClosed";
}

/** Rows that no reading of one output can explain, with the reason. */
const NOT_EMULATED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gemini: {
    "aftermodel-replace": "the hook wrote the model's answer itself, and it held no call",
    "toolsel-none": "what tools the model may choose is no event of ours",
  },
  codex: {
    "noallow-pre-allow-grant": "Codex's own sandbox refuses the call; the hook does not count there",
    "noallow-pre-ask": "Codex's own sandbox refuses the call; the hook does not count there",
  },
  copilot: {
    "http-deny": "plain http is not called unless COPILOT_HOOK_ALLOW_LOCALHOST is set",
    "http-500": "plain http is not called unless COPILOT_HOOK_ALLOW_LOCALHOST is set",
    "http-403-deny": "plain http is not called unless COPILOT_HOOK_ALLOW_LOCALHOST is set",
  },
  "claude-code": {
    "post-updatedToolOutput-part": "only one call's own response says which fields the object must have",
    "pre-no-hookEventName-onFailure": "the agent quotes the answer where it says what is wrong with it",
  },
  droid: {
    "mix-18": "a stop in the JSON beside an exit 2 also ends the turn; the call is refused in both",
    "mix-25": "a stop in the JSON beside an exit 2 also ends the turn; the call is refused in both",
  },
  grok: { "noallow-pre-ask": "without --always-approve Grok asks; the other rows were measured with it" },
};

/** What holds for every harness. */
function whyNotEmulated(agent: string, row: Row): string | undefined {
  if (row.about === "settings") return "it is about the settings files that the agent reads";
  if (row.fired === false) return "the event does not fire in a run without a screen";
  if (row.id === "noallow-none" || row.id === "noapprove-none")
    return "no hook speaks, and the agent's own permission question decides";
  return NOT_EMULATED[agent]?.[row.id];
}

function hookRun({ stdout = "", stderr = "", exit = 0, sleep = 1, ...rest }: RowHook): HookRun {
  const failed = rest.status !== undefined && (rest.status < 200 || rest.status > 299);
  const isLate = rest.timedOut === true;
  const run: Run = {
    ...(isLate || rest.type === "http" ? {} : { exitCode: rest.notFound ? 127 : exit }),
    stdout: isLate ? "" : stdout,
    stderr: rest.notFound ? "sh: 1: /nonexistent/hook: not found" : stderr,
    executionTime: sleep,
    timedOut: isLate,
    truncated: false,
    ...(isLate && { failure: { kind: "timeout", detail: "no answer in time" } as const }),
    ...(failed && { failure: { kind: "http", detail: `status ${rest.status}` } as const }),
  };
  return {
    hook: "probe",
    run,
    type: rest.type ?? "command",
    ...(rest.setting && { failClosed: rest.setting }),
  };
}

const TOKENS = /\b[A-Z]+_TOK\d?\b/g;
const COMMAND = "touch /home/you/project/ran.txt";

function tokensIn(texts: readonly string[]): string[] {
  return [...new Set(texts.join(" ").match(TOKENS) ?? [])].sort();
}

function inputOf(command: unknown): string {
  const [, name] = /(first|second|rewritten)\.txt/.exec(JSON.stringify(command) ?? "") ?? [];
  return name ?? "merged";
}

/** What the emulation says, in the terms of a row. */
function emulated(harness: Harness, row: Row) {
  const event = harness.events[row.event]?.event;
  if (event === undefined) return { unknown: row.event };
  const call = event.includes("Tool") || event.includes("Permission");
  const found = emulate(harness, {
    event,
    native: row.event,
    ...(call && { tool: "Bash", input: { command: COMMAND } }),
    hooks: row.hooks.map(hookRun),
    ...(row.finished && { finished: row.finished }),
  });
  // Nobody is there to be asked: the agent reads the question, if the turn goes on.
  const question = found.step === "asks" && found.turn === "goes-on" ? found.toUser : [];
  const told = tokensIn([...found.toAgent, ...question, found.prompt ?? ""]);
  return {
    step: found.step === "asks" && !row.surface ? "refused" : found.step,
    ...(row.shown && { shown: tokensIn(found.toUser) }),
    ...(row.told && { told }),
    ...(found.step === "runs" && found.input && { input: inputOf(found.input) }),
    ...((row.turn || isToolEvent(event)) && found.turn === "ends" && { turn: "ends" }),
  };
}

function isToolEvent(event: string): boolean {
  return event.endsWith("ToolUse");
}

function measured({ step, told, shown, input, turn }: Row) {
  return {
    step,
    ...(shown && { shown }),
    ...(told && { told: [...told].sort() }),
    ...(input !== undefined && input !== "invalid" && { input }),
    ...(turn && { turn }),
  };
}

for (const file of readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
  const agent = file.slice(0, -".jsonl".length);
  const harness = harnessNamed(agent);
  if (harness?.reads === undefined) continue;
  const rows = readFileSync(folder + file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
  describe(`${agent} as it was measured`, () => {
    for (const row of rows) {
      const why = whyNotEmulated(agent, row);
      if (why === undefined)
        it(row.id, () => {
          expect(emulated(harness, row)).toEqual(measured(row));
        });
    }

    it("has enough rows that agree", () => {
      const agreeing = rows.filter((row) => whyNotEmulated(agent, row) === undefined);
      expect(agreeing.length).toBeGreaterThanOrEqual(agent === "cline" ? 20 : 40);
    });
  });
}

it("an event of which no row was measured is known from documentation alone", () => {
  for (const { name, events, reads } of HARNESSES.filter(({ reads }) => reads !== undefined)) {
    const rows = readFileSync(`${folder}${name}.jsonl`, "utf8").trim().split("\n");
    const fired = rows.map((line) => JSON.parse(line) as Row).filter((row) => row.fired !== false);
    const seen = new Set(fired.map(({ event }) => event));
    const wrong = Object.entries(events).filter(
      ([native, { answers = {}, documented = false }]) =>
        Object.keys(answers).length > 0 && documented === seen.has(native),
    );
    expect([name, reads && wrong.map(([native]) => native)]).toEqual([name, []]);
  }
});

it("every harness whose hooks are programs was measured", () => {
  const measuredAgents = readdirSync(folder).map((name) => name.replace(".jsonl", ""));
  const programs = HARNESSES.filter(({ reads }) => reads !== undefined).map(({ name }) => name);
  expect(programs.filter((name) => !measuredAgents.includes(name))).toEqual([]);
});

/** What the dialect `claude-code` makes of a row where it is simulated. A stop is told by what becomes of the turn, in its words alone. */
function simulated({ event, hooks, finished, step }: Row) {
  // In a run without a screen a question that stays open is a refusal.
  const refused = step === "asks" ? step : "refused";
  const { decision, blocked, updatedInput, updatedToolOutput, messages } = replay({
    event: event as EventName,
    dialect: "claude-code",
    hooks: hooks.map((hook, index) => ({
      name: `probe-${index}`,
      onFailure: hook.setting ? "block" : "continue",
      mode: "enforce",
      source: `settings.json:${index}`,
      dialect: "claude-code",
      simulated: true,
      run: hookRun(hook).run,
    })),
    context: { ...(finished && { finished }) },
    extra: [],
  });
  const { kind, reason } = decision;
  const isDecided = kind !== "none" || event !== "PermissionRequest";
  const isRefused = blocked || kind === "ask" || !isDecided;
  const toAgent = messages.filter(({ to }) => to === "agent").map(({ block }) => block.content);
  const output = JSON.stringify(updatedToolOutput ?? "");
  const told = [...toAgent, output, kind === "ask" ? reason : ""].join(" ").match(TOKENS) ?? [];
  return {
    step: isRefused && kind !== "stop" && !eventRow(event as EventName).appendsToResult ? refused : "runs",
    ...(kind !== "stop" && { told: [...new Set(told)].sort() }),
    ...(updatedInput && !isRefused && { input: inputOf(updatedInput) }),
  };
}

/** Rows in which something else than the reading of one output counts, with the reason. */
const NOT_SIMULATED: Readonly<Record<string, string>> = {
  "pre-updatedInput-partial": "the schema of the tool refuses the input; an engine is told it with the event",
  "pre-defer": "a stop in Belay: the call stays open there, and the turn ends",
  "pre-defer-reason": "a stop in Belay: the call stays open there, and the turn ends",
  "two-defer-allow": "a stop in Belay: the call stays open there, and the turn ends",
  "two-defer-ask": "a stop in Belay: the call stays open there, and the turn ends",
  "two-defer-deny": "a stop in Belay: it goes before the deny, which refuses the call there",
  "mix-14": "a stop in Belay: it goes before the deny, which refuses the call there",
  "mix-24": "a stop in Belay: it goes before the deny, which refuses the call there",
  "post-updatedToolOutput-string":
    "the tool's own response says which fields count, and it is not in the row",
  "post-updatedToolOutput-list": "the tool's own response says which fields count, and it is not in the row",
  "prompt-continue-false": "the turn ends with the prompt, which counts as a refusal",
  "batch-continue-false": "the turn ends with the batch, which counts as a refusal",
  "permreq-deny-interrupt": "the turn ends with the refusal, and nobody is told",
  "precompact-systemMessage": "the JSON is read, and besides the model reads it as it is",
  "http-array-onFailure":
    "the body of an http hook must be an object; Belay reads it as the text of a command",
  "http-text-onFailure":
    "the body of an http hook must be an object; Belay reads it as the text of a command",
  // `--as claude-code` folds several hooks as Claude Code does; the dialect is about one.
  "two-deny-deny": "Claude Code tells the agent the first reason; Belay tells all",
  "permreq-allow-denyslow": "the first to finish decides there; the stricter in Belay",
  "permreq-denyslow-allow": "the first to finish decides there; the stricter in Belay",
};

describe("the dialect claude-code, simulated", () => {
  const rows = readFileSync(`${folder}claude-code.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row)
    .filter((row) => whyNotEmulated("claude-code", row) === undefined && !NOT_SIMULATED[row.id]);
  for (const row of rows)
    it(row.id, () => {
      expect(measured(row)).toMatchObject(simulated(row));
    });
});

/** One settings file as Claude Code was given it, and the names of the hooks that ran: `mark NAME`. Another file had "other". */
interface SettingsRow {
  readonly id: string;
  readonly settings: string;
  readonly ran: readonly string[];
}

/** Rows that the config of the dialect reads otherwise, with the reason. */
const OTHER_SETTINGS: Readonly<Record<string, string>> = {
  "permissions-wrong-type": "it is about a setting that the config of hooks does not read",
  "cleanup-wrong-type": "it is about a setting that the config of hooks does not read",
  denied: "a permission rule refuses the call, so that no hook runs behind it",
  "denied-post-flat": "a permission rule refuses the call, so that no hook runs behind it",
  "PreToolUse-command-empty": "Belay takes an empty command for a mistake",
  "Stop-matcher-no-regex": "Belay takes a pattern that cannot be compiled for a mistake, on any event",
};

describe("a settings file of the dialect claude-code, simulated", () => {
  const call = { tool_name: "Bash", tool_input: { command: "touch ran.txt" } };
  const events: readonly EventName[] = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "Stop",
  ];
  const rows = readFileSync(`${folder}settings/claude-code.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as SettingsRow)
    .filter(({ id }) => OTHER_SETTINGS[id] === undefined);
  for (const { id, settings, ran } of rows)
    it(id, () => {
      const config = readConfig({
        file: "settings.json",
        layer: "user",
        dialect: "claude-code",
        simulate: true,
        text: settings,
      });
      const names = events
        .flatMap((event) => match(hooksOf([config]), event, call))
        .flatMap(({ handler }) =>
          handler.type === "command" ? (/^mark (\w+)/.exec(handler.command)?.[1] ?? []) : [],
        );
      expect([...new Set(names)].sort()).toEqual(ran.filter((name) => name !== "other"));
    });
});
