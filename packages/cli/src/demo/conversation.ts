import type { Answer, Block, Message, Reader, ToolBlock, TurnEnd } from "@belay/agent";
import type { HookExecutionRecord, PendingPermission } from "@belay/core";
import { plural } from "@belay/core/internal";
import type { Io } from "../io.ts";
import { inputLine } from "../render/brief.ts";
import { clean, hang, milliseconds, oneLine, type Paint, paintFor, shorten, width } from "../render/text.ts";
import { room } from "./script.ts";

type Role = "user" | "agent" | "tool" | "hooks" | "asks" | "→ user" | "→ agent";

const COLORS: Record<Role, "cyan" | "green" | "blue" | "magenta" | "yellow"> = {
  user: "cyan",
  agent: "green",
  tool: "blue",
  hooks: "magenta",
  asks: "yellow",
  "→ user": "magenta",
  "→ agent": "magenta",
};

const ROLE_COLUMNS = 9;
const INDENT = "  ";
const RESULT_LINES = 3;

export type ConversationWriter = ReturnType<typeof conversationWriter>;

/** Writes a conversation as text: a column that says who speaks, and the words beside it. */
export function conversationWriter(io: Io) {
  const paint = paintFor(io);
  const columns = room(io);
  const says = (role: Role, text: string) => line(role, text, columns, paint);
  return {
    prompt: (text: string) => says("user", `› ${clean(text)}`),
    hooks: (records: readonly HookExecutionRecord[]) => says("hooks", moment(records, paint)),
    block: (block: Block, source: Message["source"]) => {
      if (block.type === "tool") return "";
      if (block.type === "error") return says("→ user", paint.red(`✗ ${clean(block.content)}`));
      if (block.type === "hook") return says("→ agent", clean(block.content));
      if (source === "prompt") return "";
      if (source === "model") return says("agent", clean(block.content));
      const text = clean(block.content);
      const shown = block.type === "warn" && block.to.includes("user") ? paint.yellow(`! ${text}`) : text;
      return block.to.map((to: Reader) => says(`→ ${to}`, shown)).join("");
    },
    tool: (block: ToolBlock, wasRefused: boolean) => {
      const changed = changes(block);
      // The result of a refused call holds only the hook's words, which are for the agent.
      const result = wasRefused ? [] : shortResult(block, columns - ROLE_COLUMNS - INDENT.length);
      const below = [...changed, ...result].map((text) => paint.dim(INDENT + text));
      const head = says("tool", [toolHead(block, paint), ...below].join("\n"));
      return wasRefused ? head + says("→ agent", clean(block.result ?? "")) : head;
    },
    question: (question: PendingPermission) => {
      const { toolName, toolInput, updatedInput = toolInput, reason, hook } = question;
      const by = hook === undefined ? "" : ` (${clean(hook)})`;
      const why = reason === undefined ? [] : [clean(reason) + by];
      const below = [...changes({ input: toolInput, updatedInput }), ...why].map((text) => INDENT + text);
      const head = paint.bold(`May the agent use ${clean(toolName)}?  ${clean(inputLine(toolInput))}`);
      return says("asks", [head, ...below].join("\n"));
    },
    answer: ({ kind, reason }: Answer) =>
      says("user", kind === "deny" ? `no${reason === undefined ? "" : `: ${clean(reason)}`}` : ANSWERS[kind]),
    end: ({ reason }: TurnEnd) => {
      if (reason === "prompt-blocked") return says("→ agent", paint.dim("nothing: the prompt is erased"));
      if (reason === "denied") return says("agent", paint.dim("stops here: the user's no ends its turn"));
      return "";
    },
  };
}

const ANSWERS: Record<Exclude<Answer["kind"], "deny">, string> = {
  once: "yes, once",
  session: "yes, for this session",
  always: "always",
};

/** A text beside its role, which stands on the first line only. A narrow terminal shows one below the other. */
function line(role: Role, text: string, columns: number, paint: Paint): string {
  const label = paint[COLORS[role]](role) + " ".repeat(ROLE_COLUMNS - width(role));
  return `${hang(label, text, columns).join("\n")}\n`;
}

/** "PreToolUse: limit-command-time 2 ms · no-force-push deny, 41 ms" */
function moment(records: readonly HookExecutionRecord[], paint: Paint): string {
  const said = records.map(({ hook, decision, executionTime }) => {
    const word = decision === "abstain" ? "" : ` ${paint.bold(oneLine(decision.replace(/:.*/s, "")))},`;
    return `${oneLine(hook)}${word} ${milliseconds(executionTime)}`;
  });
  return `${records[0]?.hookEvent}: ${said.join(" · ")}`;
}

function toolHead({ name, input, success }: ToolBlock, paint: Paint): string {
  const mark = success === false ? paint.red("✗") : paint.green("●");
  return `${mark} ${paint.bold(clean(name))}  ${clean(inputLine(input))}`;
}

function changes({ input, updatedInput = input }: Pick<ToolBlock, "input" | "updatedInput">): string[] {
  const names = [...new Set([...Object.keys(input), ...Object.keys(updatedInput)])];
  return names
    .filter((name) => JSON.stringify(input[name]) !== JSON.stringify(updatedInput[name]))
    .map((name) =>
      oneLine(`a hook changed ${name}: ${shownValue(input[name])} -> ${shownValue(updatedInput[name])}`),
    );
}

function shownValue(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value);
}

function shortResult({ result = "" }: ToolBlock, columns: number): string[] {
  const lines = clean(result).trimEnd().split("\n");
  const rest = lines.length - RESULT_LINES;
  const shown = lines.slice(0, RESULT_LINES).map((text) => shorten(text.trim(), Math.max(1, columns)));
  return rest > 0 ? [...shown, `… ${plural(rest, "more line")}`] : shown;
}
