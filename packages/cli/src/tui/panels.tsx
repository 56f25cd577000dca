import type { Agent, ListedHook } from "@belay/agent";
import type { HookExecutionRecord } from "@belay/core";
import { oneLine } from "@belay/core/clean";
import { messageOf, plural, withoutPlace } from "@belay/core/internal";
import { configuredHooks } from "@belay/inspector/configured-hook";
import { useHookEvents } from "@belay/react";
import { Box, Text } from "ink";
import { type ReactNode, useEffect, useState } from "react";
import { milliseconds, shorten, width } from "../render/text.ts";
import { isChord } from "./choices.tsx";
import { SLASH_COMMANDS } from "./handle-input.ts";
import { useKeys } from "./keys.tsx";
import { firstFitting, inverted, joined, type Line, Lines, marked, pathEnd, prose } from "./lines.tsx";
import type { Size } from "./screen.ts";
import { useCurrent } from "./screen.ts";

interface PanelProps {
  readonly size: Size;
  close(): void;
}

/** Rows of a panel besides its own: border, title, hint, a notice, and the one that the terminal needs. */
const AROUND = 7;

function Frame({ title, hint, children }: { title: string; hint: string; children: ReactNode }): ReactNode {
  return (
    <Box flexDirection="column" flexShrink={0} borderStyle="round" borderColor="cyan" paddingX={1}>
      <Text bold wrap="truncate-end">
        {title}
      </Text>
      {children}
      <Text dimColor wrap="truncate-end">
        {hint}
      </Text>
    </Box>
  );
}

function Scrolled(
  props: PanelProps & { title: string; lines: readonly Line[]; isAtEnd?: boolean; clear?: () => void },
): ReactNode {
  const { title, lines, size, close, isAtEnd = false, clear } = props;
  const room = Math.max(1, size.rows - AROUND);
  const last = Math.max(0, lines.length - room);
  const [from, setFrom] = useCurrent(isAtEnd ? last : 0);
  useKeys((input, key, isPasted) => {
    if (isPasted || isChord(key)) return;
    if (key.escape || key.return || input === "q") close();
    else if (input === "c") clear?.();
    else if (key.upArrow) setFrom(Math.max(0, Math.min(from(), last) - 1));
    else if (key.downArrow) setFrom(Math.min(last, from() + 1));
    else if (key.pageUp) setFrom(Math.max(0, from() - room));
    else if (key.pageDown) setFrom(Math.min(last, from() + room));
  });
  const start = Math.min(from(), last);
  return (
    <Frame title={title} hint={`${last > 0 ? "↑ ↓ more · " : ""}${clear ? "c clears · " : ""}Esc close`}>
      <Lines lines={lines.slice(start, start + room)} />
    </Frame>
  );
}

const OUTPUTS = ["all", "decisions", "none"] as const;

