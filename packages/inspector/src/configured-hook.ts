/** A hook as a record and a config both name it. */
export interface PlacedHook {
  readonly name: string;
  readonly event: string;
  /** "FILE:LINE". */
  readonly source: string;
}

/** The configured hook that a recorded one is: the first of those that it may be. */
export function configuredHook<T extends PlacedHook>(recorded: PlacedHook, configured: readonly T[]) {
  return configuredHooks(recorded, configured)[0];
}

/**
 * The configured hooks that a recorded one may be: those of its name at its line, else those of its name in its file, as an
 * edit moves lines. Several hooks of one name may stand on one line, or have moved together.
 */
export function configuredHooks<T extends PlacedHook>(recorded: PlacedHook, configured: readonly T[]) {
  const alike = configured.filter(
    ({ name, event, source }) =>
      name === recorded.name && event === recorded.event && fileOf(source) === fileOf(recorded.source),
  );
  const there = alike.filter(({ source }) => source === recorded.source);
  return there.length > 0 ? there : alike;
}

/** The file of "FILE:LINE". */
export function fileOf(source: string): string {
  return source.replace(/:\d+$/, "");
}
