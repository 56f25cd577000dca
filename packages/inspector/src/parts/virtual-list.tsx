import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { EventRow } from "../api.ts";
import { createStore, useListener, useStore } from "../state/store.ts";

interface ListProps {
  readonly rows: readonly EventRow[];
  /** How many rows were ever put in front. The list scrolls by the new ones, so that what is in view stays. */
  readonly arrived: number;
  /** Changes when these are other rows; the list then shows the first of them. */
  readonly opened: number;
  readonly nearEnd: () => void;
  readonly choose: (row: EventRow) => void;
  readonly draw: (row: EventRow) => ReactNode;
}

const WIDE_ROW = 30;
/** Two lines, where the window is narrow; the style sheet says the same. */
const NARROW_ROW = 52;
const NARROW = window.matchMedia("(max-width: 700px)");
/** Rows that are drawn beyond the edges, so that a quick flick shows no gap. */
const BEYOND = 6;
/** The next rows are read so many rows before the end. */
const EARLY = 150;

/** Where the list was left, for when its view comes back. */
const left = createStore({ opened: 0, top: 0, chosen: "" });

/** A list of any length: only what is in view is drawn. */
export function VirtualList({ rows, arrived, opened, nearEnd, choose, draw }: ListProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const { top, chosen } = useStore(left);
  const [height, setHeight] = useState(window.innerHeight);
  const [isNarrow, setNarrow] = useState(NARROW.matches);
  useListener(NARROW, "change", () => setNarrow(NARROW.matches));
  const rowHeight = isNarrow ? NARROW_ROW : WIDE_ROW;
  const first = Math.max(0, Math.floor(top / rowHeight) - BEYOND);
  const last = Math.min(rows.length, Math.ceil((top + height) / rowHeight) + BEYOND);

  useLayoutEffect(() => {
    if (left.get().opened === opened) return;
    left.set({ opened, top: 0 });
    if (box.current) box.current.scrollTop = 0;
  }, [opened]);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.scrollTop = left.get().top;
    // After the way back from an event, nothing has the focus: the list takes the keys.
    if (left.get().chosen !== "" && document.activeElement === document.body)
      element.focus({ preventScroll: true });
    const resized = new ResizeObserver(() => {
      left.set({ top: element.scrollTop });
      setHeight(element.clientHeight);
    });
    resized.observe(element);
    return () => resized.disconnect();
  }, []);

  const before = useRef(arrived);
  useLayoutEffect(() => {
    const added = arrived - before.current;
    before.current = arrived;
    const element = box.current;
    // At the top the newest are wanted; anywhere else the place is.
    if (element && added > 0 && element.scrollTop > 0) element.scrollTop += added * rowHeight;
  }, [arrived, rowHeight]);

  useEffect(() => {
    if (rows.length > 0 && last > rows.length - EARLY) nearEnd();
  });

  const move = (step: number) => {
    const at = rows.findIndex(({ key }) => key === chosen);
    const next = Math.min(
      rows.length - 1,
      Math.max(0, at < 0 && Math.abs(step) < rows.length ? first + BEYOND * Number(first > 0) : at + step),
    );
    const row = rows[next];
    const element = box.current;
    if (!row || !element) return;
    left.set({ chosen: row.key });
    const start = next * rowHeight;
    if (start < element.scrollTop) element.scrollTop = start;
    else if (start + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = start + rowHeight - element.clientHeight;
  };
  const page = Math.max(1, Math.floor(height / rowHeight) - 1);
  const STEPS: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    j: 1,
    ArrowUp: -1,
    k: -1,
    PageDown: page,
    PageUp: -page,
    Home: -rows.length,
    End: rows.length,
  };
  const onKeyDown = (key: Pick<KeyboardEvent, "key" | "preventDefault">) => {
    const step = STEPS[key.key];
    const row = rows.find((one) => one.key === chosen);
    if (step !== undefined) move(step);
    else if (key.key === "Enter" && row) choose(row);
    else return;
    key.preventDefault();
  };
  // Where nothing has the focus, as on a page just opened, the list takes the keys.
  useListener(window, "keydown", (key: KeyboardEvent) => {
    const isHeld = key.ctrlKey || key.metaKey || key.altKey;
    if (key.target === document.body && !isHeld) onKeyDown(key);
  });

  return (
    <section
      ref={box}
      className="list"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
      tabIndex={0}
      aria-label="Events, the newest first"
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => left.set({ top: currentTarget.scrollTop })}
    >
      <ul style={{ height: rows.length * rowHeight }}>
        {rows.slice(first, last).map((row, index) => (
          <li
            key={row.key}
            className={row.key === chosen ? "chosen" : undefined}
            style={{ transform: `translateY(${(first + index) * rowHeight}px)`, height: rowHeight }}
          >
            {draw(row)}
          </li>
        ))}
      </ul>
    </section>
  );
}
