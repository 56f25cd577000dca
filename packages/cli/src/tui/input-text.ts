type Input = Readonly<Record<string, unknown>>;

/** What a tool is to be called with, on one line: the first value as it is, the others by name. */
export function inputLine(input: Input): string {
  return Object.entries(input)
    .map(([name, value], index) => (index === 0 ? textOf(value) : `${name}: ${textOf(value)}`))
    .join("  ")
    .replaceAll(/\r?\n/g, " ⏎ ");
}

/** The same in full: a decision is made on it. */
export function inputText(input: Input): string {
  const entries = Object.entries(input);
  if (entries.length === 1) return textOf(entries[0]?.[1]);
  return entries.map(([name, value]) => entryText(name, textOf(value))).join("\n");
}

function entryText(name: string, text: string): string {
  if (!text.includes("\n")) return `${name}: ${text}`;
  return `${name}:\n${text.replaceAll(/^/gm, "  ")}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
