import { posix } from "node:path";
import { BUILTINS, isShell, isWrapper, KEYWORDS, namesOf } from "./program-names.ts";
import { HOLE } from "./shell.ts";

/*
 * What a command runs beside its first word. A line with a program that is told to run another one cannot be read by its
 * words.
 */

/** Interpreters that read their program from a pipe when they are given none. */
const READS_STDIN =
  /^(?:python|pypy|micropython|jython|perl|raku|ruby|php|lua|luajit|texlua|julia|elixir|escript|rscript|node|nodejs|bun|deno|tsx|ts-node|qjs|js|groovy|scala|clojure|clj|bb|guile|racket|gosh|csi|scheme|sbcl|clisp|ccl|ecl|ocaml|swipl|hy|runghc|runhaskell)$/;
/** Options of theirs after which the next word is a value, and those that run no program. */
const WITH_VALUE =
  /^(?:-\w*[WXIrCdc]|--(?:require|import|loader|experimental-loader|conditions|env-file|input-type))$/;
const WITHOUT_PROGRAM = /^(?:-[Vh]|--version|--help|--test)$/;

/**
 * Programs that run a command, or code, only when they are told to so: by an argument that matches, or by a long option,
 * which most of them take by its first letters, too.
 */
const BY_ARGUMENT: readonly (readonly [program: RegExp, argument: RegExp | undefined, long?: string])[] = [
  [/^(?:find|gfind|bfs)$/, /^-(?:exec|execdir|ok|okdir|fls|fprint\w*)$/],
  [/^(?:fd|fdfind)$/, /^-\w*[xX]/, "exec exec-batch"],
  [/^rg$/, /^--(?:pre|hostname-bin)/],
  [
    /^(?:git|scalar)$/,
    /^(?:-c|-x|foreach|run|filter-branch)$/,
    "config-env exec exec-path extcmd upload-pack receive-pack open-files-in-pager output template sendmail-cmd to-cmd cc-cmd header-cmd",
  ],
  [
    /^(?:tar|gtar|bsdtar)$/,
    /^-\w*[IF]/,
    "to-command checkpoint-action use-compress-program rsh-command info-script new-volume-script",
  ],
  [/^rsync$/, /^-\w*[eM]/, "rsh rsync-path remote-option"],
  [/^(?:scp|ssh|sftp|slogin|autossh|sshfs|ssh-copy-id)$/, /^-\w*[eoSFDb]/],
  [/^g?sort$/, undefined, "compress-program"],
  [/^(?:npm|pnpm|yarn|bun)$/, /^(?:exec|x|dlx|explore|-c)$/, "call script-shell"],
  [
    /^(?:uv|poetry|pipenv|pdm|hatch|rye|conda|mamba|micromamba|pixi|devbox|nix|op|heroku|infisical|volta|rustup|nvm|flatpak|snap|toolbox)$/,
    /^(?:run|shell|develop|-c)$/,
  ],
  [
    /^(?:bundle|mise|direnv|asdf|lerna|nx|tox|[a-z]+env|fnm|opam|stack|cabal|dune|sops|kpt|guix)$/,
    /^-{0,2}(?:exec|x|e|exec-env|exec-file|shell|environment)$/,
  ],
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
    /^(?:python|pypy|micropython|jython)$/,
    /^-\w*c|^(?:-\w*m)?(?:timeit|pdb|bdb|code|asyncio|cProfile|profile|trace|runpy|IPython)$/,
  ],
  [
    /^(?:node|nodejs|deno|bun|tsx|ts-node)$/,
    /^(?:-\w*[ep]|--eval|--print|eval|exec|repl$)|^(?:--[\w-]+=)?data:/i,
  ],
  [/^perl$/, /^-\w*[eEMmdF]/],
  [
    /^(?:ruby|raku|lua|luajit|texlua|rscript|julia|elixir|qjs|js|crystal|swift|ghc|rake|mix|emacsclient)$/,
    /^-\w*[eE]|^--eval|^eval$/,
  ],
  [
    /^(?:groovy|scala|clojure|clj|bb|guile|racket|gosh|csi|scheme|sbcl|clisp|ccl|ecl|ocaml|swipl|hy)$/,
    /^-\w*[ecgxtR]|^--(?:eval|load|execute)/,
  ],
  [/^(?:php|php-cgi|phpdbg)$/, /^-[rBRE]/],
  [/^(?:pwsh|powershell)$/, /./],
  [/^emacs$/, /^[-+]/],
  [/^(?:awk|gawk|mawk|nawk)$/, /\bsystem\b|[|@]|\bgetline\b|^-\w*[fiEl]|^--/],
  // What a variable is set to, recipes run.
  [/^(?:[gb]|re)?make$/, /^[^-=]+=(?!\d*$)|^(?:-\w*f|--\w+=)?(?:-|\/dev\/.*)$|^-\w*E/, "eval"],
  [/^g?split$/, undefined, "filter"],
  [/^g?install$/, undefined, "strip-program"],
  [/^cmake$/, /^-E$/],
  [/^cpio$/, undefined, "rsh-command"],
  [/^wget$/, /^-\w*e/, "execute use-askpass"],
  [/^tcpdump$/, /^-\w*z/],
  [/^ip$/, /^exec$/],
  [/^go$/, /^--?(?:exec|toolexec|vettool)\b/],
  [/^cargo$/, undefined, "config"],
  [/^(?:apt|apt-\w+|aptitude)$/, /^-\w*[oc]/, "option config-file"],
  [/^dpkg$/, undefined, "pre-invoke post-invoke status-logger"],
  [/^dpkg-architecture$/, /^-c/, "command"],
  [/^dpkg-buildpackage$/, /^-[rRp]/, "hook- root-command rules-file sign-command check-command"],
  [/^rpm\w*$/, /^-\w*[ED]/, "eval define pipe"],
  [/^prove$/, /^-\w*[ePMI]/, "exec source harness formatter"],
  [/^perldoc$/, /^-\w*[nM]/],
  [/^(?:socat|websocat)$/, /(?:exec|system|shell|sh-c|cmd):/i],
  [/^(?:nc|ncat|netcat)$/, /^-\w*[ec]/, "exec sh-exec lua-exec"],
  [/^(?:less|more|most)$/, /^\+/],
  [/^(?:ack|ag|bat|delta)$/, undefined, "pager"],
  [/^(?:sdiff|diff3)$/, undefined, "diff-program"],
  [/^pcre2?grep$/, /\(\?C/],
  [/^(?:fzf|sk)$/, undefined, "bind preview"],
  [/^(?:aria2c|yt-dlp|youtube-dl)$/, /^--on-/, "exec exec-before-download downloader external-downloader"],
  [/^(?:rclone|restic|borg|mosh)$/, /^-\w*o/, "password-command rsh ssh option"],
  [/^(?:hg|svn|cvs)$/, /^-\w*e/, "config config-option diff-cmd diff3-cmd editor-cmd ssh"],
  [/^gh$/, /^(?:alias|extension)$/],
  [/^just$/, /^-\w*c/, "command shell set"],
  [/^mvn\w*$/i, /exec[:.]/],
  [/^ctest$/, undefined, "build-and-test test-command"],
  [/^meson$/, /^devenv$/],
  [/^libtool$/, undefined, "mode"],
  [/^nvcc$/, /^--?(?:run|ccbin|compiler-bindir)/],
  [/^(?:gpg-agent|systemd-notify)$/, undefined, "daemon exec"],
  [/^gpg\w*$/, undefined, "exec-path photo-viewer gpg"],
  [/^gio$/, /^launch$/],
  [/^(?:podman|buildah)$/, /^unshare$/],
  [/^gum$/, /^spin$/],
  [/^savelog$/, /^-\w*x/],
  [/^(?:dump|restore|dar)$/, /^-\w*[FE]/],
  [/^nmap$/, undefined, "script interactive"],
  [/^gs$/, /nosafer|%pipe%/i],
  [/^(?:groff|troff|nroff|pic)$/, /^-\w*U/],
  [/tex$/, /^--?(?:shell-escape|enable-write18)/],
  [/^(?:ip6?tables|ebtables)$/, undefined, "modprobe"],
];

