import { EVENT_NAMES } from "@belay/core";
import { didYouMean, nearest } from "@belay/core/internal";
import { describe, expect, it } from "vitest";
import { clean, cleanOutput, oneLine, outputLine, safeJson } from "../src/clean.ts";

describe("what cannot be seen is shown, in commands and in output", () => {
  const rows: [what: string, text: string, shown: string][] = [
    ["a control", "a\u001bb\u0000", "a\\u001bb\\u0000"],
    ["a control of the second set", "a\u009bb\u007f", "a\\u009bb\\u007f"],
    ["a direction", "a\u202eb\u061c", "a\\u202eb\\u061c"],
    ["zero width", "a\u200bb\u2060\ufeff", "a\\u200bb\\u2060\\ufeff"],
    ["a joiner of graphemes", "a\u034fb", "a\\u034fb"],
    ["fillers", "a\u115fb\u3164\uffa0", "a\\u115fb\\u3164\\uffa0"],
    ["a vowel separator", "a\u180eb", "a\\u180eb"],
    ["a variation", "a\ufe0fb", "a\\ufe0fb"],
    ["the empty Braille sign", "a\u2800b", "a\\u2800b"],
    ["variations beyond the first plane", "a\u{e0101}b", "a\\u{e0101}b"],
    ["tags", "a\u{e0041}b", "a\\u{e0041}b"],
    ["line ends", "a\u2028b\rc", "a\\u2028b\\u000dc"],
    ["nothing of it", "a  b\nc é 日本 😀 \u0600", "a  b\nc é 日本 😀 \u0600"],
  ];
  it.each(rows)("%s", (_what, text, shown) => {
    expect([clean(text), cleanOutput(text)]).toEqual([shown, shown]);
    expect(JSON.parse(safeJson({ text }))).toEqual({ text });
    expect(safeJson({ text })).not.toMatch(/[\u007f-\u009f\u2028\u2800]|\p{Default_Ignorable_Code_Point}/u);
  });
});

it("a colour goes from output and stays in what is run", () => {
  const text = "\u001b[31;1mred\u001b[0m";
  expect(cleanOutput(text)).toBe("red");
  expect(clean(text)).toBe("\\u001b[31;1mred\\u001b[0m");
  expect(oneLine(text)).toBe("\\u001b[31;1mred\\u001b[0m");
  expect(outputLine(` ${text}\n👩\u200d👧 `)).toBe("red 👩\u200d👧");
  expect(cleanOutput("\u001b[31\u001b[0mm")).toBe("\\u001b[31m");
});

describe("signs of several parts are themselves in output, and shown in parts in what is run", () => {
  const rows: [what: string, text: string, output: string, run: string][] = [
    ["a coloured form", "⚠\ufe0f", "⚠\ufe0f", "⚠\\ufe0f"],
    ["a family", "👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧", "👩\\u200d👩\\u200d👧"],
    [
      "a couple of two skins",
      "👩🏻\u200d❤\ufe0f\u200d💋\u200d👩🏿",
      "👩🏻\u200d❤\ufe0f\u200d💋\u200d👩🏿",
      "👩🏻\\u200d❤\\ufe0f\\u200d💋\\u200d👩🏿",
    ],
    ["a flag", "🏳\ufe0f\u200d🌈 🇫🇷", "🏳\ufe0f\u200d🌈 🇫🇷", "🏳\\ufe0f\\u200d🌈 🇫🇷"],
    ["a key", "1\ufe0f\u20e3", "1\ufe0f\u20e3", "1\\ufe0f\u20e3"],
    ["nothing to join", "a\u200db 👩\u200d", "a\\u200db 👩\\u200d", "a\\u200db 👩\\u200d"],
    ["nothing to colour", "1\ufe0f \ufe0f", "1\\ufe0f \\ufe0f", "1\\ufe0f \\ufe0f"],
  ];
  it.each(rows)("%s", (_what, text, output, run) => {
    expect([cleanOutput(text), clean(text)]).toEqual([output, run]);
  });

  it("more parts than any sign has", () => {
    expect(cleanOutput("👩\u200d".repeat(500))).toContain("\\u200d");
  });
});

const FIELDS = ["permissionDecision", "permissionDecisionReason", "systemMessage", "reason", "continue"];

const ROWS: [name: string, known: readonly string[], guess: string | undefined][] = [
  ["PreToolUse", EVENT_NAMES, "PreToolUse"],
  ["pretooluse", EVENT_NAMES, "PreToolUse"],
  ["pre_tool_use", EVENT_NAMES, "PreToolUse"],
  ["OnStop", EVENT_NAMES, "Stop"],
  ["Sotp", EVENT_NAMES, "Stop"],
  ["permisionDecision", FIELDS, "permissionDecision"],
  ["cotninue", FIELDS, "continue"],
  ["xyz", FIELDS, undefined],
  ["", FIELDS, undefined],
  ["toString", FIELDS, undefined],
  ["__proto__", FIELDS, undefined],
  ["reason".repeat(50), FIELDS, undefined],
  ["reason", [], undefined],
];

describe("nearest", () => {
  it.each(ROWS)("%j", (name, known, guess) => {
    expect(nearest(name, known)).toBe(guess);
    expect(didYouMean(name, known)).toBe(guess === undefined ? "" : ` (did you mean ${guess}?)`);
  });
});
