import { expect, it } from "vitest";
import { type Editor, EMPTY, press, type Stroke } from "../src/tui/editor.ts";
import { slashCommand } from "../src/tui/handle-input.ts";
import { inverted } from "../src/tui/lines.tsx";
import { promptRows } from "../src/tui/prompt.tsx";

const named = (name: keyof Stroke["key"], more: Stroke["key"] = {}): Stroke => ({
  input: "",
  key: { [name]: true, ...more },
});
const ENTER = named("return");
const UP = named("upArrow");
const DOWN = named("downArrow");
const LEFT = named("leftArrow");
const ctrl = (letter: string): Stroke => ({ input: letter, key: { ctrl: true } });
const PASTE_BEGINS = "[200~";
const PASTE_ENDS = "[201~";

/** Presses all keys; the text with a bar at the cursor, and everything that was sent. */
function after(strokes: readonly (string | Stroke)[], history: readonly string[] = []) {
  let editor: Editor = { ...EMPTY, history, at: history.length };
  const sent: string[] = [];
  for (const stroke of strokes) {
    const next = press(editor, typeof stroke === "string" ? { input: stroke, key: {} } : stroke);
    editor = next.editor;
    if (next.sent !== undefined) sent.push(next.sent);
  }
  const { text, cursor } = editor;
  return { text: `${text.slice(0, cursor)}|${text.slice(cursor)}`, sent };
}

const PAST = ["first", "second"];

it.each<{
  what: string;
  keys: readonly (string | Stroke)[];
  history?: readonly string[];
  text: string;
  sent?: readonly string[];
}>([
  { what: "types", keys: ["a", "b"], text: "ab|" },
  { what: "sends what was typed", keys: [" run ls ", ENTER], text: "|", sent: ["run ls"] },
  { what: "sends nothing when there is nothing", keys: ["  ", ENTER], text: "  |" },
  { what: "sends keys that came with their Enter", keys: ["run ls\r"], text: "|", sent: ["run ls"] },
  { what: "begins a line after a backslash", keys: ["a\\", ENTER, "b"], text: "a\nb|" },
  { what: "begins a line after a backslash that came with its Enter", keys: ["a\\\r", "b"], text: "a\nb|" },
  { what: "keeps a backslash in the middle", keys: ["a\\b", ENTER], text: "|", sent: ["a\\b"] },
  { what: "begins a line with Alt-Enter", keys: ["a", named("return", { meta: true }), "b"], text: "a\nb|" },
  { what: "begins a line with Ctrl-J", keys: ["a", "\n", "b"], text: "a\nb|" },
  {
    what: "takes a paste whole, line ends included",
    keys: [PASTE_BEGINS, "one\rtwo\r\nthree\n", PASTE_ENDS],
    text: "one\ntwo\nthree\n|",
  },
  {
    what: "takes an Enter inside of a paste as a line end",
    keys: [PASTE_BEGINS, "one", ENTER, "two", PASTE_ENDS],
    text: "one\ntwo|",
  },
  {
    what: "sends a paste at the Enter after it",
    keys: [PASTE_BEGINS, "one\rtwo", PASTE_ENDS, ENTER],
    text: "|",
    sent: ["one\ntwo"],
  },
  ...[
    ["[201", "~"],
    ["[", "201~"],
    ["[20", "1~"],
    ["[", "20", "1", "~"],
  ].map((pieces) => ({
    what: `ends a paste at a mark that comes as ${pieces.join(" + ")}`,
    keys: [PASTE_BEGINS, "abc", ...pieces, ENTER],
    text: "|",
    sent: ["abc"],
  })),
  {
    what: "types on behind the rest of a mark",
    keys: [PASTE_BEGINS, "abc", "[201", "~def\r"],
    text: "|",
    sent: ["abcdef"],
  },
  ...[
    ["[200", "~"],
    ["[", "200~"],
    ["[2", "00~"],
  ].map((pieces) => ({
    what: `begins a paste at a mark that comes as ${pieces.join(" + ")}`,
    keys: [...pieces, "one\r", PASTE_ENDS, "two"],
    text: "one\ntwo|",
  })),
  {
    what: "keeps what only looks like the beginning of a mark",
    keys: [PASTE_BEGINS, "a[", "[20", "[201", "0", ENTER, PASTE_ENDS],
    text: "a[[20[2010\n|",
  },
  { what: "leaves a mark typed by hand alone", keys: [..."[200~a", ENTER], text: "|", sent: ["[200~a"] },
  { what: "takes several lines without marks as a paste", keys: ["one\rtwo\r"], text: "one\ntwo\n|" },
  { what: "puts two spaces for a tab", keys: ["\tx"], text: "  x|" },
  { what: "erases", keys: ["abc", named("backspace")], text: "ab|" },
  { what: "erases nothing at the start", keys: [named("backspace"), "a"], text: "a|" },
  { what: "erases a character of two units", keys: ["a😀", named("delete")], text: "a|" },
  { what: "moves over a character of two units", keys: ["a😀", LEFT, "b"], text: "ab|😀" },
  { what: "moves back over it", keys: ["a😀", LEFT, named("rightArrow"), "b"], text: "a😀b|" },
  { what: "stops at the start", keys: ["a", LEFT, LEFT, LEFT, "b"], text: "b|a" },
  { what: "goes to the start of the line", keys: ["ab\ncd", ctrl("a"), "x"], text: "ab\nx|cd" },
  {
    what: "goes to the end of the line",
    keys: ["ab\ncd", named("home"), UP, named("end"), "x"],
    text: "abx|\ncd",
  },
  { what: "cuts to the start", keys: ["abc", LEFT, ctrl("u")], text: "|c" },
  { what: "cuts to the end", keys: ["abc", LEFT, ctrl("k")], text: "ab|" },
  { what: "cuts a word", keys: ["one two ", ctrl("w")], text: "one |" },
  { what: "leaves other control keys alone", keys: ["a", ctrl("g")], text: "a|" },
  { what: "leaves other Alt keys alone", keys: ["a", { input: "b", key: { meta: true } }], text: "a|" },
  { what: "shows the last prompt", keys: [UP], history: PAST, text: "second|" },
  { what: "shows the one before", keys: [UP, UP, UP], history: PAST, text: "first|" },
  {
    what: "comes back to what was being typed",
    keys: ["new", UP, UP, DOWN, DOWN],
    history: PAST,
    text: "new|",
  },
  { what: "has nothing below what is being typed", keys: ["new", DOWN], history: PAST, text: "new|" },
  { what: "sends an earlier prompt again", keys: [UP, UP, ENTER], history: PAST, text: "|", sent: ["first"] },
  { what: "remembers what was sent", keys: ["a", ENTER, "b", ENTER, UP, UP], text: "a|", sent: ["a", "b"] },
  {
    what: "remembers a repeated prompt once",
    keys: ["a", ENTER, "b", ENTER, "b", ENTER, UP, UP],
    text: "a|",
    sent: ["a", "b", "b"],
  },
  {
    what: "moves up in a text of several lines",
    keys: ["abc\nde", UP, "x"],
    history: PAST,
    text: "abx|c\nde",
  },
  {
    what: "leaves it at the top for the history",
    keys: ["abc\nde", UP, UP],
    history: PAST,
    text: "second|",
  },
  { what: "moves down in it", keys: ["ab\nc\nde", UP, UP, DOWN, "x"], text: "ab\ncx|\nde" },
])("$what", ({ keys, history, text, sent = [] }) => {
  expect(after(keys, history)).toEqual({ text, sent });
});

