import type { Answer } from "@belay/agent";
import type { PendingPermission } from "@belay/core";
import { diffLines } from "diff";
import { choiceRows } from "./choices.tsx";
import { inputText } from "./input-text.ts";
import { type Line, prose } from "./lines.tsx";
import type { Size } from "./size.ts";

export interface Question {
  readonly question: PendingPermission;
  /** How many more wait behind it. */
  readonly waiting: number;
  /** The rules that "always" would store; none: it cannot be said. */
  readonly rules: readonly string[];
}

/** Rows of the screen that a question takes. */
export function permissionHeight(question: Question, size: Size): number {
  const wish = wishLines(question.question, size.columns - 4).length;
  const { fixed, room } = layOut({ ...question, size }, wish);
  return fixed + (wish > room ? room + 1 : wish);
}

/** Fewer rows than this show nothing of what is asked for. */
const LEAST_ROOM = 3;

/** The answers that would spare the user the same question: no other is offered for longer than this once. */
const LASTING: Readonly<
  Record<NonNullable<PendingPermission["by"]>, readonly Extract<Answer["kind"], "session" | "always">[]>
> = { mode: ["session", "always"], outside: ["always"], rule: [], unreadable: [], hook: [] };

/** What the dialog says, the choices it offers, and the rows that are left for what is asked for. */
export function layOut(props: Question & { readonly size: Size }, wish: number) {
  const { question, waiting, rules, size } = props;
  const columns = size.columns - 4;
  const lasting = question.hook === undefined ? LASTING[question.by ?? "mode"] : [];
  const choices: readonly { readonly kind: Answer["kind"]; readonly label: string }[] = [
    { kind: "once", label: "Yes, once" },
    ...lasting.flatMap((kind) => {
      if (kind === "session") return { kind, label: `Yes, ${question.toolName} for this session` };
      return rules.length === 0 ? [] : { kind, label: always(rules) };
    }),
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
export function wishLines({ toolInput, updatedInput }: PendingPermission, columns: number): Line[] {
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
