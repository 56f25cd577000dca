import { useCallback, useRef, useState } from "react";

/**
 * State for keys. Several of them may come at once, before the screen is drawn again, and each must find what the one
 * before it did: so this is read when it is needed, not when the screen was drawn.
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
