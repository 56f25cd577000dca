import type { Answer } from "@belay/agent";
import type { PendingPermission } from "@belay/core";
import { diffLines } from "diff";
import { Box, Text, useInput } from "ink";
import { type ReactNode, useState } from "react";
import { clean } from "../clean.ts";
import { lineOf } from "./blocks.tsx";
import { EMPTY, press } from "./editor.ts";
import { Prompt } from "./prompt.tsx";

export interface PermissionProps {
  readonly question: PendingPermission;
  /** How many more wait behind it. */
  readonly waiting: number;
  /** The rules that "always" would store; none: it cannot be said. */
  readonly rules: readonly string[];
  answer(answer: Answer): void;
}

/** The agent waits: what it wants, what a hook made of it, why it is asked, and four ways to answer. */
export function PermissionDialog({ question, waiting, rules, answer }: PermissionProps): ReactNode {
  const [at, setAt] = useState(0);
  const [reason, setReason] = useState<typeof EMPTY | undefined>(undefined);
  const choices: readonly { readonly label: string; choose(): void }[] = [
    { label: "Yes, once", choose: () => answer({ kind: "once" }) },
    { label: `Yes, ${question.toolName} for this session`, choose: () => answer({ kind: "session" }) },
    ...(rules.length === 0 ? [] : [{ label: always(rules), choose: () => answer({ kind: "always" }) }]),
    { label: "No", choose: () => setReason(EMPTY) },
  ];
  useInput((input, key) => {
    if (reason) {
      const next = press(reason, { input, key });
      if (key.escape) setReason(undefined);
      else if (key.return)
        answer({ kind: "deny", ...(reason.text.trim() && { reason: reason.text.trim() }) });
      else if (next.sent !== undefined) answer({ kind: "deny", reason: next.sent });
      else setReason(next.editor);
      return;
    }
    const number = Number.parseInt(input, 10);
    if (key.upArrow) setAt((at + choices.length - 1) % choices.length);
    else if (key.downArrow) setAt((at + 1) % choices.length);
    else if (key.return) choices[at]?.choose();
    else if (number >= 1) choices[number - 1]?.choose();
    else if (input === "y") answer({ kind: "once" });
    else if (input === "n") setReason(EMPTY);
  });
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="yellow" paddingX={1}>
      <Text bold>May the agent use {clean(question.toolName)}?</Text>
      <Wish question={question} />
      {question.reason !== undefined && <Text color="yellow">{clean(question.reason)}</Text>}
      {question.hook !== undefined && <Text dimColor>asked by the hook {clean(question.hook)}</Text>}
      {waiting > 0 && <Text dimColor>{waiting} more questions wait behind this one</Text>}
      {reason ? (
        <Prompt editor={reason} mark="Why not? (Enter to say no, Esc to go back)" />
      ) : (
        choices.map(({ label }, index) => (
          <Text key={label} inverse={index === at}>
            {index + 1} {clean(label)}
          </Text>
        ))
      )}
    </Box>
  );
}

function always(rules: readonly string[]): string {
  return `Always: ${rules.join(", ")} (into .belay/settings.local.json)`;
}

/** What would run; as a difference when a hook has changed it. */
function Wish({ question }: { question: PendingPermission }): ReactNode {
  const { toolInput, updatedInput } = question;
  if (!updatedInput) return <Text>{clean(shown(toolInput))}</Text>;
  return (
    <Box flexDirection="column">
      <Text dimColor>a hook changed the input:</Text>
      {diffLines(`${shown(toolInput)}\n`, `${shown(updatedInput)}\n`).map(({ value, added, removed }) => {
        const color = added ? { color: "green" } : removed ? { color: "red" } : {};
        const sign = added ? "+" : removed ? "-" : " ";
        const lines = clean(value.trimEnd()).split("\n");
        return (
          <Text key={`${sign}${value}`} {...color}>
            {lines.map((line) => `${sign} ${line}`).join("\n")}
          </Text>
        );
      })}
    </Box>
  );
}

const MAX_SHOWN = 2_000;

function shown(input: Readonly<Record<string, unknown>>): string {
  const texts = Object.values(input);
  const text = texts.length === 1 ? lineOf(input) : JSON.stringify(input, null, 2).replaceAll("\\n", "\n");
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text;
}
