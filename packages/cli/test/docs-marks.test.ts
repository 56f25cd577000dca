import { describe, expect, it } from "vitest";
import { namedCommands, unrunCommands } from "./docs/commands.ts";
import { parsePage } from "./docs/pages.ts";

const fence = (mark: string, info: string, content: string, indent = "") =>
  [`${mark}${info}`, content, mark].map((line) => indent + line).join("\n");

describe("a command that nothing runs is found", () => {
  const rows: [written: string, page: string, found: string[]][] = [
    ["a shell's block without a mark", fence("```", "sh", "ls"), ["1: ```sh"]],
    ["another shell", fence("```", "zsh", "ls"), ["1: ```zsh"]],
    ["a block without a word", fence("```", "", "npm test"), ["1: ```"]],
    ["a block of text", fence("```", "text", "npm run build"), ["1: ```text"]],
    ["with a prompt", fence("```", "text", "$ npx belay run"), ["1: ```text"]],
    ["in a program's block", fence("```", "js", "node x.mjs"), ["1: ```js"]],
    ["tildes", fence("~~~", "sh", "ls"), ["1: ```sh"]],
    ["a block in a list", `- so:\n\n${fence("```", "bash", "ls", "    ")}`, ["3: ```bash"]],
    ["an indented block", "So:\n\n    npm install x\n", ["npm install x"]],
    ["an indented prompt", "So:\n\n\t$ belay run\n", ["$ belay run"]],
    ["a misspelt mark", fence("```", "sh rum", "ls"), ["1: ```sh rum"]],
    ["a marked one", fence("```", "sh run", "belay run"), []],
    ["a marked one in a list", fence("```", "sh run", "belay run", "  "), []],
    ["a drawing", fence("```", "text", "event → match"), []],
    ["fences within a fence", fence("````", "text", fence("```", "sh", "ls")), []],
  ];
  it.each(rows)("%s", (_written, page, found) => {
    expect(unrunCommands(parsePage("page.md", page))).toEqual(found);
  });
});

describe("a command in a sentence is found", () => {
  const rows: [sentence: string, found: string[]][] = [
    ["Try `belay run Stop --json`.", ["belay run Stop --json"]],
    ["Try `npx belay why`.", ["belay why"]],
    ["Try `npm run check` or `$ node x.mjs`.", ["npm run check", "node x.mjs"]],
    ["`node:crypto`, `belay` and `npm` are none.", []],
  ];
  it.each(rows)("%s", (sentence, found) => {
    const named = namedCommands(parsePage("page.md", sentence));
    expect(named.map(({ program, args }) => [program, ...args].join(" "))).toEqual(found);
  });
});

it("a block in a list is read without the list's indent", () => {
  const { fences } = parsePage(
    "page.md",
    fence("```", "sh run", "if x; then\n  y\nfi".replaceAll("\n", "\n  "), "  "),
  );
  expect(fences.map(({ content }) => content)).toEqual(["if x; then\n  y\nfi"]);
});
