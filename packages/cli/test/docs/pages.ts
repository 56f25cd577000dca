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

const NO_PAGES = new Set(["node_modules", "dist"]);

/** Every page that a reader may find, wherever it stands in the clone. */
export function allPages(folder = ""): Page[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith(".") && !NO_PAGES.has(name))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return allPages(path);
      return entry.isFile() && path.endsWith(".md") ? [readPage(path)] : [];
    });
}

export function readPage(file: string): Page {
  return parsePage(file, readFileSync(join(ROOT, file), "utf8"));
}

/** Blocks between backticks or tildes, indented or not, as in a list. */
export function parsePage(file: string, text: string): Page {
  const fences: Fence[] = [];
  const prose: string[] = [];
  let open: { indent: string; mark: string; info: string; line: number; content: string[] } | undefined;
  text.split("\n").forEach((text, index) => {
    const [, indent = "", mark = "", info = ""] = /^([ \t]*)(`{3,}|~{3,})(.*)$/.exec(text) ?? [];
    if (open && mark.startsWith(open.mark) && info.trim() === "") {
      fences.push({ info: open.info, content: open.content.join("\n"), line: open.line });
      open = undefined;
    } else if (open) open.content.push(text.startsWith(open.indent) ? text.slice(open.indent.length) : text);
    else if (mark !== "") open = { indent, mark, info: info.trim(), line: index + 1, content: [] };
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
