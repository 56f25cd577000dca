import type { Fence, Page } from "./pages.ts";

/** Every way to mark a block; docs.test.ts says what each of them means. */
const MARKS =
  /^(sh run( clone)?|js run|text output|sh clone|jsonc? config|json answer \w+( [\w-]+)?|js|tsx|text|json)$/;
const RUNNABLE = /^(sh run( clone)?|js run|sh clone|text output)$/;

/** What readers would type, at the beginning of a line. */
const COMMAND = /^[ \t]*(?:\$ |> )?(?:npx|npm|node|belay)(?= )/m;
const INDENTED = new RegExp(COMMAND.source.replace("[ \\t]*", "(?: {4,}|\\t)[ \\t]*"), "m");

/** Where a page has commands that no test runs: by the line of the block, or the line itself outside of blocks. */
export function unrunCommands({ fences, prose }: Page): string[] {
  const blocks = fences.filter(
    ({ info, content }) => !MARKS.test(info) || (!RUNNABLE.test(info) && COMMAND.test(content)),
  );
  const lines = prose.split("\n").filter((line) => INDENTED.test(line));
  return [...blocks.map(({ line, info }) => `${line}: \`\`\`${info}`), ...lines.map((line) => line.trim())];
}

/** Commands in backticks inside a sentence: the program and its arguments. */
export function namedCommands({ prose }: Page): { program: string; args: string[] }[] {
  return [...prose.matchAll(/`(?:\$ )?((?:npx|npm|node|belay) [^`]+)`/g)].map(([, command = ""]) => {
    const words = command.split(/\s+/);
    const [program = "", ...args] = words[0] === "npx" && words[1] === "belay" ? words.slice(1) : words;
    return { program, args };
  });
}

export function wantedExit({ content }: Fence): number {
  return Number(/^# exit (\d+)$/m.exec(content)?.[1] ?? 0);
}

const squeeze = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** The lines of a `text output` block that were not printed. */
export function missingLines(wanted: string, printed: string): string[] {
  const found = squeeze(printed);
  const lines = wanted
    .split("\n")
    .map(squeeze)
    .filter((line) => line !== "");
  return lines.filter((line) => {
    const parts = line.split("…").map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return !new RegExp(parts.join(".*?"), "s").test(found);
  });
}
