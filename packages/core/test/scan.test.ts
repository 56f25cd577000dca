import { describe, expect, it } from "vitest";
import { findObjects, whereBroken } from "../src/read/scan.ts";

/** What is found, as values; a cut object is marked by a leading "cut". */
function found(text: string, cutAtEnd: boolean): unknown[] {
  return findObjects(text, cutAtEnd).map(({ json, kind }) =>
    kind === "cut" ? ["cut", JSON.parse(json)] : JSON.parse(json),
  );
}

const BLOCK = '{"decision":"block","reason":"r"}';
const BLOCKED = { decision: "block", reason: "r" };

const WHOLE: [title: string, text: string, expected: unknown[]][] = [
  ["nothing", "", []],
  ["plain text", "all is well", []],
  ["an empty object", "{}", [{}]],
  ["an object", BLOCK, [BLOCKED]],
  ["a banner before it", `Welcome to zsh\n${BLOCK}`, [BLOCKED]],
  ["a log line after it", `${BLOCK}\ndone in 3 s`, [BLOCKED]],
  ["a code fence around it", `\`\`\`json\n${BLOCK}\n\`\`\``, [BLOCKED]],
  ["two objects", `${BLOCK}{"a":1}`, [BLOCKED, { a: 1 }]],
  ["an object inside an array", `[${BLOCK}]`, [BLOCKED]],
  ["an inner object is no object of its own", `{"a":${BLOCK}}`, [{ a: BLOCKED }]],
  [
    "every kind of value",
    '{"a":[1,-0.5e+3,true,false,null,"x",{},[]]}',
    [{ a: [1, -500, true, false, null, "x", {}, []] }],
  ],
  ["escapes", String.raw`{"a":"\"\\\/\b\f\n\r\t\u00e9 }"}`, [{ a: '"\\/\b\f\n\r\té }' }]],
  ["braces in a string", '{"a":"}{"}', [{ a: "}{" }]],
  ["a brace in a banner", `function () { return }\n${BLOCK}`, [BLOCKED]],
  ["a brace and a quote in a banner", `{" ${BLOCK}`, [BLOCKED]],
  ["an unclosed string in a banner", `{"a":"b ${BLOCK}`, [BLOCKED]],
  ["an unclosed object before it", `{"log":\n${BLOCK}`, [BLOCKED]],
  ["an unclosed array before it", `{"log":[1,\n${BLOCK}`, [BLOCKED]],
  ["an unclosed object around several", `{"log":[${BLOCK},{"a":{}}`, [BLOCKED, { a: {} }]],
  ["a broken object around it", `{"log":${BLOCK} oops`, [BLOCKED]],
  ["a broken object around an array of it", `{"log":[${BLOCK}],}`, [BLOCKED]],
  ["single quotes", "{'a':1}", []],
  ["a trailing comma", '{"a":1,}', []],
  ["a missing colon", '{"a" 1}', []],
  ["a missing value", '{"a":}', []],
  ["a comment", '{"a":1 /* no */}', []],
  ["a leading zero", '{"a":01}', []],
  ["a bare word", '{"a":yes}', []],
  ["a raw newline in a string", '{"a":"b\nc"}', []],
  ["a wrong escape", String.raw`{"a":"\x"}`, []],
  ["a wrong unicode escape", String.raw`{"a":"\u12G4"}`, []],
  ["brackets that do not pair", '{"a":[1}]', []],
  ["an unclosed object", '{"decision":"block"', []],
];

const CUT: [title: string, text: string, expected: unknown[]][] = [
  ["a whole object is not cut", BLOCK, [BLOCKED]],
  ["behind the brace", "{", [["cut", {}]]],
  ["in a key", '{"dec', [["cut", {}]]],
  ["behind a key", '{"decision"', [["cut", {}]]],
  ["behind a colon", '{"decision":', [["cut", {}]]],
  ["in a string", '{"decision":"block","reason":"because', [["cut", { decision: "block" }]]],
  ["behind a backslash", '{"a":1,"b":"x\\', [["cut", { a: 1 }]]],
  ["in a unicode escape", '{"a":1,"b":"x\\u00', [["cut", { a: 1 }]]],
  ["behind a comma", '{"a":1,', [["cut", { a: 1 }]]],
  ["in a literal", '{"a":1,"b":fal', [["cut", { a: 1 }]]],
  ["behind a literal", '{"continue":false', [["cut", { continue: false }]]],
  ["in a number", '{"a":1,"b":12', [["cut", { a: 1 }]]],
  ["behind a minus", '{"a":1,"b":-', [["cut", { a: 1 }]]],
  ["behind a decimal point", '{"a":1,"b":1.', [["cut", { a: 1 }]]],
  ["behind an exponent", '{"a":1,"b":1e', [["cut", { a: 1 }]]],
  ["behind the sign of an exponent", '{"a":1,"b":1.5E-', [["cut", { a: 1 }]]],
  ["in a very long number", `{"a":1,"b":${"7".repeat(1000)}`, [["cut", { a: 1 }]]],
  ["in an inner object", '{"a":1,"b":{"c":2,"d":"', [["cut", { a: 1, b: { c: 2 } }]]],
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
