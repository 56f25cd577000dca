import { useCallback, useEffect, useRef, useState } from "react";

const QUIET_MS = 400;

/**
 * Whether no key was pressed for a moment. A question that comes up under someone's fingers is not answered by what they
 * were typing.
 */
export function useQuiet(): readonly [boolean, () => void] {
  const [isQuiet, setIsQuiet] = useState(true);
  const timer = useRef<NodeJS.Timeout | undefined>(undefined);
  const note = useCallback(() => {
    clearTimeout(timer.current);
    setIsQuiet(false);
    timer.current = setTimeout(() => setIsQuiet(true), QUIET_MS);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return [isQuiet, note];
}
