import { sep } from "node:path";

/**
 * What is said of a config that was a file for a moment, with that file called what its author knows it by: nobody can
 * correct anything in a folder that is gone. Lines stay: "the edited config:3".
 */
export function namingEdited<T>(said: T, { folder, file }: { folder: string; file: string }): T {
  const named = (text: string) =>
    text
      .replaceAll(file, "the edited config")
      .replaceAll(folder + sep, `.${sep}`)
      .replaceAll(folder, "the folder of the edited config");
  return inStrings(said, named) as T;
}

function inStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => inStrings(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inStrings(item, change)]));
}
