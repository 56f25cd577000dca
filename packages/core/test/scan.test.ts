import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findObjects, whereBroken } from "../src/read/scan.ts";
import { anyNoise } from "./arbitraries.ts";

/** What is found, as values; a cut object is marked by a leading "cut". */
function found(text: string, cutAtEnd: boolean): unknown[] {
  return findObjects(text, cutAtEnd).map(({ json, kind }) =>
    kind === "cut" ? ["cut", JSON.parse(json)] : JSON.parse(json),
  );
}

const BLOCK = '{"decision":"block","reason":"r"}';
const BLOCKED = { decision: "block", reason: "r" };

const WHOLE: [title: string, text: string, expected: unknown[]][] = [
  ["plain text", "all is well", []],
  ["an object", BLOCK, [BLOCKED]],
  ["a banner before it", `Welcome to zsh\n${BLOCK}`, [BLOCKED]],
  ["a log line after it", `${BLOCK}\ndone in 3 s`, [BLOCKED]],
  ["a code fence around it", `\`\`\`json\n${BLOCK}\n\`\`\``, [BLOCKED]],
  ["two objects", `${BLOCK}{"a":1}`, [BLOCKED, { a: 1 }]],
  ["an object inside an array", `[${BLOCK}]`, [BLOCKED]],
  ["escapes", String.raw`{"a":"\"\\\/\b\f\n\r\t\u00e9 }"}`, [{ a: '"\\/\b\f\n\r\té }' }]],
  ["a brace in a banner", `function () { return }\n${BLOCK}`, [BLOCKED]],
  ["a brace and a quote in a banner", `{" ${BLOCK}`, [BLOCKED]],
  ["an unclosed string in a banner", `{"a":"b ${BLOCK}`, [BLOCKED]],
  ["an unclosed object before it", `{"log":\n${BLOCK}`, [BLOCKED]],
  ["an unclosed array before it", `{"log":[1,\n${BLOCK}`, [BLOCKED]],
  ["an unclosed object around several", `{"log":[${BLOCK},{"a":{}}`, [BLOCKED, { a: {} }]],
  ["a broken object around it", `{"log":${BLOCK} oops`, [BLOCKED]],
  ["a broken object around an array of it", `{"log":[${BLOCK}],}`, [BLOCKED]],
  ["an unclosed object", '{"decision":"block"', []],
];

const CUT: [title: string, text: string, expected: unknown[]][] = [
  ["a whole object is not cut", BLOCK, [BLOCKED]],
  ["in a string", '{"decision":"block","reason":"because', [["cut", { decision: "block" }]]],
  ["behind a backslash", '{"a":1,"b":"x\\', [["cut", { a: 1 }]]],
  ["in a unicode escape", '{"a":1,"b":"x\\u00', [["cut", { a: 1 }]]],
  ["behind a literal", '{"continue":false', [["cut", { continue: false }]]],
  ["in a number", '{"a":1,"b":12', [["cut", { a: 1 }]]],
  ["behind the sign of an exponent", '{"a":1,"b":1.5E-', [["cut", { a: 1 }]]],
  ["in a very long number", `{"a":1,"b":${"7".repeat(1000)}`, [["cut", { a: 1 }]]],
  ["in an inner array", '{"a":[1,{"b":2},{"c":3,"d":', [["cut", { a: [1, { b: 2 }, { c: 3 }] }], { b: 2 }]],
  ["an unclosed object before it", `{"log":${BLOCK}`, [["cut", { log: BLOCKED }], BLOCKED]],
  ["a broken object is not repaired", '{"a":1,} tail', []],
];

describe("findObjects", () => {
  it.each(WHOLE)("finds whole objects: %s", (_, text, expected) => {
    expect(found(text, false)).toEqual(expected);
  });

  it.each(CUT)("finds cut objects: %s", (_, text, expected) => {
    expect(found(text, true)).toEqual(expected);
  });

  it("says where each object stands, and how deep it is", () => {
    expect(findObjects('ab {"x":[{}]} {"y":', true)).toEqual([
      { json: '{"x":[{}]}', start: 3, end: 13, kind: "whole", depth: 3 },
      { json: "{}", start: 14, end: 19, kind: "cut", depth: 1, pendingKey: "y" },
    ]);
  });
});

