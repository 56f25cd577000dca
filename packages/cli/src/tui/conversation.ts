import type { AgentState, Block, Message, ToolBlock } from "@belay/agent";
import type { HookUserPreferences } from "@belay/core";
import { clean, oneLine } from "@belay/core/clean";
import { plural } from "@belay/core/internal";
import { useRef } from "react";
import { type Narration, narrationLines, withNarration } from "../demo/narration.ts";
import { inputLine, inputText, refusedBy, shortHookName, withHookName } from "../render/brief.ts";
import { shorten, width } from "../render/text.ts";
import { BLANK, type Line, marked, prose } from "./lines.tsx";

/**
 * The number of messages that do not change any more, and may scroll away. During a turn, the last prompt and everything
 * behind the model's last answer may change: a hook can erase the prompt, and fail the calls of the answer.
 */
export function finished({ messages, isBusy }: Pick<AgentState, "messages" | "isBusy">): number {
  if (!isBusy) return messages.length;
  const last = messages.findLastIndex(({ source }) => source === "model" || source === "prompt");
  return Math.max(0, last);
}

/**
 * The same over time: messages that scrolled away stay away when the next turn begins. `generation` grows when a clear or a
 * compaction replaces the conversation.
 */
export function useFinished(state: Pick<AgentState, "messages" | "isBusy">): {
  readonly done: number;
  readonly generation: number;
} {
  const known = useRef({ done: 0, first: "", generation: 0 });
  const { done, first, generation } = known.current;
  const now = state.messages[0]?.id ?? "";
  const isOther = done > 0 && now !== first;
  const least = isOther ? 0 : done;
  known.current = {
    done: Math.min(state.messages.length, Math.max(least, finished(state))),
    first: now,
    generation: isOther ? generation + 1 : generation,
  };
  return known.current;
}

/** Rows of one block, which are drawn once and then scroll away. */
export interface ScrolledRows {
  readonly key: string;
  readonly lines: readonly Line[];
}

/** A conversation in rows: `gone` does not change any more, `live` is drawn anew each time. */
export function conversationRows(shown: {
  readonly state: Pick<AgentState, "messages" | "draft">;
  readonly done: number;
  readonly look: Look;
  readonly narration: Narration;
  readonly isLeaving: boolean;
}): { readonly gone: ScrolledRows[]; readonly live: readonly Line[] } {
  const { state, done, look, narration, isLeaving } = shown;
  const { columns } = look;
  const draft = state.draft === "" ? [] : prose(state.draft, columns);
  // One item per block: hooks may add a block to a message that has scrolled away.
  const gone = withNarration(state.messages.slice(0, done), narration.told).flatMap((item) => {
    const parts = "story" in item ? [narrationLines(item, columns)] : messageParts(item, look);
    return parts.map((lines, index) => ({ key: `${item.id} ${index}`, lines }));
  });
  const cutOff = isLeaving && draft.length > 0 ? [{ key: "draft", lines: draft }] : [];
  return {
    gone: [...gone, ...cutOff],
    live: [
      ...state.messages.slice(done).flatMap((message) => messageParts(message, look).flat()),
      ...draft,
      ...(narration.next ? narrationLines(narration.next, columns) : []),
    ],
  };
}

export interface Look {
  readonly columns: number;
  readonly isOpen: boolean;
  /** What hooks told the agent: all of it, a line about each refusal, or nothing. */
  readonly hooks: HookUserPreferences["showHookOutput"];
}

type Parts = readonly (readonly Line[])[];

/** Rows of unchanged messages, so that a long conversation is not laid out at every key. */
const known = new WeakMap<Message, { readonly look: Look; readonly parts: Parts }>();

/** A message as the rows of each block; an empty row follows the last block that has rows. */
export function messageParts(message: Message, look: Look): Parts {
  const before = known.get(message);
  if (before?.look === look) return before.parts;
  const parts = partsOf(message, look);
  known.set(message, { look, parts });
  return parts;
}

function partsOf({ blocks, source }: Message, look: Look): Parts {
  const parts = blocks.map((block, index) => {
    const own =
      source === "prompt" && block.type === "text"
        ? promptLines(block.content, look)
        : blockLines(block, look);
    const isAfterWords = block.type === "tool" && blocks[index - 1]?.type === "text";
    return isAfterWords ? [BLANK, ...own] : own;
  });
  const last = parts.findLastIndex((lines) => lines.length > 0);
  return parts.map((lines, index) => (index === last ? [...lines, BLANK] : lines));
}

function promptLines(content: string, { columns }: Look): Line[] {
  return marked({ text: "›", color: "cyan" }, prose(content, columns - 2, { bold: true }));
}

