import { HOLE } from "./hole.ts";
import { hidesInSed } from "./sed-script.ts";

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
  "abduco arch ash at batch bunx busybox byobu caffeinate capsh catchsegv choom chpst chronic chroot chrt cmd cmd.exe concurrently cpulimit crontab cross-env daemonize dbus-launch dbus-run-session doas dotenv dtach eatmydata entr env env-cmd expect fakechroot fakeroot faketime firejail flock gdb gosu honcho hyperfine ifne ionice linux32 linux64 logsave ltrace machinectl multitime newgrp nice nodemon nohup npx nsenter numactl parallel pee perf pipx pkexec pnpx prlimit proot proxychains proxychains4 rlwrap run-parts runcon runuser schroot screen script sem setarch setpriv setsid setuidgid sg softlimit ssh-agent sshpass start-stop-daemon stdbuf strace su su-exec sudo systemd-cat systemd-inhibit systemd-nspawn systemd-run taskset tclsh time timeout tmux torsocks toybox uclampset unbuffer unshare uvx valgrind viddy watch watchexec wsl xargs xvfb-run",
);

const SHELLS = words("bash csh dash fish ksh mksh osh rbash sh tcsh yash zsh");

/** The loader of programs is one that runs its argument. */
const LOADER = /^ld(?:-[\w.-]+)?\.so(?:\.\d+)*$/;

/** Programs with a language of their own that runs commands (`!a`, `.shell a`), in their arguments or on their stdin. */
const OWN_LANGUAGE = words(
  "dc ed ex ftp ghci gnuplot iex irb jshell lftp lldb m4 mariadb mysql nvim octave pry psql red rview rvim sqlite sqlite3 telnet vi view vim vimdiff",
);

/** Interpreters that read their program from a pipe when they are given none. */
const READS_STDIN = /^(?:(?:python|pypy|perl|ruby|php|lua)[\d.]*|node|nodejs|bun|deno|tsx|ts-node)$/;
/** Options of theirs after which the next word is a value, and those that run no program. */
const WITH_VALUE =
  /^(?:-\w*[WXIrCdc]|--(?:require|import|loader|experimental-loader|conditions|env-file|input-type))$/;
const WITHOUT_PROGRAM = /^(?:-[Vh]|--version|--help|--test)$/;

/**
 * Programs that run a command, or code, only when they are told to so: by an argument that matches, or by a long option,
 * which most of them take by its first letters, too.
 */
