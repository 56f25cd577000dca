import { useStdout } from "ink";
import { useEffect, useState } from "react";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A window that is dragged has many sizes on its way; what is drawn for each of them would fill the scrollback. */
const STILL_MS = 80;

/** The terminal's size, now and when it has changed. `turns` counts changes of its width, also one that was taken back at once. */
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
 * The terminal as Ink is to see it: without an end below. Where a window becomes lower than what stands in it, Ink would
 * empty the terminal, scrollback included, and what the user did before belay would be gone.
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
