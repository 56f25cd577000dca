import type { Answer } from "@belay/agent";
import { Box } from "ink";
import { type ReactNode, useMemo, useRef } from "react";
import { Choices, isChord, pick } from "./choices.tsx";
import { type Editor, EMPTY, press } from "./editor.ts";
import { type KeyListener, useKeys } from "./keys.tsx";
import { BLANK, Lines } from "./lines.tsx";
import { layOut, type Question, wishLines } from "./permission-layout.ts";
import { Prompt } from "./prompt.tsx";
import type { Size } from "./screen.ts";
import { useCurrent } from "./screen.ts";

export interface PermissionProps extends Question {
  readonly size: Size;
  /** Nobody is typing: keys of someone who was when the question came up do not answer it. */
  readonly isQuiet: boolean;
  answer(answer: Answer): void;
  abort(): void;
}

/** The agent waits: what it wants, what a hook made of it, why it is asked, and the ways to answer. */
export function PermissionDialog(props: PermissionProps): ReactNode {
  const { question, rewriter, size, isQuiet, answer, abort } = props;
  const hasBeenQuiet = useRef(isQuiet);
  if (isQuiet) hasBeenQuiet.current = true;
  const isListening = hasBeenQuiet.current;
  const [at, setAt] = useCurrent(0);
  const [page, setPage] = useCurrent(0);
  const [reason, setReason] = useCurrent<Editor | undefined>(undefined);
  const wish = useMemo(() => wishLines({ question, rewriter }, size), [question, rewriter, size]);
  const { title, body, why, choices, choiceHeight, room } = layOut(props, wish);
  const pages = Math.ceil(body.length / room);
  // A larger terminal has fewer of them.
  const currentPage = () => Math.min(page(), pages - 1);
  function take(kind: Answer["kind"] | undefined): void {
    if (kind === "deny") setReason(EMPTY);
    else if (kind !== undefined) answer({ kind });
  }
  const onKey: KeyListener = (input, key, isPasted) => {
    const typed = reason();
    if (!isListening) {
      // No answer, but the way out of a turn, also for someone who was typing.
      if (key.escape) abort();
      return;
    }
    if (!typed) {
      if (isPasted || isChord(key)) return;
      const picked = pick(at(), choices.length, input, key);
      setAt(picked.at);
      if (picked.taken !== undefined) take(choices[picked.taken]?.kind);
      else if (key.escape) abort();
      else if (input === "y") take("once");
      else if (input === "n") take("deny");
      else if (key.rightArrow) setPage(Math.min(currentPage() + 1, pages - 1));
      else if (key.leftArrow) setPage(Math.max(currentPage() - 1, 0));
      return;
    }
    const next = press(typed, { input, key });
    if (key.escape) setReason(undefined);
    else if (next.sent !== undefined) answer({ kind: "deny", reason: next.sent });
    else if (key.return && !isPasted && typed.text.trim() === "") answer({ kind: "deny" });
    else setReason(next.editor);
  };
  useKeys(onKey);
  const typed = reason();
  const shown = currentPage();
  const columns = size.columns - 4;
  return (
    <Box flexDirection="column" flexShrink={0} borderStyle="round" borderColor="yellow" paddingX={1}>
      <Lines lines={title} />
      <Lines lines={body.slice(shown * room, (shown + 1) * room)} />
      {pages > 1 && (
        <Lines lines={[[{ text: `part ${shown + 1} of ${pages} (← → turn the page)`, dim: true }]]} />
      )}
      <Lines lines={why} />
      {typed ? (
        <>
          <Lines lines={[[{ text: "Why not? Enter: no · Esc: back", dim: true }]]} />
          <Prompt editor={typed} mark="›" columns={columns} rows={choices.length - 1} />
        </>
      ) : isListening ? (
        <Choices labels={choices.map(({ label }) => label)} at={at()} columns={columns} />
      ) : (
        <Lines
          lines={Array.from({ length: choiceHeight }, (_, row) =>
            row === 0 ? [{ text: "a moment … (Esc aborts)", dim: true }] : BLANK,
          )}
        />
      )}
    </Box>
  );
}
