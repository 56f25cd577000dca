import type { Answer } from "@belay/agent";
import type { PendingPermission } from "@belay/core";
import { plural } from "@belay/core/internal";
import { diffLines } from "diff";
import { Box } from "ink";
import { type ReactNode, useMemo, useRef } from "react";
import { answerKinds } from "../chat/share-questions.ts";
import { inputText, shortHookName } from "../render/brief.ts";
import { shorten } from "../render/text.ts";
import { Choices, choiceRows, isChord, pick } from "./choices.tsx";
import { type Editor, EMPTY, press } from "./editor.ts";
import { type KeyListener, useKeys } from "./keys.tsx";
import { BLANK, firstFitting, type Line, Lines, prose, type Style } from "./lines.tsx";
import { Prompt } from "./prompt.tsx";
import { type Size, useCurrent } from "./screen.ts";

export interface PermissionProps extends Question {
  readonly size: Size;
  /** Nobody is typing: keys of someone who was when the question came up do not answer it. */
  readonly isQuiet: boolean;
  answer(answer: Answer): void;
  abort(): void;
}

export function PermissionDialog(props: PermissionProps): ReactNode {
  const { question, rewriter, size, isQuiet, answer, abort } = props;
  const hasBeenQuiet = useRef(isQuiet);
  if (isQuiet) hasBeenQuiet.current = true;
  const isListening = hasBeenQuiet.current;
  const [at, setAt] = useCurrent(0);
  const [page, setPage] = useCurrent(0);
  const [reason, setReason] = useCurrent<Editor | undefined>(undefined);
  const wish = useMemo(() => wishLines({ question, rewriter }, size), [question, rewriter, size]);
  const { title, body, why, choices, choiceHeight, room } = layOut(props, wish);
  const pages = Math.ceil(body.length / room);
  // A larger terminal has fewer of them.
  const currentPage = () => Math.min(page(), pages - 1);
  function take(kind: Answer["kind"] | undefined): void {
    if (kind === "deny") setReason(EMPTY);
    else if (kind !== undefined) answer({ kind });
  }
  const onKey: KeyListener = (input, key, isPasted) => {
    const typed = reason();
    if (!isListening) {
      // No answer, but the way out of a turn, also for someone who was typing.
      if (key.escape) abort();
      return;
    }
    if (!typed) {
      if (isPasted || isChord(key)) return;
      const picked = pick(at(), choices.length, input, key);
      setAt(picked.at);
      if (picked.taken !== undefined) take(choices[picked.taken]?.kind);
      else if (key.escape) abort();
      else if (input === "y") take("once");
      else if (input === "n") take("deny");
      else if (key.rightArrow) setPage(Math.min(currentPage() + 1, pages - 1));
      else if (key.leftArrow) setPage(Math.max(currentPage() - 1, 0));
      return;
    }
    const next = press(typed, { input, key, isPasted });
    if (key.escape) setReason(undefined);
    else if (next.sent !== undefined) answer({ kind: "deny", reason: next.sent });
    else if (key.return && !isPasted && typed.text.trim() === "") answer({ kind: "deny" });
    else setReason(next.editor);
  };
  useKeys(onKey);
  const typed = reason();
  const shown = currentPage();
  const columns = size.columns - 4;
  return (
    <Box flexDirection="column" flexShrink={0} borderStyle="round" borderColor="yellow" paddingX={1}>
      <Lines lines={title} />
      <Lines lines={body.slice(shown * room, (shown + 1) * room)} />
      {pages > 1 && (
        <Lines lines={[[{ text: `part ${shown + 1} of ${pages} (← → turn the page)`, dim: true }]]} />
      )}
      <Lines lines={why} />
      {typed ? (
        <>
          <Lines lines={[[{ text: "Why not? Enter: no · Esc: back", dim: true }]]} />
          <Prompt editor={typed} mark="›" columns={columns} rows={choices.length - 1} />
        </>
      ) : isListening ? (
        <Choices labels={choices.map(({ label }) => label)} at={at()} columns={columns} />
      ) : (
        <Lines
          lines={Array.from({ length: choiceHeight }, (_, row) =>
            row === 0 ? [{ text: "a moment … (Esc aborts)", dim: true }] : BLANK,
          )}
        />
      )}
    </Box>
  );
}

export interface Question {
  readonly question: PendingPermission;
  readonly waiting: number;
  readonly rewriter?: string | undefined;
  /** The rules that "always" would store; none: it cannot be said. */
  readonly rules: readonly string[];
}

export function permissionHeight(question: Question, size: Size): number {
  const { fixed, body, room } = layOut({ ...question, size }, wishLines(question, size));
  return fixed + (body.length > room ? room + 1 : body.length);
}

interface Wordiness {
  /** Rows of a reason beside the choices; those that are left are paged through, behind the input. */
  readonly reason: number;
  /** Rows at a time, at least, of what is asked for. */
  readonly least: number;
  readonly isBrief: boolean;
}

/** From wordy to terse; the first that fits the screen is taken. The question and its input are always shown. */
const WORDINESS: readonly Wordiness[] = [
  { reason: Number.POSITIVE_INFINITY, least: Number.POSITIVE_INFINITY, isBrief: false },
  { reason: 5, least: 3, isBrief: false },
  { reason: 3, least: 3, isBrief: true },
  { reason: 1, least: 3, isBrief: true },
];
/** The last resort: also who asks is shown behind the input. */
const TERSE: Wordiness = { reason: 0, least: 1, isBrief: true };

