import type { Answer } from "@belay/agent";
import type { PendingPermission } from "@belay/core";
import { plural } from "@belay/core/internal";
import { diffLines } from "diff";
import { answerKinds } from "../chat/share-questions.ts";
import { inputText } from "../render/call.ts";
import { shortHookName } from "../render/hook-name.ts";
import { shorten } from "../render/text.ts";
import { choiceRows } from "./choices.tsx";
import { firstFitting, type Line, prose, type Style } from "./lines.tsx";
import type { Size } from "./screen.ts";

export interface Question {
  readonly question: PendingPermission;
  /** How many more wait behind it. */
  readonly waiting: number;
  /** The hook that changed the input, where that is known. */
  readonly rewriter?: string | undefined;
  /** The rules that "always" would store; none: it cannot be said. */
  readonly rules: readonly string[];
}

/** Rows of the screen that a question takes. */
export function permissionHeight(question: Question, size: Size): number {
  const { fixed, body, room } = layOut({ ...question, size }, wishLines(question, size));
  return fixed + (body.length > room ? room + 1 : body.length);
}

/** How much a dialog says besides what is asked for. */
interface Wordiness {
  /** Rows of a reason beside the choices; those that are left are paged through, behind the input. */
  readonly reason: number;
  /** Rows at a time, at least, of what is asked for. */
  readonly least: number;
  /** Everything else has one row. */
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
