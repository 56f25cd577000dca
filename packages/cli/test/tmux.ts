import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, onTestFinished } from "vitest";

/** Whether there is a real terminal to test in; .ci/run installs it where it is missing. */
export function hasTmux(): boolean {
  const isThere = spawnSync("tmux", ["-V"]).status === 0;
  if (!isThere) process.stderr.write("tmux is not installed: the tests in a real terminal are left out\n");
  return isThere;
}

/** A program in a terminal of its own, gone when the test ends. */
export interface Terminal {
  /** The rows as they are seen, without the empty ones below. */
  screen(): string;
  /** The same with what has scrolled away. */
  all(): string;
  /** The same as `screen`, with every colour. */
  painted(): string;
  /** Keys by their tmux names: Enter, Escape, C-c, Up. */
  press(...keys: string[]): void;
  type(text: string): void;
  /** As a terminal pastes: with marks around it, if the program asked for them. */
  paste(text: string): void;
  resize(columns: number, rows: number): void;
  shows(wanted: string | RegExp): Promise<void>;
  /** Waits until the program has ended; returns its exit code. */
  ended(): Promise<number>;
  /** The terminal goes away under the program. */
  hangUp(): void;
}

export interface TerminalOptions {
  readonly columns: number;
  readonly rows: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export function openTerminal(command: string, { columns, rows, cwd, env }: TerminalOptions): Terminal {
  const name = `belay-test-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const tmux = (...args: string[]) => spawnSync("tmux", ["-L", name, ...args], { encoding: "utf8" });
  // The program writes while it ends: its folder is removed only when it is gone.
  onTestFinished(() => expect.poll(() => inSession(session), { timeout: 20_000, interval: 20 }).toEqual([]));
  onTestFinished(() => void tmux("kill-server"));
  const variables = Object.entries(env).flatMap(([key, value]) => ["-e", `${key}=${value}`]);
  const size = ["-x", String(columns), "-y", String(rows)];
  const line = `${command}; echo "ended $?"; sleep 60`;
  const created = ["new-session", "-d", "-P", "-F", "#{pane_pid}", ...size, "-c", cwd, ...variables, line];
  const session = tmux("-f", "/dev/null", ...created).stdout.trim();
  const capture = (...flags: string[]) => tmux("capture-pane", "-p", ...flags).stdout.trimEnd();
  const shows = async (wanted: string | RegExp) => {
    const poll = expect.poll(() => capture(), { timeout: 20_000, interval: 50 });
    await (typeof wanted === "string" ? poll.toContain(wanted) : poll.toMatch(wanted));
  };
  return {
    screen: () => capture(),
    all: () => capture("-S", "-"),
    painted: () => capture("-e"),
    press: (...keys) => void tmux("send-keys", ...keys),
    type: (text) => void tmux("send-keys", "-l", text),
    paste: (text) => {
      tmux("set-buffer", text);
      tmux("paste-buffer", "-p");
    },
    resize: (wide, high) => void tmux("resize-window", "-x", String(wide), "-y", String(high)),
    shows,
    ended: async () => {
      await shows(/^ended \d+$/m);
      return Number(/^ended (\d+)$/m.exec(capture())?.[1]);
    },
    hangUp: () => void tmux("kill-server"),
  };
}

/** The processes of a session, which its first process gives its number; none where there is no /proc. */
function inSession(session: string): string[] {
  const names = process.platform === "linux" ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  return names.filter((pid) => {
    try {
      const [state, , , sid] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      return sid === session && state !== "Z";
    } catch {
      return false;
    }
  });
}

/** What a terminal shows, with every colour, after a command has ended in it; `answer` is typed when its prompt shows. */
export async function inTerminal(
  command: string,
  {
    columns,
    cwd,
    env = {},
    answer,
  }: {
    columns: number;
    cwd: string;
    env?: Record<string, string>;
    answer?: { prompt: string; keys: readonly string[] };
  },
): Promise<string> {
  // Whoever runs the tests may want no colours; the terminal of a test shows what it is told to.
  const variables = { NO_COLOR: "", FORCE_COLOR: "", ...env };
  const terminal = openTerminal(command, { columns, rows: 60, cwd, env: variables });
  if (answer) {
    await terminal.shows(answer.prompt);
    terminal.press(...answer.keys);
  }
  await terminal.ended();
  return terminal.painted();
}