/** Options that mean a command after one word of git only: elsewhere `-xdf` and `-O` are harmless. */
const BY_SUBCOMMAND: Readonly<Record<string, RegExp>> = {
  clone: /^-\w*[cu]/,
  rebase: /^-\w*x/,
  difftool: /^-\w*x/,
  grep: /^-\w*O/,
};

/** Whether a command may run more than its first word names. */
export function runsOthers([first = "", ...args]: readonly string[]): boolean {
  if (KEYWORDS.has(first) || BUILTINS.has(first)) return true;
  return namesOf(first).some((program) => runsOthersAs(program, args));
}

function runsOthersAs(program: string, args: readonly string[]): boolean {
  if (isWrapper(program)) return true;
  if (isShell(program)) return !runsScript(args);
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
  if (args.some((arg) => arg === "-" || isStream(arg))) return true;
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
  return script !== undefined && /^[\w./]/.test(script) && !isStream(script);
}

/** `/dev/stdin` and the like, by whatever way: what is read there stands nowhere in the line. */
function isStream(path: string): boolean {
  return /^(?:\/|(?:\.\.\/)+)(?:dev|proc)\//.test(posix.normalize(path));
}

/*
 * What sed is told to do. Its scripts can run commands and read or write files (e, r, w, and flags of s); those that can be
 * told to do none of it are listed here, and all others count as hiding something.
 */

