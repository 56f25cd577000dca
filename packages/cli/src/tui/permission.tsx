import type { Answer } from "@belay/agent";
import type { PendingPermission } from "@belay/core";
import { diffLines } from "diff";
import { Box, useInput } from "ink";
import { type ReactNode, useMemo, useRef } from "react";
import { Choices, choiceRows, pick } from "./choices.tsx";
import { useCurrent } from "./current.ts";
import { type Editor, EMPTY, press } from "./editor.ts";
import { inputText } from "./input-text.ts";
import { BLANK, type Line, Lines, prose } from "./lines.tsx";
import { Prompt } from "./prompt.tsx";
import type { Size } from "./size.ts";

export interface Question {
  readonly question: PendingPermission;
  /** How many more wait behind it. */
  readonly waiting: number;
  /** The rules that "always" would store; none: it cannot be said. */
  readonly rules: readonly string[];
}

export interface PermissionProps extends Question {
  readonly size: Size;
  /** Nobody is typing: keys of someone who was when the question came up do not answer it. */
  readonly isQuiet: boolean;
  answer(answer: Answer): void;
  abort(): void;
}

/** The agent waits: what it wants, what a hook made of it, why it is asked, and the ways to answer. */
export function PermissionDialog(props: PermissionProps): ReactNode {
  const { question, size, isQuiet, answer, abort } = props;
  const hasBeenQuiet = useRef(isQuiet);
  if (isQuiet) hasBeenQuiet.current = true;
  const isListening = hasBeenQuiet.current;
  const [at, setAt] = useCurrent(0);
  const [page, setPage] = useCurrent(0);
  const [reason, setReason] = useCurrent<Editor | undefined>(undefined);
  const wish = useMemo(() => wishLines(question, size.columns - 4), [question, size.columns]);
  const { about, choices, room } = layOut(props, wish.length);
  const pages = Math.ceil(wish.length / room);
  function take(kind: Answer["kind"] | undefined): void {
    if (kind === "deny") setReason(EMPTY);
    else if (kind !== undefined) answer({ kind });
  }
  useInput((input, key) => {
    const typed = reason();
    if (!isListening) return;
    if (!typed) {
      const picked = pick(at(), choices.length, input, key);
      setAt(picked.at);
      if (picked.taken !== undefined) take(choices[picked.taken]?.kind);
      else if (key.escape) abort();
      else if (input === "y") take("once");
      else if (input === "n") take("deny");
      else if (key.rightArrow) setPage(Math.min(page() + 1, pages - 1));
      else if (key.leftArrow) setPage(Math.max(page() - 1, 0));
      return;
    }
    const next = press(typed, { input, key });
    if (key.escape) setReason(undefined);
    else if (next.sent !== undefined) answer({ kind: "deny", reason: next.sent });
    else if (key.return && typed.text.trim() === "") answer({ kind: "deny" });
    else setReason(next.editor);
  });
  const typed = reason();
  const columns = size.columns - 4;
  return (
    <Box flexDirection="column" flexShrink={0} borderStyle="round" borderColor="yellow" paddingX={1}>
      <Lines lines={about.title} />
      <Lines lines={wish.slice(page() * room, (page() + 1) * room)} />
      {pages > 1 && (
        <Lines lines={[[{ text: `part ${page() + 1} of ${pages} (← → turn the page)`, dim: true }]]} />
      )}
      <Lines lines={about.why} />
      {typed ? (
        <>
          <Lines lines={[[{ text: "Why not? Enter: no · Esc: back", dim: true }]]} />
          <Prompt editor={typed} mark="›" columns={columns} rows={choices.length - 1} />
        </>
      ) : isListening ? (
        <Choices labels={choices.map(({ label }) => label)} at={at()} columns={columns} />
      ) : (
        <Lines lines={choices.map(() => BLANK)} />
      )}
    </Box>
  );
}

/** Rows of the screen that a question takes. */
export function permissionHeight(question: Question, size: Size): number {
  const wish = wishLines(question.question, size.columns - 4).length;
  const { fixed, room } = layOut({ ...question, size }, wish);
  return fixed + (wish > room ? room + 1 : wish);
}

/** Fewer rows than this show nothing of what is asked for. */
const LEAST_ROOM = 3;

function layOut(props: Question & { readonly size: Size }, wish: number) {
  const { question, waiting, rules, size } = props;
  const columns = size.columns - 4;
  // A hook asks each time, whatever the user allows.
  const isHooks = question.hook !== undefined;
  const choices: readonly { readonly kind: Answer["kind"]; readonly label: string }[] = [
    { kind: "once", label: "Yes, once" },
    ...(isHooks ? [] : [{ kind: "session" as const, label: `Yes, ${question.toolName} for this session` }]),
    ...(isHooks || rules.length === 0 ? [] : [{ kind: "always" as const, label: always(rules) }]),
    { kind: "deny", label: "No" },
  ];
  const why = [
    ...(question.reason === undefined
      ? []
      : prose(question.reason, columns, { color: "yellow" }).slice(0, 5)),
    ...(question.hook === undefined
      ? []
      : prose(`asked by the hook ${question.hook}`, columns, { dim: true }).slice(0, 2)),
    ...(waiting > 0 ? prose(`${waiting} more waiting behind this one`, columns, { dim: true }) : []),
  ];
  const title = prose(`May the agent use ${question.toolName}?`, columns, { bold: true });
  const rows = choices.flatMap(({ label }, index) => choiceRows(label, index, columns));
  const fixed = 2 + title.length + why.length + rows.length;
  // One row for the number of pages, one that the terminal needs, one for a notice.
  const left = Math.max(LEAST_ROOM, size.rows - fixed - 3);
  return { about: { title, why }, choices, fixed, room: Math.min(left, Math.max(1, wish)) };
}

function always(rules: readonly string[]): string {
  return `Always: ${rules.join(", ")} (into .belay/settings.local.json)`;
}

/** What would run; as a difference when a hook has changed it. */
function wishLines({ toolInput, updatedInput }: PendingPermission, columns: number): Line[] {
  if (!updatedInput) return prose(inputText(toolInput), columns);
  const names = [...new Set([...Object.keys(toolInput), ...Object.keys(updatedInput)])];
  return [
    [{ text: "a hook changed the input:", dim: true }],
    ...differences(inputText(toolInput, names), inputText(updatedInput, names)).flatMap(({ sign, text }) =>
      prose(text, columns - 2, SIGNS[sign]).map(
        (line): Line => [{ text: `${sign} `, ...SIGNS[sign] }, ...line],
      ),
    ),
  ];
}

const SIGNS = { "+": { color: "green" }, "-": { color: "red" }, " ": { dim: true } } as const;

/** Two long texts without likeness take too long to compare. */
const COMPARE_MS = 200;

function differences(before: string, after: string): { sign: keyof typeof SIGNS; text: string }[] {
  const parts = diffLines(`${before}\n`, `${after}\n`, { timeout: COMPARE_MS });
  if (!parts)
    return [
      { sign: "-", text: before },
      { sign: "+", text: after },
    ];
  return parts.map(({ value, added, removed }) => ({
    sign: added ? "+" : removed ? "-" : " ",
    text: value.replace(/\n$/, ""),
  }));
}
