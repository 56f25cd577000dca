import type { Agent } from "@belay/agent";
import { oneLine } from "@belay/core/clean";
import { useHookEvents } from "@belay/react";
import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { shorten, width } from "../render/text.ts";
import type { Editor } from "./editor.ts";
import type { Panel } from "./handle-input.ts";
import { firstFitting } from "./lines.tsx";
import { HelpView, HistoryView, HooksView } from "./panels.tsx";
import { PermissionDialog, permissionHeight, type Question } from "./permission.tsx";
import { Prompt, promptRows } from "./prompt.tsx";
import type { Size } from "./screen.ts";
import { decisionOn } from "./store.ts";

export interface InputAreaProps {
  readonly agent: Agent;
  readonly unread?: (() => Promise<string>) | undefined;
  readonly asked: Question | undefined;
  readonly panel: Panel | undefined;
  closePanel(): void;
  readonly editor: Editor;
  readonly size: Size;
  readonly isQuiet: boolean;
  /** What an empty prompt sends: the next of a story. */
  readonly next: string | undefined;
}

export function InputArea(props: InputAreaProps): ReactNode {
  const { agent, unread, asked, panel, closePanel, editor, size, isQuiet, next } = props;
  const { resolvePendingPermission } = useHookEvents();
  if (asked)
    return (
      <PermissionDialog
        key={asked.question.id}
        {...asked}
        size={size}
        isQuiet={isQuiet}
        answer={(given) => resolvePendingPermission(asked.question.id, decisionOn(asked.question, given))}
        abort={agent.abort}
      />
    );
  if (panel === "hooks") return <HooksView agent={agent} unread={unread} size={size} close={closePanel} />;
  if (panel === "history") return <HistoryView size={size} close={closePanel} />;
  if (panel === "help") return <HelpView size={size} close={closePanel} />;
  const { isBusy, mode } = agent.state;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Prompt
        editor={editor}
        mark="›"
        hint={isBusy ? "" : ` ${next ?? "ask for something, or /help"}`}
        columns={size.columns}
        rows={mostPromptRows(size)}
      />
      <Text dimColor wrap="truncate-end">
        {bottomLine({ model: agent.model, mode, next: isBusy ? undefined : next, columns: size.columns })}
      </Text>
    </Box>
  );
}

/** Who answers and what it may do, before it the keys of a story; in the words that have room. */
export function bottomLine(shown: {
  readonly model: string;
  readonly mode: string;
  readonly next: string | undefined;
  readonly columns: number;
}): string {
  const { mode, next, columns } = shown;
  const model = oneLine(shown.model);
  if (next === undefined)
    return firstFitting(
      columns,
      `${model} · ${mode} (Shift-Tab)`,
      `${model} · ${mode}`,
      `${shorten(model, columns - width(` · ${mode}`))} · ${mode}`,
    );
  return firstFitting(
    columns,
    `Enter sends this, or type your own · q leaves · ${model} · ${mode} (Shift-Tab)`,
    `Enter sends this · q leaves · ${mode}`,
    "Enter sends this · q leaves",
  );
}

/** Rows that it takes, a panel aside: that has the screen to itself. */
export function inputAreaHeight(asked: Question | undefined, editor: Editor, size: Size): number {
  if (asked) return permissionHeight(asked, size);
  return promptRows(editor, size.columns - 2, mostPromptRows(size)).length + 1;
}

/** A long text leaves room for what is being answered. */
function mostPromptRows({ rows }: Size): number {
  return Math.max(1, Math.floor(rows / 3));
}
