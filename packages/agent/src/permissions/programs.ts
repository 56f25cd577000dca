import { posix } from "node:path";
import { type CertainCommand, certainCommands } from "@belay/core/shell";

/*
 * Programs whose arguments are commands or code. The lists are about hiding, not about harm: `rm` is not in them, since a rule
 * can name it. Programs that run others only when an option says so (find, git, sed, tar, make …) are not in them either.
 */

const words = (...lines: string[]) => new Set(lines.join(" ").split(" "));

/** No pattern of a rule allows them, whatever they are given. */
const WRAPPERS = words(
  // Of the shell: they evaluate their arguments, or change what later words of the line mean.
  ". alias bind builtin caller command compgen complete compopt declare enable eval exec export fc getopts hash history let local mapfile read readarray readonly set shopt source trap typeset unalias unset",
  // Other users, other roots, limits, other times.
  "at batch busybox chroot chrt crontab doas env fakeroot firejail flock ionice nice nohup nsenter pkexec runuser script setpriv setsid sg ssh-agent start-stop-daemon stdbuf su sudo systemd-run taskset timeout toybox unbuffer unshare xvfb-run",
  // Once for each line, over and over, under a watcher or a debugger.
  "apply entr expect gdb hyperfine ltrace parallel perf screen strace tmux valgrind watch xargs xterm",
  // Packages that are fetched and run.
  "bunx npx pipx pnpx uvx",
  // A language of their own with a way to run commands, in their arguments or on their stdin.
  "cmd dc ed emacs ex ghci iex ipython irb m4 mysql nvim octave osascript powershell psql pwsh r sqlite3 tclsh vi view vim wish",
);

/** Shells and interpreters: allowed with a script as their first argument, like any program. */
const INTERPRETERS = words(
  "ash bash csh dash elvish fish ksh mksh nu sh tcsh xonsh zsh",
  "bun deno guile julia lua node nodejs perl php pypy python racket rscript ruby ts-node tsx",
);

/** A script's name, a module of Python, or no program at all. */
const RUNS_NO_CODE = /^(?:[\w./]|-m$|--test$|--version$)/;
/** `/dev/stdin` and the like: what is read there stands nowhere in the line. */
const STREAM = /^(?:\/|(?:\.\.\/)+)(?:dev|proc)\//;
/** Builtins that run a command, or evaluate the name of a variable, by these options. */
const EVALUATES = /^(?:(?:test|\[|printf) (?:.* )?-v|(?:jobs|wait) (?:.* )?-[xp])/s;

/** Programs that run nothing, whatever they are given. */
const INERT = words("[ cat cd cut echo egrep false fgrep grep head ls pwd tail true wc which");

/** The commands of a line, or undefined where its words do not tell what it runs. */
export function readLine(line: string): readonly CertainCommand[] | undefined {
  const commands = certainCommands(line);
  return commands?.some(({ words }) => hidesCommand(words)) ? undefined : commands;
}

function hidesCommand(given: readonly string[]): boolean {
  const [first = "", script = ""] = given;
  const names = namesOf(first);
  if (names.some((name) => WRAPPERS.has(name)) || EVALUATES.test(given.join(" "))) return true;
  const runsCode = !RUNS_NO_CODE.test(script) || STREAM.test(posix.normalize(script));
  return runsCode && names.some((name) => INTERPRETERS.has(name));
}

/** No program has a longer name; the pattern is not for texts of any length. */
const MAX_NAME = 128;
/** `python3.11`, `npx.cmd`, `vim.tiny`, `bash-static`. */
const VARIANT = /(?:-?\d[\d.]*)?(?:[.-](?:bat|cmd|dbg|distrib|exe|static|tiny))*$/;

/** A program as it is called, and without what tells its versions and variants apart. */
function namesOf(word: string): readonly string[] {
  const called = word.replace(/^.*[\\/]/s, "").toLowerCase();
  return called.length > MAX_NAME ? [called] : [called, called.replace(VARIANT, "")];
}

/** Whether nothing in a line can run a word of its arguments. */
export function isInert(commands: readonly CertainCommand[]): boolean {
  return commands.every(({ words: [program = ""] }) => INERT.has(program));
}