it.each<{ what: string; text: string; cursor: number; columns: number; most: number; rows: string[] }>([
  { what: "the end", text: "ab", cursor: 2, columns: 10, most: 5, rows: ["ab[ ]"] },
  { what: "the middle", text: "abc", cursor: 1, columns: 10, most: 5, rows: ["a[b]c"] },
  { what: "nothing typed", text: "", cursor: 0, columns: 10, most: 5, rows: ["[ ]"] },
  { what: "a wrapped text", text: "abcdef", cursor: 4, columns: 4, most: 5, rows: ["abcd", "[e]f"] },
  { what: "the end of a full row", text: "abcd", cursor: 4, columns: 4, most: 5, rows: ["abcd", "[ ]"] },
  { what: "an end of line", text: "ab\ncd", cursor: 2, columns: 10, most: 5, rows: ["ab[ ]", "cd"] },
  { what: "an empty last line", text: "ab\n", cursor: 3, columns: 10, most: 5, rows: ["ab", "[ ]"] },
  { what: "wide characters", text: "漢字漢", cursor: 2, columns: 4, most: 5, rows: ["漢字", "[漢]"] },
  { what: "controls", text: "a\u001b", cursor: 0, columns: 10, most: 5, rows: ["[a]\\u001b"] },
  { what: "the last rows", text: "a\nb\nc", cursor: 5, columns: 9, most: 2, rows: ["b", "c[ ]"] },
  {
    what: "the last rows, and says how many are above",
    text: "a\nb\nc\nd\ne",
    cursor: 9,
    columns: 20,
    most: 3,
    rows: ["… 3 rows above", "d", "e[ ]"],
  },
  {
    what: "the first rows, and says how many are below",
    text: "a\nb\nc\nd\ne",
    cursor: 0,
    columns: 20,
    most: 3,
    rows: ["[a]", "b", "… 3 rows below"],
  },
  {
    what: "the last row in sight",
    text: "a\nb\nc\nd",
    cursor: 4,
    columns: 20,
    most: 3,
    rows: ["a", "b", "[c]"],
  },
  { what: "the rows around it", text: "a\nb\nc", cursor: 0, columns: 9, most: 2, rows: ["[a]", "b"] },
])("shows the cursor at $what", ({ text, cursor, columns, most, rows }) => {
  const shown = promptRows({ ...EMPTY, text, cursor }, columns, most);
  const [on = "", off = ""] = inverted("\n").split("\n");
  expect(shown.map((row) => row.replace(on, "[").replace(off, "]"))).toEqual(rows);
});

it.each([
  { typed: "/hooks", is: { kind: "panel", panel: "hooks" } },
  { typed: "/compact", is: { kind: "compact" } },
  { typed: "/compact the names", is: { kind: "compact", instructions: "the names" } },
  { typed: "/clear", is: { kind: "clear" } },
  { typed: "/quit", is: { kind: "exit" } },
  {
    typed: "/hoks",
    is: { kind: "unknown", message: "there is no command /hoks (did you mean hooks?); /help lists them" },
  },
  { typed: "/etc/hosts is a file", is: undefined },
  { typed: "run /bin/ls", is: undefined },
])("reads $typed", ({ typed, is }) => {
  expect(slashCommand(typed)).toEqual(is);
});
