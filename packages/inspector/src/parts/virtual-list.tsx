import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { EventRow } from "../api.ts";
import { list, stepped, toggle } from "../state/list.ts";
import type { Line, Lines } from "../state/sections.ts";
import { useListener, useStore } from "../state/store.ts";

interface ListProps {
  readonly lines: Lines;
  /** Changes when these are other rows; the list then shows the first of them. */
  readonly opened: number;
  readonly nearEnd: () => void;
  /** The event that is open beside the list: a key that chooses another one opens that. */
  readonly current: string | undefined;
  readonly open: (row: EventRow) => void;
  readonly draw: (line: Line) => ReactNode;
  /** What stays in sight of the headings above the first line. */
  readonly stuck: (line: Line) => ReactNode;
}

const WIDE_ROW = 30;
/** Two lines, where the list is narrow. */
const NARROW_ROW = 52;
const NARROW = 700;
/** Lines that are drawn beyond the edges, so that a quick flick shows no gap. */
const BEYOND = 6;
/** The next rows are read so many lines before the end. */
const EARLY = 150;

/** A list of any length: only what is in view is drawn. */
export function VirtualList({ lines, opened, nearEnd, current, open, draw, stuck }: ListProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const { top, chosen } = useStore(list);
  const [height, setHeight] = useState(window.innerHeight);
  const [isNarrow, setNarrow] = useState(false);
  const rowHeight = isNarrow ? NARROW_ROW : WIDE_ROW;
  const inView = Math.floor(top / rowHeight);
  const first = Math.max(0, inView - BEYOND);
  const last = Math.min(lines.length, Math.ceil((top + height) / rowHeight) + BEYOND);

  /** Notes where the list is: its first row that is wholly in view. */
  const note = (element: HTMLElement) => {
    const { scrollTop } = element;
    let at = Math.ceil(scrollTop / rowHeight);
    while (lines.at(at)?.heading) at += 1;
    const row = lines.at(at)?.row;
    const anchor = row && { key: row.key, below: at * rowHeight - scrollTop };
    list.set({ top: scrollTop, anchor });
  };

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const resized = new ResizeObserver(() => {
      setHeight(element.clientHeight);
      setNarrow(element.offsetWidth <= NARROW);
    });
    resized.observe(element);
    setNarrow(element.offsetWidth <= NARROW);
    element.scrollTop = list.get().top;
    // After the way back from an event, nothing has the focus: the list takes the keys.
    if (list.get().chosen !== "" && document.activeElement === document.body)
      element.focus({ preventScroll: true });
    return () => resized.disconnect();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: when lines came or went, not when the list is scrolled
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const { anchor } = list.get();
    if (list.get().opened !== opened) {
      list.set({ opened });
      element.scrollTop = 0;
    } else if (anchor && element.scrollTop > 0) {
      // At the top the newest are wanted; anywhere else the place is.
      const at = lines.indexOf(anchor.key);
      if (at >= 0) element.scrollTop = at * rowHeight - anchor.below;
    }
    note(element);
  }, [lines, opened, rowHeight]);

  useEffect(() => {
    if (lines.length > 0 && last > lines.length - EARLY) nearEnd();
  });

  // An event that was opened elsewhere, or by its neighbour, is brought into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each event, not when the lines change
  useEffect(() => {
    if (current !== undefined) show(lines.indexOf(current));
  }, [current]);

  const show = (at: number) => {
    const [line, element] = [lines.at(at), box.current];
    if (!line || !element) return;
    list.set({ chosen: line.key });
    const start = at * rowHeight;
    // The headings that stay in sight take the place of a line.
    const above = start - rowHeight * Math.min(at, 1);
    if (above < element.scrollTop) element.scrollTop = above;
    else if (start + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = start + rowHeight - element.clientHeight;
  };
  const move = (step: number) => {
    const at = lines.indexOf(chosen);
    const isFar = Math.abs(step) >= lines.length;
    const to = at < 0 && !isFar ? stepped(lines, inView, 0) : stepped(lines, Math.max(0, at), step);
    show(to);
    const row = lines.at(to)?.row;
    if (current !== undefined && row) open(row);
  };
  const page = Math.max(1, Math.floor(height / rowHeight) - 2);
  const STEPS: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    j: 1,
    ArrowUp: -1,
    k: -1,
    PageDown: page,
    PageUp: -page,
    Home: -lines.length,
    End: lines.length,
  };
  const onKeyDown = (key: Pick<KeyboardEvent, "key" | "preventDefault" | "defaultPrevented">) => {
    if (key.defaultPrevented) return;
    const step = STEPS[key.key];
    const line = lines.at(lines.indexOf(chosen));
    const folds = FOLDS[key.key];
    const headings = [line?.heading, ...(line?.under.toReversed() ?? [])];
    const heading = headings.find((one) => one && folds !== undefined && one.isFolded !== folds);
    if (step !== undefined) move(step);
    else if (key.key === "Enter" && line?.row) open(line.row);
    else if (heading) {
      toggle(heading);
      show(lines.indexOf(heading.key));
    } else return;
    key.preventDefault();
  };
  // Where nothing has the focus, as on a page just opened, the list takes the keys.
  useListener(window, "keydown", (key: KeyboardEvent) => {
    const isHeld = key.ctrlKey || key.metaKey || key.altKey;
    if (key.target === document.body && !isHeld) onKeyDown(key);
  });

  const drawn = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  const stuckLine = lines.at(inView);
  return (
    <section
      ref={box}
      className={isNarrow ? "list narrow" : "list"}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
      tabIndex={0}
      aria-label="Events, the newest first"
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => note(currentTarget)}
    >
      {stuckLine && top > 0 && stuckLine.under.length > 0 && (
        <div className="stuck" aria-hidden="true">
          {stuck(stuckLine)}
        </div>
      )}
      <ul style={{ height: lines.length * rowHeight }}>
        {drawn.map((at) => {
          const line = lines.at(at);
          return line ? (
            <li
              key={line.key}
              className={line.key === chosen ? "chosen" : undefined}
              aria-current={line.key === chosen || undefined}
              style={{ transform: `translateY(${at * rowHeight}px)`, height: rowHeight }}
            >
              {draw(line)}
            </li>
          ) : null;
        })}
      </ul>
    </section>
  );
}

/** Whether a key folds. */
const FOLDS: Readonly<Record<string, boolean>> = { ArrowLeft: true, ArrowRight: false, Enter: false };
