import { expect, it } from "vitest";
import { type Editor, EMPTY, press, type Stroke } from "../src/tui/editor.ts";
import { slashCommand } from "../src/tui/handle-input.ts";
import { withoutMarks } from "../src/tui/keys.tsx";
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
const ESCAPE = "\u001b";
const PASTE_BEGINS = `${ESCAPE}[200~`;
const PASTE_ENDS = `${ESCAPE}[201~`;

const PAST = ["first", "second"];

/** Presses all keys, texts as they are read; the text with a bar at the cursor, and everything that was sent. */
function after(strokes: readonly (string | Stroke)[]) {
  let editor: Editor = { ...EMPTY, history: PAST, at: PAST.length };
  let paste: Parameters<typeof withoutMarks>[0] = { isOn: false, begun: "" };
  const sent: string[] = [];
  for (const read of strokes) {
    const stroke = typeof read === "string" ? { input: read.replace(ESCAPE, ""), key: {}, raw: read } : read;
    const followed = withoutMarks(paste, stroke as Parameters<typeof withoutMarks>[1]);
    paste = followed.paste;
    for (const one of followed.strokes) {
      const next = press(editor, one);
      editor = next.editor;
      if (next.sent !== undefined) sent.push(next.sent);
    }
  }
  const { text, cursor } = editor;
  return { text: `${text.slice(0, cursor)}|${text.slice(cursor)}`, sent };
}

type Row = [what: string, keys: readonly (string | Stroke)[], text: string, sent?: readonly string[]];

it.each<Row>([
  ["types", ["a", "b"], "ab|"],
  ["sends what was typed", [" run ls ", ENTER], "|", ["run ls"]],
  ["sends nothing when there is nothing", ["  ", ENTER], "  |"],
  ["sends keys that came with their Enter", ["run ls\r"], "|", ["run ls"]],
  ["begins a line after a backslash", ["a\\", ENTER, "b"], "a\nb|"],
  ["begins a line after a backslash that came with its Enter", ["a\\\r", "b"], "a\nb|"],
  ["keeps a backslash in the middle", ["a\\b", ENTER], "|", ["a\\b"]],
  ["begins a line with Alt-Enter", ["a", named("return", { meta: true }), "b"], "a\nb|"],
  ["begins a line with Ctrl-J", ["a", "\n", "b"], "a\nb|"],
  [
    "takes a paste whole, line ends included",
    [PASTE_BEGINS, "one\rtwo\r\nthree\n", PASTE_ENDS],
    "one\ntwo\nthree\n|",
  ],
  [
    "takes an Enter inside of a paste as a line end",
    [PASTE_BEGINS, "one", ENTER, "two", PASTE_ENDS],
    "one\ntwo|",
  ],
  ["sends a paste at the Enter after it", [PASTE_BEGINS, "one\rtwo", PASTE_ENDS, ENTER], "|", ["one\ntwo"]],
  ...[
    ["\u001b[201", "~"],
    ["\u001b[", "201~"],
    ["\u001b[20", "1~"],
    ["\u001b[", "20", "1", "~"],
  ].map(
    (pieces): Row => [
      `ends a paste at a mark that comes as ${JSON.stringify(pieces)}`,
      [PASTE_BEGINS, "abc", ...pieces, ENTER],
      "|",
      ["abc"],
    ],
  ),
  ["types on behind the rest of a mark", [PASTE_BEGINS, "abc", "\u001b[201", "~def\r"], "|", ["abcdef"]],
  ...[
    ["\u001b[200", "~"],
    ["\u001b[", "200~"],
    ["\u001b[2", "00~"],
  ].map(
    (pieces): Row => [
      `begins a paste at a mark that comes as ${JSON.stringify(pieces)}`,
      [...pieces, "one\r", PASTE_ENDS, "two"],
      "one\ntwo|",
    ],
  ),
  [
    "keeps what only looks like the beginning of a mark",
    [PASTE_BEGINS, "a[", "[20", "[201", "0", ENTER, PASTE_ENDS],
    "a[[20[2010\n|",
  ],
  [
    "keeps what only looks like the beginning of a paste",
    ["\u001b[2", "x", "\u001b[", LEFT, "[", "200~"],
    "[2x[200~|[",
  ],
  [
    "ends a paste at a mark whose Escape came alone",
    [PASTE_BEGINS, "abc", named("escape"), "[20", "1~", ENTER],
    "|",
    ["abc"],
  ],
  ["leaves a mark typed by hand alone", [..."[200~a", ENTER], "|", ["[200~a"]],
  ["takes several lines without marks as a paste", ["one\rtwo\r"], "one\ntwo\n|"],
  ["puts two spaces for a tab", ["\tx"], "  x|"],
  ["erases", ["abc", named("backspace")], "ab|"],
  ["erases nothing at the start", [named("backspace"), "a"], "a|"],
  ["erases a character of two units", ["a😀", named("delete")], "a|"],
  ["moves over a character of two units", ["a😀", LEFT, "b"], "ab|😀"],
  ["moves back over it", ["a😀", LEFT, named("rightArrow"), "b"], "a😀b|"],
  ["stops at the start", ["a", LEFT, LEFT, LEFT, "b"], "b|a"],
  ["goes to the start of the line", ["ab\ncd", ctrl("a"), "x"], "ab\nx|cd"],
  ["goes to the end of the line", ["ab\ncd", named("home"), UP, named("end"), "x"], "abx|\ncd"],
  ["cuts to the start", ["abc", LEFT, ctrl("u")], "|c"],
  ["cuts to the end", ["abc", LEFT, ctrl("k")], "ab|"],
  ["cuts a word", ["one two ", ctrl("w")], "one |"],
  ["leaves other control keys alone", ["a", ctrl("g")], "a|"],
  ["leaves other Alt keys alone", ["a", { input: "b", key: { meta: true } }], "a|"],
  ["shows the last prompt", [UP], "second|"],
  ["shows the one before", [UP, UP, UP], "first|"],
  [
    "comes back to what was being typed",
    ["new", UP, UP, DOWN, DOWN],

    "new|",
  ],
  ["has nothing below what is being typed", ["new", DOWN], "new|"],
  ["sends an earlier prompt again", [UP, UP, ENTER], "|", ["first"]],
  ["remembers what was sent", ["a", ENTER, "b", ENTER, UP, UP], "a|", ["a", "b"]],
  ["remembers a repeated prompt once", ["a", ENTER, "b", ENTER, "b", ENTER, UP, UP], "a|", ["a", "b", "b"]],
  [
    "moves up in a text of several lines",
    ["abc\nde", UP, "x"],

    "abx|c\nde",
  ],
  [
    "leaves it at the top for the history",
    ["abc\nde", UP, UP],

    "second|",
  ],
  ["moves down in it", ["ab\nc\nde", UP, UP, DOWN, "x"], "ab\ncx|\nde"],
])("%s", (_, keys, text, sent = []) => {
  expect(after(keys)).toEqual({ text, sent });
});

