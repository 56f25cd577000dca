/** A hook as a record and a config both name it. */
export interface PlacedHook {
  readonly name: string;
  readonly event: string;
  /** "FILE:LINE". */
  readonly source: string;
}

/** Which of today's hooks a recorded one is: the one at its place; or of its name in its file, as each edit moves lines. */
export function todaysHook<T extends PlacedHook>(recorded: PlacedHook, today: readonly T[]): T | undefined {
  return todaysHooks(recorded, today)[0];
}

/** All that it may be: several of one name may be on one line, or have moved together. */
export function todaysHooks<T extends PlacedHook>(recorded: PlacedHook, today: readonly T[]): readonly T[] {
  const alike = today.filter(
    ({ name, event, source }) =>
      name === recorded.name && event === recorded.event && fileOf(source) === fileOf(recorded.source),
  );
  const there = alike.filter(({ source }) => source === recorded.source);
  return there.length > 0 ? there : alike;
}

function fileOf(source: string): string {
  return source.replace(/:\d+$/, "");
}
