type Input = Readonly<Record<string, unknown>>;

/** What a tool is to be called with, on one line: the first value as it is, the others by name. */
export function inputLine(input: Input): string {
  return Object.entries(input)
    .map(([name, value], index) => (index === 0 ? textOf(value) : `${name}: ${textOf(value)}`))
    .join("  ")
    .replaceAll(/\r?\n/g, " ⏎ ");
}

/** The same in full: a decision is made on it. Two inputs that are compared have the same names, in the same order. */
export function inputText(input: Input, names: readonly string[] = Object.keys(input)): string {
  const [first] = names;
  if (first !== undefined && names.length === 1) return textOf(input[first]);
  return names
    .filter((name) => name in input)
    .map((name) => entryText(name, textOf(input[name])))
    .join("\n");
}

function entryText(name: string, text: string): string {
  if (!text.includes("\n")) return `${name}: ${text}`;
  return `${name}:\n${text.replaceAll(/^/gm, "  ")}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
