import { HARNESSES, type JsonShape } from "@belay/harness";
import fc from "fast-check";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { type Edited, type Entry, without } from "../src/install/format.ts";
import { addToJson, foundInJson, takeFromJson, unfitJson } from "../src/install/json-file.ts";
import { commandFor, relayFile, relayIn } from "../src/install/place.ts";
import { addToToml, foundInToml, takeFromToml, unfitToml } from "../src/install/toml-file.ts";

const ENTRIES: readonly Entry[] = ["Before", "After"].map((native) => ({
  native,
  fields: { type: "command", command: `ours ${native}`, timeout: 600 },
}));
const isOurs = (command: string) => command.startsWith("ours");

const GROUPED: JsonShape = {
  kind: "json",
  grouped: true,
  command: "command",
  limit: { field: "timeout", ms: 1000 },
};
const FLAT: JsonShape = { ...GROUPED, grouped: false, version: 1 };

const THEIRS = { type: "command", command: "theirs" };
const grouped = (hook: object) => ({ hooks: { Before: [{ matcher: "Bash", hooks: [hook] }], Later: [] } });

const TEXTS: Readonly<Record<string, string>> = {
  empty: "",
  blank: "\n\n",
  "a mark of the byte order alone": "\uFEFF",
  "an empty object": "{}",
  "an empty object and a line end": "{}\n",
  "a wide empty object": "{\n}\n",
  "another setting": '{\n  "model": "x"\n}\n',
  "no line end": '{\n  "model": "x"\n}',
  tabs: '{\n\t"model": "x",\n\t"hooks": {\n\t\t"Later": []\n\t}\n}\n',
  "line ends of Windows": '{\r\n    "model": "x",\r\n    "hooks": {}\r\n}\r\n',
  "a mark of the byte order": '\uFEFF{\n  "model": "x"\n}\n',
  "one line": JSON.stringify({ model: "x", ...grouped(THEIRS) }),
  "one line with spaces": '{ "model": "x", "hooks": { "Before": [] } }\n',
  "their hooks": `${JSON.stringify({ ...grouped(THEIRS), model: "x" }, null, 4)}\n`,
  comments: '// top\n{\n  // first\n  "model": "x" // behind\n  /* last */\n}\n// end\n',
  "a comma too many": '{\n  "hooks": {\n    "Before": [\n    ], // none\n  },\n}\n',
  "a comment in an empty object": '{\n  "hooks": { /* none */ }\n}\n',
};

/** What a text holds with the entries added. */
function expected(text: string, shape: JsonShape): unknown {
  const value = (parseJson(text.replace("\uFEFF", "")) ?? {}) as { hooks?: Record<string, unknown[]> };
  const hooks: Record<string, unknown[]> = { ...value.hooks };
  for (const { native, fields } of ENTRIES)
    hooks[native] = [...(hooks[native] ?? []), shape.grouped ? { hooks: [fields] } : fields];
  return { ...(shape.version && { version: shape.version }), ...value, hooks };
}

function expectRoundTrip(text: string, shape: JsonShape): Edited {
  expect(unfitJson(text, false)).toBeUndefined();
  const edited = addToJson(text, shape, ENTRIES);
  expect(parseJson(edited.text.replace("\uFEFF", ""))).toEqual(expected(text, shape));
  expect(without(edited.text, edited.pieces)).toBe(text);
  if (text.includes("\r\n")) expect(edited.text.replaceAll("\r\n", "")).not.toContain("\n");
  const ours = foundInJson(edited.text, shape).filter(({ command }) => isOurs(command));
  expect(ours).toHaveLength(ENTRIES.length);
  for (const entry of ENTRIES) expect(ours).toContainEqual(expect.objectContaining(entry));
  return edited;
}

