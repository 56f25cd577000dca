import { useStdout } from "ink";
import { useEffect, useState } from "react";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The terminal's size, now and after each change of it. */
export function useSize(): Size {
  const { stdout } = useStdout();
  const [size, setSize] = useState(() => sizeOf(stdout));
  useEffect(() => {
    const look = () => setSize(sizeOf(stdout));
    stdout.on("resize", look);
    return () => {
      stdout.off("resize", look);
    };
  }, [stdout]);
  return size;
}

function sizeOf({ columns, rows }: NodeJS.WriteStream): Size {
  return { columns: columns || 80, rows: rows || 24 };
}