type Asked = Question & { readonly size: Size };

/** What the dialog says, the choices it offers, and what is paged through, with how many rows of it at a time. */
export function layOut(asked: Asked, wish: readonly Line[]) {
  for (const wordiness of WORDINESS) {
    const layout = layOutWith(wordiness, asked, wish);
    if (layout.hasRoom) return layout;
  }
  return layOutWith(TERSE, asked, wish);
}

/** One row for the number of pages, and one that the terminal needs. A notice gets a third where there is room. */
const AROUND = 2;

function layOutWith(wordiness: Wordiness, asked: Asked, wish: readonly Line[]) {
  const { least, isBrief } = wordiness;
  const { question, waiting, size } = asked;
  const columns = size.columns - 4;
  const choices = choicesFor(asked).map(({ kind, label }) => ({
    kind,
    label: isBrief ? shorten(label, columns - 4) : label,
  }));
  const reason = question.reason === undefined ? [] : quoted(question.reason, size, { color: "yellow" });
  const shown = reason.length > wordiness.reason ? Math.max(0, wordiness.reason - 1) : reason.length;
  const left = reason.slice(shown);
  const by = question.hook === undefined ? "" : `asked by the hook ${shortHookName(question.hook)}`;
  const heading = shown > 0 ? "the reason goes on:" : by === "" ? "why it is asked:" : `${by}:`;
  const body = left.length === 0 ? wish : [...wish, [{ text: heading, dim: true }], ...left];
  const beside = left.length > 0 && shown === 0 ? "" : by;
  const more = waiting === 0 || isBrief ? "" : `${waiting} more waiting behind this one`;
  const why = [
    ...reason.slice(0, shown),
    ...(left.length > 0 && wordiness.reason > 0 ? [goesOn(left.length)] : []),
    ...[isBrief ? shorten(beside, columns) : beside, more]
      .filter((text) => text !== "")
      .flatMap((text) => prose(text, columns, { dim: true })),
  ];
  const title = prose(titleOf(asked, isBrief), columns, { bold: true });
  const choiceHeight = choices.flatMap(({ label }, index) => choiceRows(label, index, columns)).length;
  const fixed = 2 + title.length + why.length + choiceHeight;
  const free = size.rows - fixed - AROUND - (wordiness === TERSE ? 0 : 1);
  const room = Math.min(Math.max(least, free), Math.max(1, body.length));
  return {
    title,
    body,
    why,
    choices,
    choiceHeight,
    fixed,
    room,
    hasRoom: free >= Math.min(least, body.length),
  };
}

function choicesFor({
  question,
  rules,
}: Question): readonly { readonly kind: Answer["kind"]; readonly label: string }[] {
  const labels: Record<Answer["kind"], string> = {
    once: "Yes, once",
    session: `Yes, ${question.toolName} for this session`,
    always: always(rules),
    deny: "No",
  };
  return answerKinds(question, rules).map((kind) => ({ kind, label: labels[kind] }));
}

function always(rules: readonly string[]): string {
  return `Always: ${rules.join(", ")} (into .belay/settings.local.json)`;
}

function titleOf({ question, waiting, size }: Asked, isBrief: boolean): string {
  const title = `May the agent use ${question.toolName}?`;
  const behind = isBrief && waiting > 0 ? [`${title} (+${waiting} waiting)`, `${title} (+${waiting})`] : [];
  return isBrief ? firstFitting(size.columns - 4, ...behind, title) : title;
}

function goesOn(rows: number): Line {
  return [{ text: `… ${plural(rows, "more row")}, behind the input`, dim: true }];
}

/** Untrusted text may imitate the choices: a bar before each row sets it apart from the dialog's own words. */
function quoted(text: string, { columns }: Size, style: Style = {}): Line[] {
  const rows = prose(text, columns - 4 - BAR.length, style);
  return rows.map((row) => [{ text: BAR, dim: true, ...style }, ...row]);
}

const BAR = "┃ ";

/** What would run; as a difference when a hook has changed it. */
export function wishLines(
  { question, rewriter }: Pick<Question, "question" | "rewriter">,
  size: Size,
): Line[] {
  const { toolInput, updatedInput } = question;
  if (!updatedInput) return quoted(inputText(toolInput), size);
  const names = [...new Set([...Object.keys(toolInput), ...Object.keys(updatedInput)])];
  const narrower = { ...size, columns: size.columns - 2 };
  return [
    [
      {
        text: `${rewriter === undefined ? "a hook" : shortHookName(rewriter)} changed the input:`,
        dim: true,
      },
    ],
    ...differences(inputText(toolInput, names), inputText(updatedInput, names)).flatMap(({ sign, text }) =>
      quoted(text, narrower, SIGNS[sign]).map(
        (line): Line => [{ text: `${sign} `, ...SIGNS[sign] }, ...line],
      ),
    ),
  ];
}

const SIGNS = { "+": { color: "green" }, "-": { color: "red" }, " ": { dim: true } } as const;

/** Two long texts that differ everywhere take too long to compare. */
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
