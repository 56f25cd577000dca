/** Part of a text that was put into it. */
export interface Piece {
  readonly at: number;
  readonly length: number;
}

/** A text with what was put into it. Without the pieces it is what it was. */
export interface Edited {
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** Objects and lists that were made for entries, by their path. */
  readonly made: readonly (readonly string[])[];
}

/** An entry that is to stand in a file. */
export interface Entry {
  readonly native: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** An entry that stands in a file. */
export interface Found {
  readonly native: string;
  /** Empty for an entry that runs no command. */
  readonly command: string;
  readonly line: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** What its group waits for, where groups have matchers. An entry of ours has none: it is for all tools. */
  readonly matcher?: string;
}

/** Why a file cannot be edited. */
export interface Unfit {
  readonly detail: string;
  readonly line: number;
}

/** The text without the pieces. */
export function without(text: string, pieces: readonly Piece[]): string {
  return [...pieces]
    .sort((one, other) => other.at - one.at)
    .reduce((left, { at, length }) => left.slice(0, at) + left.slice(at + length), text);
}
