/**
 * A value with its strings changed, and its numbers where asked; keys and structure stay. What holds nothing changed is
 * shared, not copied: a value that comes back identical had nothing to change.
 *
 * @param covers whether all that stands below a name counts as standing under it
 * @param key the name that a string stands under; items of a list stand under the name of the list, but for the value of
 * an option: in a list of arguments it follows the option's name
 */
export function mapStrings(
  value: unknown,
  change: (text: string, key: string) => string,
  covers: (key: string) => boolean = () => false,
  changeNumber: (number: number, key: string) => number = (number) => number,
  key = "",
): unknown {
  if (typeof value === "string") return change(value, key);
  if (typeof value === "number") return changeNumber(value, key);
  if (typeof value !== "object" || value === null) return value;
  const from = value as Record<string, unknown>;
  const isList = Array.isArray(value);
  const keeps = isList || covers(key);
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(from)) {
    const under = (isList ? optionBefore(value, Number(name)) : undefined) ?? (keeps ? key : name);
    const changed = mapStrings(from[name], change, covers, changeNumber, under);
    if (Object.is(changed, from[name])) continue;
    copy ??= (isList ? [...value] : { ...from }) as Record<string, unknown>;
    copy[name] = changed;
  }
  return copy ?? value;
}

/** ["--name", "value"]: the option that a string of a list is the value of. */
function optionBefore(list: readonly unknown[], at: number): string | undefined {
  const [option, value] = [list[at - 1], list[at]];
  if (typeof option !== "string" || typeof value !== "string") return undefined;
  return /^--?[a-z][\w-]*$/i.test(option) && !value.startsWith("-") ? option : undefined;
}
