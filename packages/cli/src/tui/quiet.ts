import { useCallback, useEffect, useRef, useState } from "react";

const QUIET_MS = 400;

/**
 * Whether no key was pressed for a moment. A question that comes up under someone's fingers is not answered by what they
 * were typing. What is there first cannot know whether someone was: it begins as not quiet.
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