describe("entries in a JSON file", () => {
  for (const [name, shape] of Object.entries({ grouped: GROUPED, flat: FLAT }))
    for (const [what, text] of Object.entries(TEXTS))
      it(`${name}: ${what}`, () => {
        const flat = shape.grouped ? text : text.replaceAll('{"matcher":"Bash","hooks":[', "");
        if (!shape.grouped && flat !== text) return;
        const { text: edited, made } = expectRoundTrip(text, shape);
        const taken = takeFromJson(edited, shape, isOurs, made);
        expect(parseJson(taken.replace("\uFEFF", "")) ?? {}).toEqual({
          ...(shape.version && { version: 1 }),
          ...(parseJson(text.replace("\uFEFF", "")) ?? {}),
        });
        for (const [comment] of text.matchAll(/\/\/.*|\/\*.*?\*\//g)) expect(taken).toContain(comment);
      });

  it("holds for any file", () => {
    // The parser that the expectation is read with sets a prototype by that name; the file keeps its bytes.
    const json = fc
      .dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
      .map((value) => JSON.stringify(value))
      .filter((text) => !text.includes("__proto__"))
      .map((text): Record<string, unknown> => JSON.parse(text));
    const event = fc.constantFrom("Before", "After", "Later");
    const hooks = fc.dictionary(event, fc.array(fc.constant({ hooks: [THEIRS] }), { maxLength: 2 }));
    const indent = fc.constantFrom(undefined, 2, 4, "\t");
    const file = fc.tuple(json, fc.option(hooks, { nil: undefined }), indent, fc.constantFrom("\n", "\r\n"));
    fc.assert(
      fc.property(file, fc.boolean(), ([others, own, space, eol], ends) => {
        const { hooks: _hooks, version: _version, ...rest } = others;
        const whole = own === undefined ? rest : { ...rest, hooks: own };
        const text = (JSON.stringify(whole, null, space) + (ends ? "\n" : "")).replaceAll("\n", eol);
        const edited = expectRoundTrip(text, GROUPED);
        // Someone adds a hook before ours: it stays, and ours go.
        const more = edited.text.replace(/"hooks":\s*\{/, '$& /* mine */ "Mine": [],');
        const taken = takeFromJson(more, GROUPED, isOurs, edited.made);
        expect(parseJson(taken)).toEqual({ ...rest, hooks: { Mine: [], ...own } });
        expect(taken).toContain("/* mine */");
      }),
    );
  });

  const unfit: [what: string, text: string, line: number][] = [
    ["no JSON", '{\n  "hooks": {\n}', 3],
    ["no object", "[]", 1],
    ["hooks that are no object", '{\n  "hooks": []\n}', 2],
    ["an event that is no list", '{\n  "hooks": {\n    "Before": {}\n  }\n}', 3],
    ["hooks twice", '{\n  "hooks": {},\n  "hooks": {}\n}', 3],
  ];
  for (const [what, text, line] of unfit)
    it(`refuses ${what}, and says the line`, () =>
      expect(unfitJson(text, false)).toEqual({ detail: expect.any(String), line }));

  it("refuses a comment where the agent reads none", () =>
    expect(unfitJson('{\n  // why\n  "model": "x"\n}', true)).toMatchObject({ line: 2 }));
});

describe("entries in a TOML file", () => {
  const tables: Readonly<Record<string, string>> = {
    empty: "",
    "another setting": 'model = "x"\n[providers.fake]\ntype = "openai" # why\n',
    "no line end": '[a]\nb = """\nlong\n"""',
    "line ends of Windows": 'model = "x"\r\n[[hooks]]\r\nevent = "Before"\r\ncommand = "theirs"\r\n',
  };
  for (const [what, text] of Object.entries(tables))
    it(what, () => {
      expect(unfitToml(text)).toBeUndefined();
      const { text: edited, pieces } = addToToml(text, ENTRIES);
      const { hooks = [], ...others } = parseToml(text);
      const added = ENTRIES.map(({ native, fields }) => ({ event: native, ...fields }));
      expect(parseToml(edited)).toEqual({ ...others, hooks: [...(hooks as unknown[]), ...added] });
      expect(without(edited, pieces)).toBe(text);
      const mine = `${edited}[[hooks]]\nevent = "Mine"\ncommand = "mine"\n`;
      expect(foundInToml(mine).filter(({ command }) => isOurs(command))).toHaveLength(2);
      const left = parseToml(takeFromToml(mine));
      expect(left).toEqual({
        ...others,
        hooks: [...(hooks as unknown[]), { event: "Mine", command: "mine" }],
      });
    });

  for (const [what, text, line] of [
    ["no TOML", 'model = "x"\n[a\n', 2],
    ["a text that does not end", 'a = 1\nb = """\n', 2],
    ["hooks in a list", 'a = 1\nhooks = [{ event = "Before" }]\n', 2],
    ["hooks in a table", "a = 1\n[hooks]\nb = 1\n", 2],
  ] as const)
    it(`refuses ${what}, and says the line`, () =>
      expect(unfitToml(text)).toEqual({ detail: expect.any(String), line }));
});

it("says of every agent which kind of file it has", () => {
  const kinds = HARNESSES.map(({ settings: { shape } }) => shape.kind);
  expect(new Set(kinds)).toEqual(new Set(["json", "toml", "script", "plugin"]));
});

it("finds the relay in its own command, whatever the home is called", () => {
  for (const home of ["/home/you", "/home/it's you", "/ho me/a'b'c"])
    for (const harness of HARNESSES)
      expect(relayIn(commandFor(harness, "Before", home))).toEqual({
        relay: relayFile(home),
        agent: harness.name,
      });
  expect(relayIn("/home/you/.belay/bin/other codex Before")).toBeUndefined();
});
