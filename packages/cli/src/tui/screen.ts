import { useStdout } from "ink";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ScrolledRows } from "./conversation.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A dragged window changes its size many times. Drawing for each size would fill the scrollback. */
const STILL_MS = 80;

/** The terminal's size. `turns` counts changes of its width, also those that were undone at once. */
export function useSize(): Size & { readonly turns: number } {
  const { stdout } = useStdout();
  const [size, setSize] = useState(() => ({ ...sizeOf(stdout), turns: 0 }));
  const { columns } = size;
  useEffect(() => {
    let timer: NodeJS.Timeout | undefined;
    let turned = 0;
    const look = () => {
      clearTimeout(timer);
      if (sizeOf(stdout).columns !== columns) turned = 1;
      timer = setTimeout(() => {
        const more = turned;
        turned = 0;
        setSize(({ turns }) => ({ ...sizeOf(stdout), turns: turns + more }));
      }, STILL_MS);
    };
    stdout.on("resize", look);
    return () => {
      clearTimeout(timer);
      stdout.off("resize", look);
    };
  }, [stdout, columns]);
  return size;
}

function sizeOf(stdout: NodeJS.WriteStream): Size {
  const [columns, rows] = stdout.getWindowSize?.() ?? [stdout.columns, stdout.rows];
  return { columns: columns || 80, rows: rows || 24 };
}

/**
 * The terminal with endless rows, for Ink. Where a frame is higher than the window, Ink empties the terminal with its
 * scrollback, and the user would lose what stood there before belay.
 */
export function endless(terminal: NodeJS.WriteStream): NodeJS.WriteStream {
  return new Proxy(terminal, {
    get(stream, name) {
      const value: unknown = Reflect.get(stream, name);
      if (name === "rows") return Number.POSITIVE_INFINITY;
      return typeof value === "function" ? value.bind(stream) : value;
    },
  });
}

/** Erased row by row: some terminals keep in their scrollback what is erased at once. */
const ERASE_ROW_ABOVE = "\u001b[A\u001b[2K";
const EMPTY_FROM_TOP = "\u001b[H\u001b[J";

/**
 * Draws the finished rows again. Rows that are in view are erased first; nothing above them is, as that is what the user
 * did before belay. `epoch` is the key of Ink's Static element.
 */
export function useRedraw(
  gone: readonly ScrolledRows[],
  { rows, turns }: ReturnType<typeof useSize>,
): { readonly epoch: number; readonly redraw: () => void } {
  const { write } = useStdout();
  const [epoch, setEpoch] = useState(0);
  const drawn = useRef({ epoch, items: 0, above: 0, rows, turns });
  useLayoutEffect(() => {
    const before = drawn.current;
    const isNew = before.epoch !== epoch;
    const added = gone.slice(isNew ? 0 : before.items);
    const above = added.reduce((sum, { lines }) => sum + lines.length, isNew ? 0 : before.above);
    drawn.current = { ...before, epoch, items: gone.length, above };
  });
  function redraw(): void {
    const { above, ...before } = drawn.current;
    // In fewer columns a row may have become several; in a higher window rows may have come back from the scrollback.
    // Nobody tells how many, so what is left of them is moved out of view.
    const isOther = turns !== before.turns || rows > before.rows;
    write(
      ERASE_ROW_ABOVE.repeat(Math.min(above, rows)) + (isOther ? "\n".repeat(rows) + EMPTY_FROM_TOP : ""),
    );
    drawn.current = { ...before, above: 0, rows, turns };
    setEpoch((last) => last + 1);
  }
  return { epoch, redraw };
}

const QUIET_MS = 400;

/**
 * True if no key was pressed for a moment: keys of someone who is typing do not answer a question that comes up. The first
 * thing on a screen cannot know whether someone types, so it begins as not quiet.
 */
export function useQuiet(beginsQuiet = true): readonly [boolean, () => void] {
  const [isQuiet, setIsQuiet] = useState(beginsQuiet);
  const timer = useRef<NodeJS.Timeout | undefined>(undefined);
  const note = useCallback(() => {
    clearTimeout(timer.current);
    setIsQuiet(false);
    timer.current = setTimeout(() => setIsQuiet(true), QUIET_MS);
  }, []);
  useEffect(() => {
    if (!beginsQuiet) note();
    return () => clearTimeout(timer.current);
  }, [beginsQuiet, note]);
  return [isQuiet, note];
}

/**
 * State that is read by a call. Several keys may come before the screen is drawn again, and each must find what the key
 * before it did.
 */
export function useCurrent<T>(initial: T): readonly [() => T, (next: T) => void] {
  const held = useRef(initial);
  const [, draw] = useState({});
  const read = useCallback(() => held.current, []);
  const write = useCallback((next: T) => {
    held.current = next;
    draw({});
  }, []);
  return [read, write];
}
