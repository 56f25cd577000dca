/*
 * Programs and words of a shell whose arguments are commands themselves, or are evaluated. A line with one of them cannot
 * be read by its words. The lists are about hiding, not about harm: `rm` is not in them, since a rule can name it.
 */

const words = (text: string) => new Set(text.split(" "));

/** Words that begin something else than a command. Quoted or not: nobody names a program so. */
const KEYWORDS = words(
  "! [[ ]] { } case coproc do done elif else esac fi for function if in select then time until while",
);

/** Builtins that evaluate their arguments, or change what later words of the line mean. */
const BUILTINS = words(
  ". alias bind builtin caller command compgen complete compopt declare enable eval exec export fc getopts hash history let local mapfile read readarray readonly set shopt source trap typeset unalias unset",
);

/** Programs that run the command in their arguments. */
const WRAPPERS = words(
  "arch ash at batch busybox caffeinate catchsegv chpst chroot chrt cmd cmd.exe cpulimit daemonize dbus-run-session doas entr env expect fakechroot fakeroot firejail flock gdb gosu ionice linux32 linux64 ltrace nice nohup nsenter numactl parallel pkexec proot rlwrap run-parts runuser screen script setarch setpriv setsid setuidgid softlimit sshpass start-stop-daemon stdbuf strace su su-exec sudo systemd-run taskset tclsh time timeout tmux toybox unbuffer unshare valgrind viddy watch watchexec wsl xargs xvfb-run",
);

const SHELLS = words("bash csh dash fish ksh mksh osh rbash sh tcsh yash zsh");

/** Interpreters that read their program from a pipe when they are given none. */
const READS_STDIN = /^(?:(?:python|pypy|perl|ruby|php|lua)[\d.]*|node|nodejs|bun)$/;

/** Programs that run a command, or code, only when they are told to so: by an argument that matches. */
const BY_ARGUMENT: readonly (readonly [program: RegExp, argument: RegExp])[] = [
  [/^(?:find|gfind)$/, /^-(?:exec|execdir|ok|okdir)$/],
  [/^(?:fd|fdfind)$/, /^(?:-\w*[xX]|--exec)/],
  [/^rg$/, /^--(?:pre|hostname-bin)/],
  [/^git$/, /^(?:-c|-x|--config-env|--exec|--extcmd|--upload-pack|--receive-pack|foreach|run)(?:=|-path|$)/],
  [
    /^tar$|^gtar$|^bsdtar$/,
    /^(?:--to-command|--checkpoint-action|--use-compress-program|--rsh-command|-\w*[IF])/,
  ],
  [/^(?:rsync|scp|ssh|sftp)$/, /^(?:-e|-o|-S|--rsh)/],
  [/^sort$/, /^--compress-prog/],
  [/^(?:test|\[)$/, /^-v$/],
  [/^printf$/, /^-v/],
  [/^(?:jobs|wait)$/, /^-[xp]/],
  [/^(?:python|pypy)[\d.]*$/, /^-\w*c/],
  [/^(?:node|nodejs|deno|bun)$/, /^(?:-\w*[ep]|--eval|--print|eval|exec)/],
  [/^(?:perl|ruby|lua|luajit|osascript|rscript|julia|elixir)[\d.]*$/, /^-\w*[eE]/],
  [/^php[\d.]*$/, /^-[rBRE]/],
  [/^(?:pwsh|powershell)(?:\.exe)?$/, /./],
  [/^(?:vi|vim|nvim|ex|view|emacs)$/, /^(?:[-+]|!)/],
  [/^(?:awk|gawk|mawk|nawk)$/, /\bsystem\b|\||\bgetline\b|^-\w*[fiEl]|^--/],
  [/^(?:make|gmake)$/, /^(?:--eval|SHELL=)/],
];

/** Whether a command may run more than its first word names. */
export function runsOthers(command: readonly string[]): boolean {
  const [first = "", ...args] = command;
  const program = (first.replaceAll("\\", "/").split("/").at(-1) ?? "").toLowerCase();
  if (KEYWORDS.has(first) || BUILTINS.has(first) || WRAPPERS.has(program)) return true;
  if (SHELLS.has(program)) return !runsScript(args);
  if (READS_STDIN.test(program) && (args.length === 0 || args.includes("-"))) return true;
  return BY_ARGUMENT.some(([name, told]) => name.test(program) && args.some((arg) => told.test(arg)));
}

/** A shell with a script of its own, like any interpreter. With options, or with none to read, the script is elsewhere. */
function runsScript([script]: readonly string[]): boolean {
  return script !== undefined && /^[\w./]/.test(script) && !/^\/+(?:dev|proc)\//.test(script);
}
