import { useCallback, useRef } from "react";
import { EMPTY, press, type Stroke } from "./editor.ts";

/** Has the terminal put marks around what is pasted. */
export const PASTE_MARKS_ON = "\u001b[?2004h";
export const PASTE_MARKS_OFF = "\u001b[?2004l";

/**
 * Whether a key was pasted, or is a mark of a paste: nobody answers a question or switches a hook by pasting a letter. To
 * be asked about every key, in their order, and told whether a paste is under way. What comes without marks cannot be
 * told from what is typed.
 */
export function usePasted(isPasting = false): (input: string, key: Stroke["key"]) => boolean {
  const held = useRef({ ...EMPTY, isPasting });
  return useCallback((input, key) => {
    const before = held.current;
    const { isPasting, begun } = press(before, { input, key }).editor;
    // An editor that is asked only for its marks: the letters of a begun one are all that it holds.
    held.current = { ...EMPTY, isPasting, begun, text: begun, cursor: begun.length };
    return before.isPasting || isPasting;
  }, []);
}