const LONG =
  /^--(?:quiet|silent|regexp-extended|separate|unbuffered|null-data|posix|sandbox|debug|follow-symlinks|in-place(?:=.*)?)$/;
const EXPRESSION = /^(?:--expression(?:=(?<long>[\s\S]*))?|-[nErsuz]*e(?<short>[\s\S]*))$/;
const SHORT = /^-(?:[nErsuz]+|[nErsuz]*i.*)$/;

/**
 * Between two slashes, or whatever stands in their place. None may be in brackets: some seds take it there for a letter,
 * others for the end.
 */
const text = (end: string) =>
  String.raw`(?:[^\\\n\u0001\[${end}]|\\[^\n\u0001]|\[\^?\]?(?:[^\\\n\u0001\]${end}]|\\[^\n\u0001\]${end}])*\])*`;
const ADDRESS = String.raw`(?:\d+|\$|/${text("/")}/I?)`;
const SUBSTITUTE = ["/", "|", "#", ",", "@"].map(
  (mark) => `s${escaped(mark)}${text(mark)}${escaped(mark)}${text(mark)}${escaped(mark)}[gpiI\\d]*`,
);
const COMMAND = String.raw`(?:${ADDRESS}(?:,[+~]?${ADDRESS})?[ \t]*!?[ \t]*)?(?:[pdqQ=nNgGhHxDP]|${SUBSTITUTE.join("|")})`;
const PLAIN = new RegExp(String.raw`^\s*${COMMAND}(?:\s*[;\n]\s*${COMMAND})*\s*;?\s*$`);

function escaped(mark: string): string {
  return mark === "|" ? "\\|" : mark;
}

/** Where sed is not GNU's, `-i` takes the next word for itself, and the script is another one. */
const TAKES_WORD = process.platform === "linux" || process.platform === "win32" ? /^$/ : /^-[nErsuz]*i$/;

/** Whether sed, with these arguments, may run a command, or read or write another file than those it is given. */
function hidesInSed(args: readonly string[]): boolean {
  const scripts: string[] = [];
  for (let at = 0, hasOperand = false; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    const found = EXPRESSION.exec(arg);
    if (found) {
      const given = found.groups?.long ?? (found.groups?.short || undefined);
      if (given === undefined) at += 1;
      scripts.push(given ?? args[at] ?? "");
    } else if (!arg.startsWith("-") || arg === "-") {
      // The first of them is the script, unless there was one before; whether one after it counts differs among seds.
      if (!hasOperand && scripts.length === 0) scripts.push(arg);
      hasOperand = true;
    } else if (TAKES_WORD.test(arg) || !(LONG.test(arg) || SHORT.test(arg))) return true;
  }
  return scripts.length === 0 || !scripts.every((script) => PLAIN.test(script));
}
