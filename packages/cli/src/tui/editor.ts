import type { Key } from "ink";

export interface Editor {
  readonly text: string;
  readonly cursor: number;
  readonly history: readonly string[];
  /** Place in the history while looking through it; its length means the prompt that is being typed. */
  readonly at: number;
  readonly typed: string;
}

export interface Stroke {
  readonly input: string;
  readonly key: Partial<Key>;
  /** Line ends in a paste are part of the text. */
  readonly isPasted?: boolean;
}

export const EMPTY: Editor = { text: "", cursor: 0, history: [], at: 0, typed: "" };

export function press(editor: Editor, { input, key, isPasted }: Stroke): { editor: Editor; sent?: string } {
  if (isPasted) return { editor: insert(editor, key.return ? "\n" : input) };
  if (key.return && key.meta) return { editor: insert(editor, "\n") };
  if (key.return) return enter(editor);
  if (key.upArrow || key.downArrow) return { editor: upOrDown(editor, key.upArrow ? -1 : 1) };
  if (key.backspace || key.delete) return { editor: erase(editor, editor.cursor - 1) };
  const target = moved(editor, { input, key });
  if (target !== undefined) return { editor: { ...editor, cursor: target } };
  if (key.ctrl) return { editor: cut(editor, input) };
  if (key.meta) return { editor };
  return type(editor, input);
}

/** Keys may come several at a time, with an Enter as the last. Several lines at once are a paste without marks: nothing is sent. */
function type(editor: Editor, input: string): { editor: Editor; sent?: string } {
  const isLine = input.search(/[\r\n]/) === input.length - 1 && input.endsWith("\r");
  return isLine ? enter(insert(editor, input.slice(0, -1))) : { editor: insert(editor, input) };
}

function insert(editor: Editor, given: string): Editor {
  const added = given.replaceAll(/\r\n?/g, "\n").replaceAll("\t", "  ");
  const { text, cursor } = editor;
  return {
    ...editor,
    text: text.slice(0, cursor) + added + text.slice(cursor),
    cursor: cursor + added.length,
  };
}

function enter(editor: Editor): { editor: Editor; sent?: string } {
  return isContinued(editor) ? { editor: newLine(editor) } : send(editor);
}

/** A backslash at the end: the prompt goes on in the next line. */
function isContinued({ text, cursor }: Editor): boolean {
  return cursor === text.length && text.endsWith("\\");
}

function newLine(editor: Editor): Editor {
  return insert({ ...editor, text: editor.text.slice(0, -1), cursor: editor.cursor - 1 }, "\n");
}

function send(editor: Editor): { editor: Editor; sent?: string } {
  const sent = editor.text.trim();
  if (sent === "") return { editor };
  const history = editor.history.at(-1) === sent ? editor.history : [...editor.history, sent];
  return { editor: { ...EMPTY, history, at: history.length }, sent };
}

/** To the line above or below; from the first and the last one into the history. */
function upOrDown(editor: Editor, by: 1 | -1): Editor {
  const { text, cursor } = editor;
  const start = text.lastIndexOf("\n", cursor - 1) + 1;
  const column = cursor - start;
  if (by === -1) {
    if (start === 0) return look(editor, by);
    const above = text.lastIndexOf("\n", start - 2) + 1;
    return { ...editor, cursor: wholeCharacter(text, Math.min(above + column, start - 1)) };
  }
  const end = text.indexOf("\n", cursor);
  if (end === -1) return look(editor, by);
  const below = text.indexOf("\n", end + 1);
  const last = below === -1 ? text.length : below;
  return { ...editor, cursor: wholeCharacter(text, Math.min(end + 1 + column, last)) };
}

function look(editor: Editor, by: number): Editor {
  const { history, at, text } = editor;
  const next = Math.min(Math.max(at + by, 0), history.length);
  if (next === at) return editor;
  const typed = at === history.length ? text : editor.typed;
  const shown = history[next] ?? typed;
  return { ...editor, typed, at: next, text: shown, cursor: shown.length };
}

function erase(editor: Editor, from: number): Editor {
  const { text, cursor } = editor;
  const start = Math.max(0, wholeCharacter(text, from));
  return { ...editor, text: text.slice(0, start) + text.slice(cursor), cursor: start };
}

/** Not into the middle of a character that takes two. */
function wholeCharacter(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text[at] ?? "") ? at - 1 : at;
}

function moved({ text, cursor }: Editor, { input, key }: Stroke): number | undefined {
  if (key.leftArrow) return Math.max(0, wholeCharacter(text, cursor - 1));
  if (key.rightArrow)
    return Math.min(text.length, cursor + ((text.codePointAt(cursor) ?? 0) > 0xffff ? 2 : 1));
  if (key.home || (key.ctrl && input === "a")) return text.lastIndexOf("\n", cursor - 1) + 1;
  if (key.end || (key.ctrl && input === "e")) {
    const end = text.indexOf("\n", cursor);
    return end === -1 ? text.length : end;
  }
  return undefined;
}

function cut(editor: Editor, input: string): Editor {
  const { text, cursor } = editor;
  if (input === "u") return { ...editor, text: text.slice(cursor), cursor: 0 };
  if (input === "k") return { ...editor, text: text.slice(0, cursor) };
  if (input === "w") return erase(editor, text.slice(0, cursor).replace(/\S+\s*$/, "").length);
  return editor;
}
