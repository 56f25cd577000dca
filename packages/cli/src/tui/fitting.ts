import { shorten, width } from "../render/text.ts";

/** The first of several ways to say something that has room; the last is cut when none has. */
export function fitting(columns: number, ...ways: readonly string[]): string {
  return ways.find((way) => width(way) <= columns) ?? shorten(ways.at(-1) ?? "", columns);
}

/** As many as have room, from the first on, and always that one. */
export function joined(columns: number, parts: readonly string[], between: string): string {
  return parts.reduce((text, part) => {
    const next = text === "" ? part : text + between + part;
    return text === "" || width(next) <= columns ? next : text;
  }, "");
}

/** Of a path that has no room the end: the file tells more than the folders. */
export function pathEnd(path: string, columns: number): string {
  if (width(path) <= columns) return path;
  const characters = [...path].reverse().join("");
  return [...shorten(characters, columns)].reverse().join("");
}
