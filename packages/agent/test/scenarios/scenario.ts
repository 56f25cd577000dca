import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ModelMessage } from "../../src/models/model.ts";
import type { EndReason } from "../../src/types.ts";
import { withoutMark } from "../scripted.ts";
import type { Stage, StageOptions } from "../stage.ts";

/** A hook is a command here: nothing answers without a process. */
export interface CommandHook {
  readonly command: string;
  readonly name?: string;
}

/** One acceptance scenario of a seed, or a part of one. Each side is compared as a whole. */
export interface Scenario extends Omit<StageOptions, "hooks"> {
  readonly ref: string;
  readonly name: string;
  readonly hooks: Readonly<Record<string, readonly CommandHook[]>>;
  /** Each process that was started for a hook, as `event exit code`. */
  readonly runs: readonly string[];
  readonly end?: EndReason;
  /** How often the model was asked, and everything it was sent the last time. */
  readonly requests: number;
  readonly sent: readonly string[];
  /** Where the turn ended before its time: all that the model would be sent next. */
  readonly next?: readonly string[];
  /** Everything that the user saw, line by line, and every question. */
  readonly seen: readonly string[];
  readonly questions?: readonly object[];
  /** Every file of the project. */
  readonly disk: Readonly<Record<string, string>>;
  /** Texts that the session on disk may not hold. */
  readonly erased?: readonly string[];
}

/** A hook that prints this answer, as JSON, and ends with this code. */
export function prints(answer: object, exitCode = 0): CommandHook {
  const quoted = JSON.stringify(answer).replaceAll("'", "'\\''");
  return { command: `printf '%s' '${quoted}'; exit ${exitCode}` };
}

/** A hook that says this on stderr and ends with this code. */
export const exits = (exitCode: number, stderr: string): CommandHook => ({
  command: `echo '${stderr}' >&2; exit ${exitCode}`,
});

export const specific = (hookEventName: string, fields: object, exitCode = 0): CommandHook =>
  prints({ hookSpecificOutput: { hookEventName, ...fields } }, exitCode);

export const decides = (permissionDecision: string, more: object = {}, exitCode = 0): CommandHook =>
  specific(
    "PreToolUse",
    { permissionDecision, permissionDecisionReason: "because of the rules", ...more },
    exitCode,
  );

/** What the model asks for: it leaves a file where it ran. */
export const RUN = { name: "Bash", input: { command: "echo ran > ran.txt; echo out" } };
export const RAN = { "ran.txt": "ran\n" };
export const ASK = [{ calls: [RUN] }, "Finished."];
/** The beginning of what the model is sent after it asked for that. */
export const ASKED = ["user: do it", `call: Bash ${JSON.stringify(RUN.input)}`];

/** The call runs or fails, and the model has its last word. What differs from a call that nobody minds is in the row. */
export const afterCall = ({
  sent = ["result: out"],
  seen = ["tool: Bash done: out"],
  ...row
}: Pick<Scenario, "ref" | "name" | "hooks" | "runs"> & Partial<Scenario>): Scenario => ({
  mode: "bypass",
  replies: ASK,
  requests: 2,
  disk: RAN,
  ...row,
  sent: [...ASKED, ...sent],
  seen: ["text: do it", ...seen, "text: Finished."],
});

/** The prompt is refused: nothing of it is left. */
export const ERASED = {
  end: "prompt-blocked",
  requests: 0,
  sent: [],
  next: [],
  disk: {},
  erased: ["do it"],
} as const;

/** What the model reads of a call that a hook rewrote, whose tool printed nothing. */
export const changedTo = (input: object): string =>
  `result: <hook>\nA hook changed this call to ${JSON.stringify(input).replaceAll(">", "&gt;")}.\n</hook>\n[no output]`;

/** Each hook with a name of its own in what is said about it, and its process in a list beside the project. */
export function hooksOf({ hooks }: Scenario): NonNullable<StageOptions["hooks"]> {
  return Object.fromEntries(
    Object.entries(hooks).map(([event, list]) => [
      event,
      list.map(({ command, name = "checker" }) => ({
        type: "command",
        command: `echo $$ >> ../started; ${command}`,
        name,
      })),
    ]),
  );
}

/** The processes that wrote themselves down, one id each. */
export function started({ project }: Stage): string[] {
  const list = join(project, "..", "started");
  return existsSync(list) ? readFileSync(list, "utf8").trim().split("\n") : [];
}

/** What the journal has of the hooks: `event exit code`. */
export function runsOf({ home }: Stage): string[] {
  return jsonLines(join(home, ".belay", "journal")).flatMap((line) => {
    const { event, hooks } = line as { event: string; hooks: { run: { exitCode?: number } }[] };
    return hooks.map(({ run }) => `${event} ${run.exitCode}`);
  });
}

function jsonLines(folder: string): unknown[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line));
}

/** Every file of the project, by its path there. */
export function diskOf({ project, read }: Stage): Record<string, string> {
  const names = readdirSync(project, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(project, name)).isFile(),
  );
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}

/** What a model is sent, a line for each part of it; tags without their mark. */
export function linesOf(messages: readonly ModelMessage[]): string[] {
  return messages
    .flatMap((message) => {
      if (message.role === "user") return [`user: ${message.content}`];
      if (message.role === "tool")
        return message.content.map(({ success, result }) => `${success ? "result" : "failed"}: ${result}`);
      return message.content.map((part) =>
        part.type === "text" ? `agent: ${part.text}` : `call: ${part.name} ${JSON.stringify(part.input)}`,
      );
    })
    .map(withoutMark);
}