const BROKEN: [text: string, at: number | undefined][] = [
  ['{"a":1', undefined],
  ['{"a":"b', undefined],
  ["{x}", 1],
  ['{"a":x}', 5],
  ['{"a":position 7}', 5],
  ['{"a" 1}', 5],
  ['{"a":1,}', 7],
  ['{"a":"b" "c"}', 9],
  ['{"a":"b\nc"}', 5],
  ['{"a":1} and more', 8],
];

describe("whereBroken", () => {
  it.each(BROKEN)("%j breaks at %s", (text, at) => {
    expect(whereBroken(text)).toBe(at);
  });
});

/** Slow and obviously right: the first `{` from which some later `}` makes an object, then behind it. */
function findSlowly(text: string): string[] {
  for (let start = text.indexOf("{"); start !== -1; start = text.indexOf("{", start + 1)) {
    for (let end = text.indexOf("}", start); end !== -1; end = text.indexOf("}", end + 1)) {
      const json = text.slice(start, end + 1);
      if (isJson(json)) return [json, ...findSlowly(text.slice(end + 1))];
    }
  }
  return [];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const anyValue = fc.jsonValue({ maxDepth: 3 });
/** Objects with a field that begins as names do; such an object is never part of a string (see scan.ts). */
const anObject = fc
  .tuple(
    fc.constantFrom("decision", "reason", "x"),
    anyValue,
    fc.dictionary(fc.string(), anyValue, { maxKeys: 3 }),
  )
  .map(([name, value, rest]) => JSON.stringify({ [name]: value, ...rest }));

/** Words, brackets and half-finished objects, none of which is an object with such a field. */
const noise = fc.constantFrom(
  "",
  " ",
  "\n",
  "ok",
  "{",
  "}",
  "[",
  "]",
  ",",
  "{}",
  '{"a',
  '{"a":',
  '{"a":[1,',
  '{"a":"b',
  "{a}",
  "é😀",
  '{"a":1,}',
);

const named = (json: string) => /^\{\s*"[a-z]/.test(json);

describe("findObjects, whatever the text", () => {
  it("finds what a slow search finds among noise", () => {
    const texts = fc.array(fc.oneof(anObject, noise), { maxLength: 6 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        const found = findObjects(text, false).map(({ json }) => json);
        expect(found.filter(named)).toEqual(findSlowly(text).filter(named));
      }),
      { numRuns: 3000 },
    );
  });

  it("agrees with JSON.parse on what is one whole object", () => {
    const almost = fc
      .tuple(
        anObject,
        fc.nat(),
        fc.constantFrom("", "{", "}", '"', ",", ":", "\\", "1", "e", ".", "\n", "\u0001", "t"),
      )
      .map(([json, at, piece]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + piece + json.slice(place + (at % 2));
      })
      .filter((text) => text.startsWith("{") && text.endsWith("}"));
    fc.assert(
      fc.property(almost, (text) => {
        const [first] = findObjects(text, false);
        const isWhole = first?.kind === "whole" && first.start === 0 && first.end === text.length;
        expect(isWhole).toBe(isJson(text));
      }),
      { numRuns: 3000 },
    );
  });

  it("repairs every beginning of an object to the members that were whole", () => {
    const beginnings = anObject.chain((json) =>
      fc.nat(json.length - 2).map((end) => ({ json, end: end + 1 })),
    );
    fc.assert(
      fc.property(beginnings, ({ json, end }) => {
        const [cut] = findObjects(json.slice(0, end), true);
        expect(cut).toMatchObject({ kind: "cut", start: 0, end });
        expectBeginningOf(JSON.parse(cut?.json ?? ""), JSON.parse(json));
      }),
      { numRuns: 2000 },
    );
  });

  it("gives sound, ordered places for any text", () => {
    fc.assert(
      fc.property(anyNoise, fc.boolean(), (text, cutAtEnd) => {
        for (const { json, start, end, kind } of findObjects(text, cutAtEnd)) {
          expect(typeof JSON.parse(json)).toBe("object");
          if (kind !== "cut") expect(text.slice(start, end)).toBe(json);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

/** Every member of a repaired value is a member of the original; containers may hold less. */
function expectBeginningOf(part: unknown, whole: unknown): void {
  if (typeof part !== "object" || part === null) {
    expect(part).toEqual(whole);
    return;
  }
  for (const [key, value] of Object.entries(part)) {
    expect(Object.hasOwn(whole as object, key)).toBe(true);
    expectBeginningOf(value, (whole as Record<string, unknown>)[key]);
  }
}
