import { useStdout } from "ink";
import { useLayoutEffect, useRef, useState } from "react";
import type { Gone } from "./drawn.ts";
import type { useSize } from "./size.ts";

/** Row by row: terminals that keep what is erased in their scrollback do so when all is erased at once. */
const ERASE_ROW_ABOVE = "\u001b[A\u001b[2K";
const EMPTY_FROM_TOP = "\u001b[H\u001b[J";

/**
 * What has scrolled away cannot be changed: it is erased as far as it is in view, and drawn anew. Nothing else is
 * erased: above it stands what the user did before, on the screen and in the scrollback. `epoch` is the key of what is
 * drawn once.
 */
export function useRedraw(
  gone: readonly Gone[],
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
    // In fewer columns a row may have become several, and nobody says how many; in a higher window some may have come
    // back from the scrollback. What is left of them is moved out of view.
    const isOther = turns !== before.turns || rows > before.rows;
    write(
      ERASE_ROW_ABOVE.repeat(Math.min(above, rows)) + (isOther ? "\n".repeat(rows) + EMPTY_FROM_TOP : ""),
    );
    drawn.current = { ...before, above: 0, rows, turns };
    setEpoch((last) => last + 1);
  }
  return { epoch, redraw };
}
