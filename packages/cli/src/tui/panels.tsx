import type { Agent, ListedHook } from "@belay/agent";
import type { HookExecutionRecord } from "@belay/core";
import { useHookEvents } from "@belay/react";
import { Box, Text, useInput } from "ink";
import { type ReactNode, useEffect, useState } from "react";
import { clean, oneLine } from "../clean.ts";
import { SLASH_COMMANDS } from "./slash.ts";

/** Rows that fit on a small terminal. */
const ROWS = 8;

interface Closable {
  close(): void;
}

function Frame({ title, hint, children }: { title: string; hint: string; children: ReactNode }): ReactNode {
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="cyan" paddingX={1}>
      <Text bold>{title}</Text>
      {children}
      <Text dimColor>{hint}</Text>
    </Box>
  );
}

/** Every configured hook, with what it did lately and a switch. */
export function HooksView({ agent, close }: Closable & { agent: Agent }): ReactNode {
  const { hookExecutionHistory } = useHookEvents();
  const [hooks, setHooks] = useState<readonly ListedHook[] | undefined>(undefined);
  const [at, setAt] = useState(0);
  const reload = () => void agent.hooks().then(setHooks);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read when it opens, and after each switch
  useEffect(reload, []);
  useInput((input, key) => {
    const count = hooks?.length ?? 0;
    const chosen = hooks?.[at];
    if (key.escape || input === "q") close();
    else if (key.upArrow) setAt(Math.max(0, at - 1));
    else if (key.downArrow) setAt(Math.min(count - 1, at + 1));
    else if ((input === " " || key.return) && chosen) {
      agent.switchHook(chosen.id, !chosen.enabled);
      reload();
    }
  });
  if (!hooks) return null;
  const from = Math.max(0, Math.min(at - ROWS + 1, hooks.length - ROWS));
  return (
    <Frame title={`${hooks.length} hooks`} hint="↑ ↓ choose · space on or off · Esc close">
      {hooks.length === 0 && <Text>No hooks are configured here. Next: belay init</Text>}
      {hooks.slice(from, from + ROWS).map((hook, index) => (
        <HookRow
          key={hook.id}
          hook={hook}
          isChosen={from + index === at}
          runs={hookExecutionHistory.filter((run) => run.hook === hook.name && run.hookEvent === hook.event)}
        />
      ))}
      {hooks.length > ROWS && (
        <Text dimColor>
          {at + 1} of {hooks.length}
        </Text>
      )}
    </Frame>
  );
}

function HookRow(props: {
  hook: ListedHook;
  isChosen: boolean;
  runs: readonly HookExecutionRecord[];
}): ReactNode {
  const { hook, isChosen, runs } = props;
  const matcher = hook.matcher === "" ? "" : ` ${hook.matcher}`;
  return (
    <Box flexDirection="column">
      <Text inverse={isChosen} wrap="truncate-end">
        {hook.enabled ? "on " : "off"} {hook.event}
        {clean(matcher)} {oneLine(hook.name)}
      </Text>
      <Box marginLeft={4}>
        <Text dimColor wrap="truncate-middle">
          {hook.trusted ? "trusted" : "NOT TRUSTED, does not run"} · {oneLine(hook.source)}
        </Text>
      </Box>
      {runs.length > 0 && (
        <Box marginLeft={4}>
          <Text dimColor wrap="truncate-end">
            {runs.slice(-3).reverse().map(runText).join(" · ")}
          </Text>
        </Box>
      )}
    </Box>
  );
}

function runText({ executionTime, decision }: HookExecutionRecord): string {
  return `${oneLine(decision)} ${Math.round(executionTime)} ms`;
}

/** What hooks did, newest last. */
export function HistoryView({ close }: Closable): ReactNode {
  const { hookExecutionHistory } = useHookEvents();
  useInput((input, key) => {
    if (key.escape || key.return || input === "q") close();
  });
  const shown = hookExecutionHistory.slice(-2 * ROWS);
  return (
    <Frame title={`${hookExecutionHistory.length} runs of hooks`} hint="Esc close">
      {shown.map((run) => (
        <Text key={run.id} wrap="truncate-end">
          <Text dimColor>{new Date(run.timestamp).toTimeString().slice(0, 8)}</Text> {run.hookEvent}{" "}
          {oneLine(run.hook)} {runText(run)}
        </Text>
      ))}
    </Frame>
  );
}

export function HelpView({ close }: Closable): ReactNode {
  useInput((input, key) => {
    if (key.escape || key.return || input === "q") close();
  });
  return (
    <Frame title="belay chat" hint="Esc close">
      {Object.entries(SLASH_COMMANDS).map(([name, text]) => (
        <Text key={name}>
          <Text color="cyan">/{name}</Text> {text}
        </Text>
      ))}
      <Text>
        Enter sends; a backslash before it begins a new line. ↑ ↓ earlier prompts. Esc or Ctrl-C aborts.
        Ctrl-O opens and closes tool results. Shift-Tab changes the permission mode.
      </Text>
    </Frame>
  );
}
