import { type Instance, type Key, render, useInput, useStdin } from "ink";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { endless } from "./screen.ts";

/** One key, or a text that came as a whole. A pasted letter answers no question and switches no hook. */
export type KeyListener = (input: string, key: Key, isPasted: boolean) => void;

interface Stroke {
  readonly input: string;
  readonly key: Key;
  /** What the terminal sent, Escape included; absent for a part of a stroke. */
  readonly raw?: string;
  readonly isPasted?: boolean;
}

const Listeners = createContext(new Set<KeyListener>());

export function useKeys(take: KeyListener): void {
  const listeners = useContext(Listeners);
  useEffect(() => {
    listeners.add(take);
    return () => void listeners.delete(take);
  });
}

/** Has the terminal put marks around what is pasted. */
const PASTE_MARKS_ON = "\u001b[?2004h";
const PASTE_MARKS_OFF = "\u001b[?2004l";

/** Draws in the terminal, and ends when what is drawn ends itself or `leave` is called. */
export function draw(element: ReactNode): { readonly ended: Promise<unknown>; leave(): void } {
  // Ink sets raw mode after the first frame; an Enter before that would be a line end.
  process.stdin.setRawMode(true);
  process.stdout.write(PASTE_MARKS_ON);
  const screen: Instance = render(<KeyQueue>{element}</KeyQueue>, {
    exitOnCtrlC: false,
    stdout: endless(process.stdout),
  });
  const ended = screen.waitUntilExit().finally(() => process.stdout.write(PASTE_MARKS_OFF));
  return { ended, leave: () => screen.unmount() };
}

/**
 * Hands every key to the listeners, one after another. One read may bring many keys; the next key waits until React has
 * drawn what the last one did.
 */
export function KeyQueue({ children }: { readonly children: ReactNode }): ReactNode {
  const [listeners] = useState(() => new Set<KeyListener>());
  const [drawn, setDrawn] = useState({});
  const queue = useRef<Stroke[]>([]);
  const isBusy = useRef(false);
  const paste = useRef<Paste>({ isOn: false, begun: "" });

  function handOver(): void {
    const [first, ...rest] = queue.current;
    if (!first) return;
    const { isPasted = false } = first;
    const [stroke = first, ...more] = isPasted ? [first] : strokesOf(first, rest.length === 0);
    queue.current = [...more, ...rest];
    for (const take of [...listeners]) take(stroke.input, stroke.key, isPasted);
    setDrawn({});
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each drawing, when all of it listens
  useEffect(() => {
    isBusy.current = queue.current.length > 0;
    if (isBusy.current) setImmediate(handOver);
  }, [drawn]);

  const raw = useRef("");
  const { internal_eventEmitter: reads } = useStdin();
  useEffect(() => {
    const note = (text: string) => {
      raw.current = text;
    };
    // Before Ink's own listener, which keeps an Escape to itself.
    reads.prependListener("input", note);
    return () => void reads.off("input", note);
  }, [reads]);
  useInput((input, key) => {
    const followed = withoutMarks(paste.current, { input, key, raw: raw.current });
    paste.current = followed.paste;
    queue.current.push(...followed.strokes);
    if (isBusy.current || queue.current.length === 0) return;
    isBusy.current = true;
    if (WORD_KEY.test(raw.current)) setImmediate(handOver);
    else handOver();
  });
  return <Listeners.Provider value={listeners}>{children}</Listeners.Provider>;
}

/** Escape, and behind it in the same read another key. Behind an Escape, `[` and `O` begin the name of a key, and Enter is Alt-Enter. */
const ESCAPE_FIRST = /^\u001b(?:\u001b|[^[O\r\b\u007f])/u;

/** What terminals send for Alt with an arrow, to go by words. With more behind it in the same read it is Escape and a letter. */
const WORD_KEY = /^\u001b[bdf]$/;

/** A control character that a key makes, Enter and Tab aside: line ends and tabs may be part of a text. */
const CONTROL = /[\u0001-\u0008\u000b\u000c\u000e-\u001a\u007f]/;
const PARTS = new RegExp(`${CONTROL.source}|(?:(?!${CONTROL.source})[^])+`, "gu");

/** Splits what Ink took for one key: it knows a control key only alone, and takes Escape and a key for Alt and that key. */
function strokesOf({ input, key, raw = "" }: Stroke, isAlone: boolean): Stroke[] {
  if (ESCAPE_FIRST.test(raw) && !(isAlone && WORD_KEY.test(raw))) {
    const first = { input: "", key: { ...withoutKeys(key), escape: true, meta: true } };
    if (key.escape) return [first, first];
    return [first, ...strokesOf({ input, key: { ...key, meta: false } }, true)];
  }
  if (!CONTROL.test(input)) return [{ input, key }];
  return (input.match(PARTS) ?? []).map((part) => {
    if (part === "\u0008" || part === "\u007f") return { input: "", key: { ...key, backspace: true } };
    if (!CONTROL.test(part)) return { input: part, key };
    return { input: String.fromCharCode(part.charCodeAt(0) + 96), key: { ...key, ctrl: true } };
  });
}

function withoutKeys(key: Key): Key {
  return Object.fromEntries(Object.keys(key).map((name) => [name, false])) as unknown as Key;
}

/** The marks as Ink hands them over, without their Escape. */
const PASTE_BEGINS = "[200~";
const PASTE_ENDS = "[201~";

interface Paste {
  readonly isOn: boolean;
  /** The first characters of a mark, held back: reads end anywhere. */
  readonly begun: string;
}

/**
 * Takes the marks around a paste out of the strokes, and says which strokes were pasted. A paste without marks cannot be told
 * from typing.
 */
export function withoutMarks({ isOn, begun }: Paste, stroke: Stroke): { paste: Paste; strokes: Stroke[] } {
  const { input, key, raw = "" } = stroke;
  if (begun === "" && (input === PASTE_BEGINS || input === PASTE_ENDS))
    return { paste: { isOn: input === PASTE_BEGINS, begun }, strokes: [] };
  const mark = isOn ? PASTE_ENDS : PASTE_BEGINS;
  const seen = begun + input;
  const text = (part: string, isPasted: boolean) => ({ input: part, key: withoutKeys(key), isPasted });
  if (begun !== "" && seen.startsWith(mark)) {
    const rest = seen.slice(mark.length);
    return { paste: { isOn: !isOn, begun: "" }, strokes: rest === "" ? [] : [text(rest, !isOn)] };
  }
  // Outside of a paste a mark begins with an Escape: someone who types a mark by hand begins none.
  const mayBegin = isOn || begun !== "" || raw.startsWith("\u001b");
  if (input !== "" && mayBegin && mark.startsWith(seen)) return { paste: { isOn, begun: seen }, strokes: [] };
  if (begun === "") return { paste: { isOn, begun }, strokes: [{ ...stroke, isPasted: isOn }] };
  const { paste, strokes } = withoutMarks({ isOn, begun: "" }, stroke);
  return { paste, strokes: [text(begun, isOn), ...strokes] };
}
