import { describe, expect, it } from "vitest";
import type { Shared } from "../../../inspector/src/api.ts";
import { stringify } from "../../src/inspect/yaml.ts";
import { scratch } from "../cli.ts";
import { journal, lineOf } from "./journal.ts";
import { serve } from "./server.ts";

describe("YAML", () => {
  const ROWS: [value: unknown, text: string][] = [
    [{ a: 1, b: [] }, "a: 1\nb: []\n"],
    [{ cases: [{ name: "x", on: true }] }, 'cases:\n  - name: "x"\n    "on": true\n'],
    [{ a: { b: { c: ["x", { d: null }] } } }, 'a:\n  b:\n    c:\n      - "x"\n      - d: null\n'],
    [{ "a: b": "no: 1 # not a comment" }, '"a: b": "no: 1 # not a comment"\n'],
    [{ text: 'two\nlines "and" \\ \u2028 é' }, 'text: "two\\nlines \\"and\\" \\\\ \\u2028 é"\n'],
    [{ empty: {}, none: "" }, 'empty: {}\nnone: ""\n'],
    [[["a"], ["b"]], '- - "a"\n- - "b"\n'],
  ];
  it.each(ROWS)("of %j", (value, text) => expect(stringify(value)).toBe(text));
});

describe("a recorded event", () => {
  const COMMANDS = ["ls", "it's", 'say "hi"', "$HOME `x` \\", "two\nlines", "-rf", "é \u0001 ✓", ""];

  it("is a command line that fires the same payload", async () => {
    const room = scratch();
    journal(
      room,
      COMMANDS.map((command, index) => lineOf({ id: `${index}`, command })),
    );
    const hook = {
      type: "command",
      command: 'cat >> "$BELAY_PROJECT_DIR/seen"; echo >> "$BELAY_PROJECT_DIR/seen"',
    };
    const config = room.config({ PreToolUse: [{ hooks: [hook] }] });
    const served = await serve(room, ["--config", config]);
    const cookie = await served.signIn();
    const { json } = await served.ask("/api/events", { headers: cookie });
    const { rows } = json as { rows: { key: string }[] };
    const found: unknown[] = [];
    for (const { key } of rows) {
      const shared = (await served.ask(`/api/test-case/${key}`, { headers: cookie })).json as Shared;
      // The recorded folder is not this project: hooks write beside the config.
      await room.shell(`${shared.commandLine} --cwd "$PWD" > /dev/null; true`);
      const lines = (await room.shell("cat seen; rm -f seen")).trim();
      found.push((JSON.parse(lines) as { tool_input: unknown }).tool_input);
    }
    expect(found.reverse()).toEqual(COMMANDS.map((command) => ({ command })));
  });
});
