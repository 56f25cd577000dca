import type { Message, Outcome } from "@belay/engine";
import { clean, cleanOutput, hang, type Paint, width, wrap } from "./text.ts";

/** Narrower than this, the two sides stand one below the other. */
const SIDE_BY_SIDE = 76;

/** What the user sees and what the agent sees, side by side or one below the other. */
export function renderSides(outcome: Outcome, columns: number, paint: Paint): string[] {
  const sides = [
    { title: "the user sees", lines: sideOf(outcome, "user") },
    { title: "the agent sees", lines: sideOf(outcome, "agent") },
  ] as const;
  if (columns < SIDE_BY_SIDE) {
    return sides.flatMap(({ title, lines }) => [
      ...wrap(paint.bold(title), columns),
      ...lines(columns, paint),
    ]);
  }
  const left = Math.floor((columns - 3) / 2);
  const right = columns - 3 - left;
  const [user, agent] = sides;
  const userLines = user.lines(left, paint);
  const agentLines = agent.lines(right, paint);
  const rows = Math.max(userLines.length, agentLines.length);
  const bar = paint.dim("│");
  const body = Array.from({ length: rows }, (_, row) =>
    `${pad(userLines[row] ?? "", left)} ${bar} ${agentLines[row] ?? ""}`.trimEnd(),
  );
  const head = `${pad(paint.bold(user.title), left)} ${bar} ${paint.bold(agent.title)}`;
  const rule = paint.dim(`${"─".repeat(left + 1)}┼${"─".repeat(right + 1)}`);
  return [head, rule, ...body];
}

function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}

function sideOf(outcome: Outcome, to: Message["to"]): (columns: number, paint: Paint) => string[] {
  const messages = outcome.messages.filter((message) => message.to === to);
  return (columns, paint) =>
    messages.length === 0
      ? wrap(paint.dim("nothing"), columns)
      : messages.flatMap((message) => messageLines(message, columns, paint));
}

const LOOK: Record<Message["block"]["type"], { sign: string; color: "yellow" | "red" | "cyan" | "green" }> = {
  warn: { sign: "!", color: "yellow" },
  error: { sign: "✗", color: "red" },
  tool: { sign: "✗", color: "red" },
  hook: { sign: "›", color: "cyan" },
  text: { sign: "›", color: "green" },
};

function messageLines({ block, hook }: Message, columns: number, paint: Paint): string[] {
  const { sign, color } = LOOK[block.type];
  const head = hang(`${paint[color](sign)} `, paint.dim(`${block.type} · ${clean(hook)}`), columns);
  return [...head, ...hang("  ", cleanOutput(block.content), columns)];
}