it.each<[what: string, string, number, number, number, string[]]>([
  ["the end", "ab", 2, 10, 5, ["ab[ ]"]],
  ["the middle", "abc", 1, 10, 5, ["a[b]c"]],
  ["nothing typed", "", 0, 10, 5, ["[ ]"]],
  ["a wrapped text", "abcdef", 4, 4, 5, ["abcd", "[e]f"]],
  ["the end of a full row", "abcd", 4, 4, 5, ["abcd", "[ ]"]],
  ["an end of line", "ab\ncd", 2, 10, 5, ["ab[ ]", "cd"]],
  ["an empty last line", "ab\n", 3, 10, 5, ["ab", "[ ]"]],
  ["wide characters", "漢字漢", 2, 4, 5, ["漢字", "[漢]"]],
  ["controls", "a\u001b", 0, 10, 5, ["[a]\\u001b"]],
  ["the last rows", "a\nb\nc", 5, 9, 2, ["b", "c[ ]"]],
  ["the last rows, and says how many are above", "a\nb\nc\nd\ne", 9, 20, 3, ["… 3 rows above", "d", "e[ ]"]],
  ["the first rows, and says how many are below", "a\nb\nc\nd\ne", 0, 20, 3, ["[a]", "b", "… 3 rows below"]],
  ["the last row in sight", "a\nb\nc\nd", 4, 20, 3, ["a", "b", "[c]"]],
  ["the rows around it", "a\nb\nc", 0, 9, 2, ["[a]", "b"]],
])("shows the cursor at %s", (_, text, cursor, columns, most, rows) => {
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
