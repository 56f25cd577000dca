import { type Instance, type Key, render, useInput, useStdin } from "ink";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { EMPTY, press } from "./editor.ts";
import { endless } from "./screen.ts";

/** One key, or a text that came as a whole. `isPasted`: it was pasted, or is a mark around a paste. */
export type KeyListener = (input: string, key: Key, isPasted: boolean) => void;

interface Stroke {
  readonly input: string;
  readonly key: Key;
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
  const queue = useRef<(Stroke & { readonly raw?: string })[]>([]);
  const isBusy = useRef(false);
  const paste = useRef(EMPTY);

  function handOver(): void {
    const [first, ...rest] = queue.current;
    if (!first) return;
    const isAlone = rest.length === 0;
    const [stroke = first, ...more] = paste.current.isPasting ? [first] : strokesOf(first, isAlone);
    queue.current = [...more, ...rest];
    const isPasted = notePaste(paste, stroke);
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
    queue.current.push({ input, key, raw: raw.current });
    if (isBusy.current) return;
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
function strokesOf({ input, key, raw = "" }: Stroke & { readonly raw?: string }, isAlone: boolean): Stroke[] {
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

/**
 * True if a key was pasted, or is a mark of a paste: a pasted letter answers no question and switches no hook. A paste
 * without marks cannot be told from typing.
 */
function notePaste(held: { current: typeof EMPTY }, stroke: Stroke): boolean {
  const before = held.current;
  const { isPasting, begun } = press(before, stroke).editor;
  // This editor only follows the marks: it holds no more than the letters of a mark that has begun.
  held.current = { ...EMPTY, isPasting, begun, text: begun, cursor: begun.length };
  return before.isPasting || isPasting;
}