function blockLines(block: Block, look: Look): Line[] {
  const room = look.columns - 2;
  const who = block.hook === undefined ? "a hook" : shortHookName(block.hook);
  switch (block.type) {
    case "text":
      if (!block.to.includes("user")) return agentLines(`${who} told the agent`, block.content, look, true);
      if (block.to.includes("agent")) return prose(block.content.trimEnd(), look.columns);
      return marked({ text: "·", color: "gray" }, prose(withHookName(block), room, { dim: true }));
    case "tool":
      return toolLines(block, look);
    case "error":
      return marked({ text: "✗", color: "red" }, prose(withHookName(block), room, { color: "red" }));
    case "warn":
      return block.to.includes("user")
        ? marked({ text: "⚠", color: "yellow" }, prose(withHookName(block), room, { color: "yellow" }))
        : agentLines(`${who} warned the agent`, block.content, look, false);
    case "hook": {
      const isRefusal = String(block.metadata?.kind).startsWith("refusal");
      const told = block.hook === undefined ? `a ${block.hookEvent} hook` : `${who} (${block.hookEvent})`;
      return agentLines(`${told} told the agent`, block.content, look, isRefusal);
    }
  }
}

function agentLines(who: string, content: string, look: Look, isRefusal: boolean): Line[] {
  if (look.hooks === "none" || (look.hooks === "decisions" && !isRefusal)) return [];
  const room = look.columns - 2;
  const mark = { text: "↳", color: "magenta" };
  if (look.hooks === "all") return marked(mark, prose(`${who}: ${content}`, room, { dim: true }));
  return marked(mark, [[{ text: shorten(oneLine(`${who}: ${content}`), room), dim: true }]]);
}

const STAGES: Record<ToolBlock["stage"], { text: string; color: string }> = {
  called: { text: "○", color: "gray" },
  asking: { text: "?", color: "yellow" },
  running: { text: "◌", color: "cyan" },
  done: { text: "●", color: "green" },
  interrupted: { text: "◍", color: "yellow" },
};

function toolLines(block: ToolBlock, { columns, isOpen }: Look): Line[] {
  const { name, stage, success, result = "", updatedInput, rewriter, input, hook } = block;
  const hasFailed = stage === "done" && success === false;
  const mark = hasFailed ? { text: "✗", color: "red" } : STAGES[stage];
  const room = columns - 2;
  const byHooks =
    (updatedInput ? ` (changed by ${rewriter === undefined ? "a hook" : shortHookName(rewriter)})` : "") +
    refusedBy(hasFailed ? hook : undefined);
  const heads = isOpen
    ? openHeads(oneLine(name), byHooks, inputText(updatedInput ?? input), room)
    : closedHeads(oneLine(`${name} ${inputLine(updatedInput ?? input)}`), byHooks, room);
  const was = isOpen && updatedInput ? prose(`was:${behindName(inputText(input))}`, room, { dim: true }) : [];
  const style = hasFailed ? { color: "red" } : { dim: true };
  const rows = result.trim() === "" ? [] : resultLines(result, { room, isOpen, hasFailed }, style);
  return [...marked(mark, heads.map(boldName(name))), ...[...was, ...rows].map(indented)];
}

/** A row with the tool and what fits of its input. Words about hooks get at most half of it, else rows of their own. */
function closedHeads(call: string, byHooks: string, room: number): Line[] {
  const taken = width(byHooks);
  if (taken <= Math.max(room - width(call), room >> 1))
    return [[{ text: shorten(call, Math.max(1, room - taken)) }, { text: byHooks, dim: true }]];
  return [[{ text: shorten(call, Math.max(1, room)) }], ...prose(byHooks.trimStart(), room, { dim: true })];
}

function openHeads(name: string, byHooks: string, input: string, room: number): Line[] {
  const shown = behindName(input);
  return prose(shown.includes("\n") ? name + byHooks + shown : name + shown + byHooks, room);
}

/** An input in full: on the same line, or, when it has several, below and further in than the result will be. */
function behindName(input: string): string {
  return input.includes("\n") ? `\n${input.replaceAll(/^/gm, "  ")}` : ` ${input}`;
}

function boldName(name: string): (line: Line, index: number) => Line {
  const shown = oneLine(name);
  return (line, index) => {
    const [first, ...rest] = line;
    if (index > 0 || !first?.text.startsWith(shown)) return line;
    return [{ text: shown, bold: true }, { ...first, text: first.text.slice(shown.length) }, ...rest];
  };
}

function indented(line: Line): Line {
  return [{ text: "  " }, ...line];
}

/** Lines of a result that a closed block shows. The reason of a failure gets more. */
const CLOSED_LINES = 3;
const CLOSED_FAILURE_LINES = 8;

function resultLines(
  result: string,
  { room, isOpen, hasFailed }: { room: number; isOpen: boolean; hasFailed: boolean },
  style: { color?: string; dim?: boolean },
): Line[] {
  if (isOpen) return prose(result.trimEnd(), room, style);
  const lines = result.trimEnd().split("\n");
  const shown = lines.slice(0, hasFailed ? CLOSED_FAILURE_LINES : CLOSED_LINES);
  const rows = hasFailed
    ? prose(shown.join("\n").slice(0, 2_000), room, style)
    : shown.map((line) => [{ text: shorten(clean(line.slice(0, 2_000)), room) || " ", ...style }]);
  const left = lines.length - shown.length;
  if (left === 0) return rows;
  return [...rows, [{ text: `… ${plural(left, "more line")} (Ctrl-O opens)`, dim: true }]];
}
