import { type Agent, PERMISSION_MODES } from "@belay/agent";
import { useHookEvents } from "@belay/react";
import { Box, Static, Text, useApp, useInput, useStdout } from "ink";
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { clean } from "../clean.ts";
import { MessageView } from "./blocks.tsx";
import { EMPTY, press } from "./editor.ts";
import { HelpView, HistoryView, HooksView } from "./panels.tsx";
import { PermissionDialog } from "./permission.tsx";
import { Prompt } from "./prompt.tsx";
import { finished } from "./scroll.ts";
import { type Panel, slashCommand } from "./slash.ts";
import { Status } from "./status.tsx";

const IDLE_MS = 60_000;
const CLEAR_SCREEN = "\u001b[2J\u001b[3J\u001b[H";

export interface AppProps {
  readonly agent: Agent;
  /** Prompts that come by themselves, for a demo; the person can type between them. */
  readonly script?: readonly string[];
  /** Goes on with what a resumed session left open. */
  readonly goesOn?: boolean;
}

/** The whole screen: what was said, what is going on, and where the user types or answers. */
export function App({ agent, script = [], goesOn = false }: AppProps): ReactNode {
  const state = useSyncExternalStore(agent.subscribe, () => agent.state);
  const { pendingPermissions } = useHookEvents();
  const { exit } = useApp();
  const { stdout } = useStdout();
  const [editor, setEditor] = useState(EMPTY);
  const [panel, setPanel] = useState<Panel | undefined>(undefined);
  const [notice, setNotice] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const [epoch, setEpoch] = useState(0);
  const [played, setPlayed] = useState(0);
  const [question] = pendingPermissions;
  const isAsking = question !== undefined;

  /** What has scrolled away cannot be changed: the screen is drawn anew. */
  function redraw(): void {
    stdout.write(CLEAR_SCREEN);
    setEpoch((before) => before + 1);
  }
  async function send(text: string): Promise<void> {
    setNotice("");
    const command = slashCommand(text);
    if (!command) await agent.send(text);
    else if (command.kind === "panel") setPanel(command.panel);
    else if (command.kind === "unknown") setNotice(command.message);
    else if (command.kind === "exit") exit();
    else {
      await (command.kind === "clear" ? agent.clear() : agent.compact(command.instructions));
      redraw();
    }
  }
  function leaveOrAbort(): void {
    if (state.isBusy) agent.abort();
    else if (editor.text !== "") setEditor({ ...EMPTY, history: editor.history, at: editor.history.length });
    else exit();
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the screen appears
  useEffect(() => {
    if (goesOn) void agent.goOn();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next prompt of a script follows the end of the last turn
  useEffect(() => {
    const next = script[played];
    if (next === undefined || state.isBusy) return;
    setPlayed(played + 1);
    void send(next);
  }, [played, state.isBusy]);
  useEffect(() => {
    if (state.isBusy || isAsking) return undefined;
    const timer = setTimeout(() => agent.noteIdle(), IDLE_MS);
    return () => clearTimeout(timer);
  }, [agent, state.isBusy, isAsking]);

  useInput((input, key) => {
    if (key.ctrl && input === "c") return leaveOrAbort();
    if (key.escape && state.isBusy && !isAsking && !panel) return agent.abort();
    if (key.ctrl && input === "o") {
      setIsOpen(!isOpen);
      return redraw();
    }
    if (key.ctrl && input === "d" && editor.text === "") return exit();
    if (isAsking || panel) return;
    if (key.tab && key.shift) return agent.setMode(nextMode(state.mode));
    // Enter waits until the agent is done; what is typed meanwhile stays.
    if (key.return && !editor.isPasting && state.isBusy) return;
    const next = press(editor, { input, key });
    setEditor(next.editor);
    if (next.sent !== undefined) void send(next.sent);
  });

  const done = finished(state);
  const closePanel = () => setPanel(undefined);
  return (
    <>
      <Static key={epoch} items={[...state.messages.slice(0, done)]}>
        {(message) => <MessageView key={message.id} message={message} isOpen={isOpen} />}
      </Static>
      {state.messages.slice(done).map((message) => (
        <MessageView key={message.id} message={message} isOpen={isOpen} />
      ))}
      {state.draft !== "" && <Text>{clean(state.draft)}</Text>}
      <Status state={state} />
      {question ? (
        <PermissionDialog
          key={question.id}
          question={question}
          waiting={pendingPermissions.length - 1}
          rules={agent.rulesFor(question)}
          answer={(answer) => agent.answer(question.id, answer)}
        />
      ) : panel === "hooks" ? (
        <HooksView agent={agent} close={closePanel} />
      ) : panel === "history" ? (
        <HistoryView close={closePanel} />
      ) : panel === "help" ? (
        <HelpView close={closePanel} />
      ) : (
        <Box flexDirection="column">
          {notice !== "" && <Text color="yellow">{clean(notice)}</Text>}
          <Prompt editor={editor} mark="›" hint={state.isBusy ? "" : " ask for something, or /help"} />
          <Text dimColor wrap="truncate-end">
            {agent.model} · {state.mode} (Shift-Tab)
          </Text>
        </Box>
      )}
    </>
  );
}

function nextMode(mode: (typeof PERMISSION_MODES)[number]): (typeof PERMISSION_MODES)[number] {
  const at = PERMISSION_MODES.indexOf(mode);
  return PERMISSION_MODES[(at + 1) % PERMISSION_MODES.length] ?? "default";
}
