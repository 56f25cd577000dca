import { type Agent, type Message, PERMISSION_MODES } from "@belay/agent";
import { messageOf } from "@belay/core/internal";
import { useHookEvents } from "@belay/react";
import { Static, useApp } from "ink";
import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { type Playback, useNarration } from "../demo/narration.ts";
import { conversationRows, type Look, useFinished } from "./conversation.ts";
import { EMPTY, press } from "./editor.ts";
import { AT_WORK, handleInput, type Panel } from "./handle-input.ts";
import { InputArea, inputAreaHeight } from "./input-area.tsx";
import { type KeyListener, useKeys } from "./keys.tsx";
import { Lines, lastLines, prose } from "./lines.tsx";
import { useCurrent, useQuiet, useRedraw, useSize } from "./screen.ts";
import { isAtWork, isWaiting, Status, useGoingOn, useIdleNotice } from "./status.tsx";

const ONCE_MORE = "Ctrl-C once more ends the session";

export interface AppProps {
  readonly agent: Agent;
  readonly playback?: Playback;
  readonly goesOn?: boolean;
  readonly unread?: () => Promise<string>;
}

export function App({ agent, playback, goesOn = false, unread }: AppProps): ReactNode {
  const state = useSyncExternalStore(agent.subscribe, () => agent.state);
  const { pendingPermissions, isAwaitingPermission: isAsking, userPreferences } = useHookEvents();
  const { exit } = useApp();
  const size = useSize();
  const [editor, setEditor] = useCurrent(EMPTY);
  const [panel, setPanel] = useCurrent<Panel | undefined>(undefined);
  const [notice, setNotice] = useCurrent("");
  const [isLeaving, setIsLeaving] = useState(false);
  const [isOpen, setIsOpen] = useCurrent(false);
  const narration = useNarration(playback, agent, () => setIsLeaving(true));
  const [question] = pendingPermissions;
  const open = isAsking ? undefined : panel();
  const [isQuiet, noteKey] = useQuiet();

  function tell(error: unknown): void {
    setNotice(messageOf(error));
  }
  function leaveOrAbort(): void {
    const { history, text } = editor();
    if (playback) setIsLeaving(true);
    else if (isAtWork(agent.state)) agent.abort();
    else if (text !== "") setEditor({ ...EMPTY, history, at: history.length });
    else if (notice() === ONCE_MORE) setIsLeaving(true);
    else setNotice(ONCE_MORE);
  }

  const isGoingOn = useGoingOn(agent, goesOn, tell);
  useIdleNotice(agent, !state.isBusy && !isAsking);
  // The last frame is empty: what was typed into is not left behind.
  useEffect(() => {
    if (isLeaving) exit();
  }, [isLeaving, exit]);
  const { columns } = size;
  const { showHookOutput: hooks } = userPreferences;
  const opened = isOpen();
  const look: Look = useMemo(() => ({ columns, isOpen: opened, hooks }), [columns, opened, hooks]);
  const { done, generation } = useFinished({
    ...state,
    // Whoever leaves keeps what was said, finished or not.
    isBusy: !isLeaving && (state.isBusy || isGoingOn),
  });
  const { gone, live } = conversationRows({ state, done, look, narration, isLeaving });
  const { epoch, redraw } = useRedraw(gone, size);
  const isDrawn = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands there was made for another width, for other eyes, or of another conversation
  useEffect(() => {
    if (isDrawn.current) redraw();
    isDrawn.current = true;
  }, [size.turns, hooks, generation]);

  const isPastedHere = useRef(false);
  const take: KeyListener = (input, key, isPasted) => {
    noteKey();
    const { mode, pending } = agent.state;
    if (key.ctrl && input === "c") return leaveOrAbort();
    setNotice("");
    if (key.ctrl && input === "o") {
      setIsOpen(!isOpen());
      return redraw();
    }
    if (key.ctrl && input === "l") return redraw();
    if (key.ctrl && input === "d" && editor().text === "") return setIsLeaving(true);
    // Also what was open when the key came: the same key may just have closed it. A paste goes on where it began.
    const isElsewhere = isAsking || pending.length > 0 || open || panel();
    isPastedHere.current = isPasted && (isPastedHere.current || !isElsewhere);
    if (isElsewhere && !isPastedHere.current) return;
    if (key.escape && isAtWork(agent.state)) return agent.abort();
    if (key.tab && key.shift) return agent.setMode(nextMode(mode));
    if (playback && editor().text === "") {
      if (input === "q") return setIsLeaving(true);
      if (key.return) return narration.advance();
    }
    const next = press(editor(), { input, key, isPasted });
    setEditor(next.editor);
    if (next.sent !== undefined)
      handleInput(agent, next.sent, {
        open: setPanel,
        leave: () => setIsLeaving(true),
        say: setNotice,
        keep: (text) => setEditor({ ...editor(), text, cursor: text.length }),
      }).catch(tell);
  };
  useKeys(take);

  const asked = question && {
    question,
    waiting: pendingPermissions.length - 1,
    rewriter: rewriterOf(state.messages, question.id),
    rules: agent.rulesFor(question),
  };
  const said = notice() === AT_WORK && !state.isBusy ? "" : notice();
  const noticeLines = said === "" ? [] : prose(said, columns, { color: "yellow" });
  // One row stays free: a frame as high as the terminal would scroll it.
  const room =
    size.rows - 1 - inputAreaHeight(asked, editor(), size) - (isWaiting(state) ? 1 : 0) - noticeLines.length;
  return (
    <>
      <Static key={epoch} items={gone}>
        {({ key, lines }) => <Lines key={key} lines={lines} />}
      </Static>
      {!isLeaving && (
        <>
          {!open && <Lines lines={lastLines(live, room)} />}
          <Status state={state} columns={columns} abortKey={open ? "Ctrl-C" : "Esc"} />
          <Lines lines={noticeLines} />
          <InputArea
            agent={agent}
            unread={unread}
            asked={asked}
            panel={open}
            closePanel={() => setPanel(undefined)}
            editor={editor()}
            size={size}
            isQuiet={isQuiet}
            next={narration.prompt}
          />
        </>
      )}
    </>
  );
}

function rewriterOf(messages: readonly Message[], id: string): string | undefined {
  const tools = messages.flatMap(({ blocks }) => blocks.filter((block) => block.type === "tool"));
  return tools.find((block) => block.id === id)?.rewriter;
}

function nextMode(mode: (typeof PERMISSION_MODES)[number]): (typeof PERMISSION_MODES)[number] {
  const at = PERMISSION_MODES.indexOf(mode);
  return PERMISSION_MODES[(at + 1) % PERMISSION_MODES.length] ?? "default";
}
