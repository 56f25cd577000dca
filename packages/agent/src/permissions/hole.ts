/** Stands in a word of a command for what the shell fills in by itself: names of files (`*`, `?`, `[…]`), a home folder (`~`). */
export const HOLE = "\u0001";