const BY_ARGUMENT: readonly (readonly [program: RegExp, argument: RegExp | undefined, long?: string])[] = [
  [/^(?:find|gfind)$/, /^-(?:exec|execdir|ok|okdir|fls|fprint\w*)$/],
  [/^(?:fd|fdfind)$/, /^-\w*[xX]/, "exec exec-batch"],
  [/^rg$/, /^--(?:pre|hostname-bin)/],
  [
    /^git$/,
    /^(?:-c|-x|foreach|run|filter-branch)$/,
    "config-env exec exec-path extcmd upload-pack receive-pack open-files-in-pager output template sendmail-cmd to-cmd cc-cmd header-cmd",
  ],
  [
    /^(?:tar|gtar|bsdtar)$/,
    /^-\w*[IF]/,
    "to-command checkpoint-action use-compress-program rsh-command info-script new-volume-script",
  ],
  [/^rsync$/, /^-\w*[eM]/, "rsh rsync-path remote-option"],
  [/^(?:scp|ssh|sftp)$/, /^-\w*[eoSFD]/],
  [/^g?sort$/, undefined, "compress-program"],
  [/^(?:npm|pnpm|yarn|bun)$/, /^(?:exec|x|dlx|explore|-c)$/, "call script-shell"],
  [/^(?:uv|poetry|pipenv|pdm|hatch|rye|conda|mamba|nix)$/, /^(?:run|shell|develop|-c)$/],
  [/^(?:bundle|mise|direnv|asdf)$/, /^(?:exec|x)$/],
  [/^man$/, /^-\w*[PH]/, "pager html"],
  [/^zip$/, /^-\w*T/, "test unzip-command"],
  [
    /^(?:[\w.]+-)*(?:cc|gcc|g\+\+|c\+\+|cpp|clang|clang\+\+|gfortran)(?:-?[\d.]+)?$/,
    /^(?:-wrapper|-specs|-fplugin|-B|@)/,
    "specs",
  ],
  [/^(?:test|\[)$/, /^-v$/],
  [/^printf$/, /^-v/],
  [/^(?:jobs|wait)$/, /^-[xp]/],
  [
    /^(?:python|pypy)[\d.]*$/,
    /^-\w*c|^(?:-\w*m)?(?:timeit|pdb|bdb|code|asyncio|cProfile|profile|trace|runpy|IPython)$/,
  ],
  [
    /^(?:node|nodejs|deno|bun|tsx|ts-node)$/,
    /^(?:-\w*[ep]|--eval|--print|eval|exec|repl$)|^(?:--[\w-]+=)?data:/i,
  ],
  [/^perl[\d.]*$/, /^-\w*[eEMmdF]/],
  [/^(?:ruby|lua|luajit|osascript|rscript|julia|elixir)[\d.]*$/, /^-\w*[eE]/],
  [/^php[\d.]*$/, /^-[rBRE]/],
  [/^(?:pwsh|powershell)(?:\.exe)?$/, /./],
  [/^emacs$/, /^[-+]/],
  [/^(?:awk|gawk|mawk|nawk)$/, /\bsystem\b|[|@]|\bgetline\b|^-\w*[fiEl]|^--/],
  // What a variable is set to, recipes run.
  [/^g?make$/, /^[^-=]+=(?!\d*$)|^(?:-\w*f|--\w+=)?(?:-|\/dev\/.*)$|^-\w*E/, "eval"],
  [/^g?split$/, undefined, "filter"],
  [/^g?install$/, undefined, "strip-program"],
  [/^cmake$/, /^-E$/],
  [/^cpio$/, undefined, "rsh-command"],
  [/^wget$/, /^-\w*e/, "execute use-askpass"],
  [/^tcpdump$/, /^-\w*z/],
  [/^ip$/, /^exec$/],
  [/^go$/, /^--?(?:exec|toolexec|vettool)\b/],
  [/^cargo$/, undefined, "config"],
  [/^(?:apt|apt-get|aptitude)$/, /^-\w*o/, "option"],
  [/^dpkg$/, undefined, "pre-invoke post-invoke"],
];

/** Options that mean a command after one word of git only: elsewhere `-xdf` and `-O` are harmless. */
const BY_SUBCOMMAND: Readonly<Record<string, RegExp>> = {
  clone: /^-\w*[cu]/,
  rebase: /^-\w*x/,
  difftool: /^-\w*x/,
  grep: /^-\w*O/,
};

/** Whether a command may run more than its first word names. */
export function runsOthers(command: readonly string[]): boolean {
  const [first = "", ...args] = command;
  const program = (first.replaceAll("\\", "/").split("/").at(-1) ?? "").toLowerCase();
  if (KEYWORDS.has(first) || BUILTINS.has(first) || WRAPPERS.has(program)) return true;
  if (LOADER.test(program) || OWN_LANGUAGE.has(program)) return true;
  if (SHELLS.has(program)) return !runsScript(args);
  if (READS_STDIN.test(program) && readsStdin(program, args)) return true;
  if (canBeTold(program) && mayBecomeOptions(program, args)) return true;
  if (/^g?sed$/.test(program)) return hidesInSed(args);
  const told = program.endsWith("tar") ? dashed(args) : args;
  if (program === "git" && (isToldBySubcommand(args) || configures(args))) return true;
  return BY_ARGUMENT.some(
    ([name, argument, long = ""]) =>
      name.test(program) && told.some((arg) => argument?.test(arg) || isLong(arg, long)),
  );
}

function readsStdin(program: string, args: readonly string[]): boolean {
  if (args.includes("-")) return true;
  if (args.some((arg) => WITHOUT_PROGRAM.test(arg))) return false;
  if (args.includes("-v") && !/^py/.test(program)) return false;
  return !args.some((arg, index) => !arg.startsWith("-") && !WITH_VALUE.test(args[index - 1] ?? ""));
}

/** Whether there are options by which it runs a command. */
function canBeTold(program: string): boolean {
  return /^g?sed$/.test(program) || BY_ARGUMENT.some(([name]) => name.test(program));
}

/** Files can be named like options, and a star at the beginning of a word takes them in. git heeds `--`; not all others do. */
function mayBecomeOptions(program: string, args: readonly string[]): boolean {
  const end = program === "git" ? args.indexOf("--") : -1;
  return args.slice(0, end === -1 ? args.length : end).some((arg) => arg.startsWith(HOLE));
}

const READS_CONFIG = /^(?:get|list|-l|--list|--get|--get-all|--get-regexp|--get-urlmatch)$/;
const CONFIG_SCOPE =
  /^--(?:global|local|system|worktree|show-origin|show-scope|name-only|null|type=\w+|bool|int)$/;

/** `git config` that does not only read: an alias, a pager or an editor that it sets is what git runs later. */
function configures(args: readonly string[]): boolean {
  const at = args.indexOf("config");
  if (at === -1) return false;
  const given = args.slice(at + 1).filter((arg) => !CONFIG_SCOPE.test(arg));
  const [first = ""] = given;
  return !READS_CONFIG.test(first) && (given.length !== 1 || first.startsWith("-"));
}

/** `--exe=x` is `--exec x`, whatever other options begin so: what may be one of these counts as one. */
function isLong(arg: string, names: string): boolean {
  const given = /^--([a-z][\w-]*)/.exec(arg)?.[1];
  return given !== undefined && names.split(" ").some((name) => name.startsWith(given));
}

/** tar takes its first options without a dash, too. */
function dashed([first = "", ...rest]: readonly string[]): string[] {
  return [first.startsWith("-") ? first : `-${first}`, ...rest];
}

function isToldBySubcommand(args: readonly string[]): boolean {
  return Object.entries(BY_SUBCOMMAND).some(
    ([word, option]) => args.includes(word) && args.some((arg) => option.test(arg)),
  );
}

/** A shell with a script of its own, like any interpreter. With options, or with none to read, the script is elsewhere. */
function runsScript([script]: readonly string[]): boolean {
  return script !== undefined && /^[\w./]/.test(script) && !/^\/+(?:dev|proc)\//.test(script);
}
