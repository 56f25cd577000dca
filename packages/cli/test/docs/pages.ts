import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

/** A fenced block: what stands behind the backticks, its content, and the line it begins at. */
export interface Fence {
  readonly info: string;
  readonly content: string;
  readonly line: number;
}

export interface Page {
  /** Relative to the root. */
  readonly file: string;
  readonly fences: readonly Fence[];
  /** The page without its fenced blocks. */
  readonly prose: string;
}

/** Every page that a reader may find: those at the root, everything below docs/, and the list of examples. */
export function allPages(): Page[] {
  const below = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).map(
    (name) => `docs/${name}`,
  );
  const top = readdirSync(ROOT);
  return [...top, ...below, "examples/README.md"].filter((file) => file.endsWith(".md")).map(readPage);
}

export function readPage(file: string): Page {
  const lines = readFileSync(join(ROOT, file), "utf8").split("\n");
  const fences: Fence[] = [];
  const prose: string[] = [];
  let open: { mark: string; info: string; line: number; content: string[] } | undefined;
  lines.forEach((text, index) => {
    const [, mark = "", info = ""] = /^(`{3,})(.*)$/.exec(text) ?? [];
    if (open && mark === open.mark) {
      fences.push({ info: open.info, content: open.content.join("\n"), line: open.line });
      open = undefined;
    } else if (open) open.content.push(text);
    else if (mark !== "") open = { mark, info: info.trim(), line: index + 1, content: [] };
    else prose.push(text);
  });
  if (open) throw new Error(`${file}:${open.line}: the block is never closed`);
  return { file, fences, prose: prose.join("\n") };
}

/** The names that links may point to, as GitHub makes them from headings. */
export function anchorsOf({ prose }: Page): string[] {
  return [...prose.matchAll(/^#{1,6} +(.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Targets of relative links: a file, an anchor, or both. */
export function linksOf({ prose }: Page): { path: string; anchor: string }[] {
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = "", anchor = ""] = target.split("#");
      return { path, anchor };
    });
}
