import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findObjects } from "../src/read/scan.ts";
import { anyNoise } from "./arbitraries.ts";

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

describe("findObjects", () => {
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
