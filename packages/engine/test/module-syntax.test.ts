import { describe, expect, it } from "vitest";
import { scratch } from "./scratch.ts";

describe("a module hook that does not parse names the file and the line", () => {
  const BROKEN = 'export const a = "é";\nexport const b = ((;\n';
  const rows: [name: string, files: Record<string, string>, place: string][] = [
    ["itself", { "a.mjs": BROKEN }, "a.mjs:2"],
    ["itself, as TypeScript", { "a.ts": BROKEN }, "a.ts:2"],
    ["what it imports", { "a.mjs": 'import "./b.mjs";', "b.mjs": BROKEN }, "b.mjs:2"],
    ["TypeScript that it imports", { "a.ts": 'import "./b.ts";', "b.ts": BROKEN }, "b.ts:2"],
  ];
  it.each(rows)("%s", async (_name, files, place) => {
    const room = scratch();
    for (const [name, text] of Object.entries(files)) room.write(name, text);
    const [first = ""] = Object.keys(files);
    const engine = await room.engineFor("Stop", [{ type: "module", module: `./${first}` }]);
    const detail = (await engine.fire("Stop")).runs[0]?.failure?.detail;
    expect(detail).toMatch(/^(?:.*: )?SyntaxError: /);
    expect(detail).toContain(`/${place}: `);
  });

  it("an error of the same name that comes while it runs keeps its own words", async () => {
    const room = scratch();
    room.write("a.mjs", 'export default () => JSON.parse("{");');
    const engine = await room.engineFor("Stop", [{ type: "module", module: "./a.mjs" }]);
    const detail = (await engine.fire("Stop")).runs[0]?.failure?.detail;
    expect(detail).toMatch(/JSON/);
    expect(detail).not.toContain("a.mjs:");
  });
});
