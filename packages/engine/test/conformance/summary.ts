import {
  type Diagnostic,
  hookOutputProcessor,
  type Message,
  type MessageManager,
  type Outcome,
  type RunReport,
} from "@belay/engine";
import type { Expect } from "./row.ts";

/** An Outcome as rows write it. */
export function summarise(outcome: Outcome): object {
  const { action, blocked, decision, updatedInput, updatedPrompt, updatedToolOutput } = outcome;
  return {
    action,
    blocked,
    decision: {
      ...decision,
      ...(decision.reason !== undefined && { reason: coded(decision.reason, outcome.diagnostics) }),
    },
    updatedInput,
    updatedPrompt,
    updatedToolOutput,
    messages: outcome.messages.map((message) => showMessage(message, outcome.diagnostics)),
    diagnostics: outcome.diagnostics.map(showDiagnostic),
    runs: outcome.runs.map((run) => showRun(run, outcome.diagnostics)),
  };
}

/** The same for an expectation, with everything it left out filled in. */
export function summaryOf(expected: Expect): object {
  const { kind = "none", reason, by = "h", interrupt, updatedInput, updatedPrompt, fault, shown } = expected;
  const faults = fault === undefined ? [] : [fault];
  const mixed = expected.mixed ? ["output-mixed"] : [];
  const { action = fault && kind === "none" ? "error-displayed" : "continue", warns = [] } = expected;
  const { read = expected.mixed ? "mixed" : "exit-code" } = expected;
  return {
    action,
    blocked: kind === "deny" || kind === "block" || kind === "stop",
    decision: {
      kind,
      ...(reason !== undefined && { reason }),
      ...(kind !== "none" && { hook: by }),
      ...(interrupt && { interrupt }),
    },
    updatedInput,
    updatedPrompt,
    updatedToolOutput: expected.updatedToolOutput,
    messages: [
      ...(expected.messages ?? []),
      ...faults.map((text) => `user error${toldAs(text)}`),
      ...(shown === undefined ? [] : [`user text: ${shown}`]),
      ...[...mixed, ...warns].map((text) => `user warn${toldAs(text)}`),
    ],
    diagnostics: [...mixed, ...faults, ...warns, ...(expected.diagnostics ?? [])],
    runs: expected.runs ?? [[read, ...faults.map((text) => `fault ${codeOf(text)}`)].join(" ")],
  };
}

const codeOf = (diagnostic: string) => diagnostic.split(" ", 1)[0];

/** The message of a diagnostic, "<code> (<hook>) at <path>". */
function toldAs(diagnostic: string): string {
  return `${/ \(\w+\)/.exec(diagnostic)?.[0] ?? ""}: <${codeOf(diagnostic)}>`;
}

function showMessage({ to, hook, block }: Message, diagnostics: readonly Diagnostic[]): string {
  const told = diagnostics.find(
    ({ message, fix }) =>
      block.content === `${message}. ${fix}` || block.content === `hook ${hook}: ${message}`,
  );
  return `${to} ${block.type}${named(hook)}: ${told ? `<${told.code}>` : coded(block.content, diagnostics)}`;
}

/** A text with the words of a diagnostic replaced by its code. */
function coded(text: string, diagnostics: readonly Diagnostic[]): string {
  const quoted = diagnostics.find(({ message }) => text.includes(`: ${message}`));
  return quoted ? text.replace(quoted.message, () => `<${quoted.code}>`) : text;
}

function showDiagnostic({ code, hook, path }: Diagnostic): string {
  return `${code}${hook === undefined ? "" : named(hook)}${path === undefined ? "" : ` at ${path}`}`;
}

function showRun({ hook, read, fault }: RunReport, diagnostics: readonly Diagnostic[]): string {
  const found = diagnostics.find(({ message }) => fault?.startsWith(message));
  const said = found ? fault?.replace(found.message, found.code) : fault;
  return `${read}${named(hook)}${said === undefined ? "" : ` fault ${said}`}`;
}

function named(hook: string): string {
  return hook === "h" ? "" : ` (${hook})`;
}

/** What seed 003's processor does with the only run of an outcome, on a conversation that writes it down. */
export function processed({ event, dialect, runs }: Outcome) {
  const [run] = runs;
  if (!run || runs.length > 1) throw new TypeError("the processor reads one run");
  const operations: unknown[][] = [];
  const write =
    (name: keyof MessageManager) =>
    (...args: unknown[]) =>
      void operations.push([name, ...args]);
  const manager: MessageManager = {
    addUserMessage: write("addUserMessage"),
    addErrorBlock: write("addErrorBlock"),
    updateToolBlock: write("updateToolBlock"),
    removeLastUserMessage: write("removeLastUserMessage"),
    addWarnBlock: write("addWarnBlock"),
    addHookBlock: write("addHookBlock"),
  };
  const { exitCode, stdout, stderr, executionTime: duration, timedOut } = run;
  const success = exitCode === 0 && run.fault === undefined;
  const result = { success, stdout, stderr, duration, timedOut, ...(exitCode !== undefined && { exitCode }) };
  const context = { toolId: "t1", toolResult: "12 passed", dialect, hook: run.hook };
  return { result: hookOutputProcessor.processHookOutput(event, result, context, manager), operations };
}
