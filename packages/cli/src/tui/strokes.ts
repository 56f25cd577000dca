import { type Key, useInput } from "ink";

/** A control character that a key makes, Enter and Tab aside: line ends and tabs may be part of a text. */
const CONTROL = /[\u0001-\u0008\u000b\u000c\u000e-\u001a\u007f]/;
const PARTS = new RegExp(`${CONTROL.source}|(?:(?!${CONTROL.source})[^])+`, "gu");

/** Keys one by one. A key that is held, or a slow line, brings several in one read, and Ink knows a control key only alone. */
function strokesOf(input: string, key: Key): { readonly input: string; readonly key: Key }[] {
  if (input.length < 2 || !CONTROL.test(input)) return [{ input, key }];
  return (input.match(PARTS) ?? []).map((part) => {
    if (part === "\u0008" || part === "\u007f") return { input: "", key: { ...key, backspace: true } };
    if (!CONTROL.test(part)) return { input: part, key };
    return { input: String.fromCharCode(part.charCodeAt(0) + 96), key: { ...key, ctrl: true } };
  });
}

/** Listens to keys one by one. What is pasted into a text is text, whatever it holds. */
export function useStrokes(take: (input: string, key: Key) => void, isPasting = () => false): void {
  useInput((input, key) => {
    const strokes = isPasting() ? [{ input, key }] : strokesOf(input, key);
    for (const stroke of strokes) take(stroke.input, stroke.key);
  });
}