export function HooksView({
  agent,
  unread,
  size,
  close,
}: PanelProps & {
  agent: Pick<Agent, "hooks" | "switchHook" | "warn">;
  /** Names the files of other dialects whose hooks are not among these; empty where there are none. */
  unread?: (() => Promise<string>) | undefined;
}): ReactNode {
  const { hookExecutionHistory, userPreferences, updateUserPreferences } = useHookEvents();
  const [hooks, setHooks] = useState<readonly ListedHook[] | undefined>(undefined);
  const [others, setOthers] = useState("");
  const [at, setAt] = useCurrent(0);
  const { showHookOutput } = userPreferences;
  const reload = () =>
    void Promise.all([agent.hooks(), unread?.() ?? ""]).then(
      ([listed, files]) => {
        setHooks(listed);
        setOthers(files);
      },
      (error: unknown) => {
        agent.warn(messageOf(error));
        close();
      },
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: read when it opens, and after each switch
  useEffect(reload, []);
  useKeys((input, key, isPasted) => {
    if (isPasted || isChord(key)) return;
    const count = hooks?.length ?? 0;
    const chosen = hooks?.[at()];
    if (key.escape || input === "q") close();
    else if (key.upArrow) setAt(Math.max(0, at() - 1));
    else if (key.downArrow) setAt(Math.min(count - 1, at() + 1));
    else if (input === "o") {
      const next = OUTPUTS[(OUTPUTS.indexOf(showHookOutput) + 1) % OUTPUTS.length] ?? "decisions";
      updateUserPreferences({ showHookOutput: next });
    } else if ((input === " " || key.return) && chosen) {
      agent.switchHook(chosen.id, !chosen.enabled);
      reload();
    }
  });
  if (!hooks) return null;
  const columns = size.columns - 4;
  const otherLines = others === "" ? [] : prose(`There are ${others}`, columns, { color: "yellow" });
  const fit = Math.max(1, Math.floor((size.rows - AROUND - otherLines.length) / ROWS_OF_HOOK));
  const from = Math.max(0, Math.min(at() - fit + 1, hooks.length - fit));
  const place = hooks.length > fit ? ` (${at() + 1} of ${hooks.length})` : "";
  return (
    <Frame
      title={`${plural(hooks.length, "hook")}${place}`}
      hint={firstFitting(
        columns,
        `↑ ↓ · space on/off · o words for the agent: ${showHookOutput} · Esc`,
        `space on/off · o shown to you: ${showHookOutput} · Esc`,
        `space on/off·o shown: ${showHookOutput}·Esc`,
      )}
    >
      <Lines lines={otherLines} />
      {hooks.length === 0 && others === "" && (
        <Lines lines={prose("No hooks are configured here. Next: belay init", columns)} />
      )}
      {hooks.slice(from, from + fit).map((hook, index) => (
        <HookRow
          key={hook.id}
          hook={hook}
          columns={columns}
          isChosen={from + index === at()}
          lately={runsOf(hook, hooks, hookExecutionHistory)}
        />
      ))}
    </Frame>
  );
}

interface Lately {
  readonly runs: readonly HookExecutionRecord[];
  /** True if the runs may be those of another hook of the same name. */
  readonly isShared: boolean;
}

/** The runs of a hook; where none is surely its own, those that may be. A run without a place may be of any hook of its name. */
function runsOf(
  hook: ListedHook,
  hooks: readonly ListedHook[],
  history: readonly HookExecutionRecord[],
): Lately {
  const alike = hooks.filter(({ name, event }) => name === hook.name && event === hook.event);
  const possible = history
    .filter((run) => run.hook === hook.name && run.hookEvent === hook.event)
    .map((run) => {
      const { hook: name, hookEvent: event, source = hook.source } = run;
      return { run, owners: configuredHooks({ name, event, source }, alike) };
    })
    .filter(({ owners }) => owners.includes(hook));
  const own = possible.filter(({ owners }) => owners.length === 1);
  const isShared = own.length === 0 && possible.length > 0;
  return { runs: (isShared ? possible : own).map(({ run }) => run), isShared };
}

const ROWS_OF_HOOK = 3;
const INDENT = 6;
/** With fewer columns, the place of a hook gets the room of other words. */
const ROOMY = 60;
/** Stands before runs that may be another hook's; a question mark where there is no room for it. */
const ONE_OF = "one of this name: ";

function HookRow(props: { hook: ListedHook; isChosen: boolean; columns: number; lately: Lately }): ReactNode {
  const { hook, isChosen, columns } = props;
  const { runs, isShared } = props.lately;
  const matcher = hook.matcher === "" ? "" : ` ${oneLine(hook.matcher)}`;
  const head = shorten(
    `${hook.enabled ? (hook.trusted ? "on " : "–  ") : "off"} ${hook.event}${matcher}  ${oneLine(withoutPlace(hook.name))}`,
    columns - 2,
  );
  const room = columns - INDENT;
  const trust = hook.trusted ? "trusted" : room < ROOMY ? "NOT TRUSTED" : "NOT TRUSTED, does not run";
  const source = pathEnd(oneLine(hook.source), room - width(`${trust} · `));
  const texts = runs.slice(-3).reverse().map(runText);
  const hasWords = width(`${ONE_OF}${texts[0] ?? ""}`) <= room;
  const whose = isShared ? (hasWords ? ONE_OF : "? ") : "";
  const lately = joined(room - width(whose), texts, " · ");
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text wrap="truncate-end">
        {isChosen ? "❯ " : "  "}
        {isChosen ? inverted(head) : head}
      </Text>
      <Box marginLeft={INDENT}>
        <Text wrap="truncate-end" dimColor={hook.trusted} {...(!hook.trusted && { color: "yellow" })}>
          {`${trust} · ${source}`}
        </Text>
      </Box>
      <Box marginLeft={INDENT}>
        <Text dimColor wrap="truncate-end">
          {lately === "" ? "has not run yet" : whose + lately}
        </Text>
      </Box>
    </Box>
  );
}

/** `10:15:03 deny 12 ms` */
function runText(run: HookExecutionRecord): string {
  return `${clock(run.timestamp)} ${didText(run)}`;
}

/** `failed: exited with 1 12 ms`; `abstain (exit 1) 12 ms` where no reason is known. */
function didText({ decision, exitCode, executionTime }: HookExecutionRecord): string {
  const isRefusal = exitCode === 2 && decision !== "abstain";
  const isTold = isRefusal || /^(?:fault|failed):/.test(decision);
  const exit = exitCode === undefined || exitCode === 0 || isTold ? "" : ` (exit ${exitCode})`;
  return `${oneLine(decision)}${exit} ${milliseconds(executionTime)}`;
}

function clock(timestamp: number): string {
  return new Date(timestamp).toTimeString().slice(0, 8);
}

export function HistoryView({ size, close }: PanelProps): ReactNode {
  const { hookExecutionHistory: runs, clearHookHistory } = useHookEvents();
  const lines = runs.flatMap((run) => {
    const time = { text: clock(run.timestamp), dim: true };
    const text = `${didText(run)}  ${run.hookEvent} ${oneLine(withoutPlace(run.hook))}`;
    return marked(time, prose(text, size.columns - 5 - width(time.text)));
  });
  if (lines.length === 0)
    lines.push(...prose("No hook has run yet, or the history was cleared.", size.columns - 4));
  const title = runs.length === 1 ? "1 run of a hook" : `${runs.length} runs of hooks`;
  return <Scrolled title={title} lines={lines} size={size} close={close} isAtEnd clear={clearHookHistory} />;
}

const KEYS: Readonly<Record<string, string>> = {
  Enter: "sends; after a backslash, or with Alt, it begins a new line",
  "↑ ↓": "earlier prompts",
  "Esc, Ctrl-C": "abort what the agent does",
  "Ctrl-O": "opens and closes tool blocks",
  "Shift-Tab": "changes the permission mode",
  "Ctrl-L": "draws the screen anew",
};

export function HelpView({ size, close }: PanelProps): ReactNode {
  const commands = Object.entries(SLASH_COMMANDS).map(([name, text]) => [`/${name}`, text] as const);
  const rows = [...commands, ...Object.entries(KEYS)];
  const widest = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.flatMap(([name, text]) =>
    marked({ text: name.padEnd(widest), color: "cyan" }, prose(text, size.columns - 5 - widest)),
  );
  return <Scrolled title="belay chat" lines={lines} size={size} close={close} />;
}
