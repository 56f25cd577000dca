/*
 * Names of programs and words of a shell whose arguments are commands themselves, or are evaluated. The lists are about
 * hiding, not about harm: `rm` is not in them, since a rule can name it.
 */

const words = (...lines: string[]) => new Set(lines.join(" ").split(" "));

/** Words that begin something else than a command. Quoted or not: nobody names a program so. */
export const KEYWORDS = words(
  "! [[ ]] { } case coproc do done elif else esac fi for function if in select then time until while",
);

/** Builtins that evaluate their arguments, or change what later words of the line mean. */
export const BUILTINS = words(
  ". alias bind builtin caller command compgen complete compopt declare enable eval exec export fc getopts hash history let local mapfile read readarray readonly set shopt source trap typeset unalias unset",
);

/** Programs that run the command in their arguments. */
const WRAPPERS = words(
  // Other names of setarch.
  "alpha arch armh armv7l armv8l athlon i386 i486 i586 i686 ia64 linux32 linux64 mips mips32 mips64 parisc parisc32 parisc64 ppc ppc32 ppc64 ppc64le s390 s390x setarch sparc sparc32 sparc32bash sparc64 uname26 x86_64",
  // Of systems: util-linux, coreutils, libc, init, Debian, BSD, macOS, Windows.
  "agetty annotate-output apply arch argv0 at batch busybox caffeinate capsh catchsegv choom chroot chrt cmd conhost coresched coreutils cpuset crontab cscript daemon dbus-launch dbus-run-session dcmd debconf debconf-apt-progress debuild doas dtruss enosys env flock forfiles fstab-decode gdb gdbserver gdbtui idprio invoke-rc.d ionice jexec ktrace launchctl leaks lockf logsave ltrace luit machinectl memusage mshta msgexec msgfilter newgrp newrole nice nohup nsenter numactl openvt perf pg_virtualenv pipesz pkexec pkgx prlimit psexec rtprio run-parts run0 runas runcon rundll32 runuser sandbox-exec sbase-box schtasks scriptlive script setpgid setpriv setsid sg sotruss ssh-agent start-stop-daemon stdbuf strace su sudo sudoedit sulogin switch_root systemd-cat systemd-inhibit systemd-nspawn systemd-run systemd-socket-activate taskset time timeout toybox truss ubase-box uclampset unshare watch winpty wmic wscript wsl xargs xcrun",
  // Other users, other roots, other networks, other machines' programs.
  "aa-exec bwrap calife cgexec cowbuilder dchroot distrobox distrobox-enter fakechroot fakeroot fakeroot-sysv fakeroot-tcp faketime firejail flatpak-spawn gksu gksudo gosu graftcp isolate jail k5start kdesu krenew ksu landrun lxc-attach lxc-execute minijail0 nsjail pagsh pbuilder proot proxychains proxychains4 pseudo really rootlesskit sandbox sbuild schroot seunshare setfib setuidgid su-exec super torify torsocks tsocks usewithtor userv box64 box86 wine wine64",
  // Supervisors, limits, measures.
  "catatonit chpst chronic concurrently cpulimit cronic daemonize dumb-init eatmydata envdir envuidgid execlineb fghack foreman forever hivemind honcho hyperfine goreman heaptrack ifne keep-one-running lckdo likwid-perfctr likwid-pin limits lockrun memleax mispipe multitime nq overmind parallel pee pgrphack pidproxy pm2 retry rr run-one run-this-one runsv runsvdir schedtool sem setlock softlimit supervise svscan tcpclient tcpserver timelimit tini trickle tsp uftrace valgrind vgdb with-lock-ex xe zrun",
  // Terminals and screens.
  "abduco alacritty asciinema autoexpect byobu dislocate dtach dvtm expect expectk foot gamemoderun gnome-terminal gotty grc kibitz kitty konsole ledit lxterm lxterminal mangohud mate-terminal optirun padsp pasuspender prime-run primusrun pw-jack rlwrap rxvt screen st startx terminator tilix timed-run tmate tmux ttyd ttyrec unbuffer urxvt uxterm vglrun wezterm x-terminal-emulator xfce4-terminal xinit xkibitz xterm xvfb-run zellij",
  // Of developers.
  "ansible aws-vault bear buildcache bunx ccache chamber chokidar cross-env cross-env-shell distcc dotenv dotenvx doppler entr env-cmd envchain gp-collect-app icecc icerun intercept-build mpiexec mpirun nix-shell nodemon not npx onchange orterun pipx pnpx prterun reflex salloc sbatch scan-build sccache srun sshpass torchrun tsnd uvx viddy watchexec watchman-make watchmedo",
);

/** Families of them: the loader of programs, emulators, s6. */
const WRAPPER = /^(?:ld(?:-[\w.-]+)?\.so(?:\.\d+)*|qemu-[\w-]+|s6-[\w-]+)$/;

const SHELLS = words(
  "ash bash bosh bsh csh dash elvish es fish hush ion ksh lksh loksh lshell mksh murex ngs nu oil oksh osh pbosh pdksh posh rbash rc rksh rzsh sash scsh sh tcsh xonsh xs yash ysh zsh",
);

/** Programs with a language of their own that runs commands (`!a`, `.shell a`), in their arguments or on their stdin. */
const OWN_LANGUAGE = words(
  "bpftrace bpython dc dtrace duckdb ed editor erl eview evim ex expect file-rename ftp gap ghci git-shell gjs gnuplot gp gprolog groovysh gview gvim gvimdiff iex ipython irb jdb jimsh jrunscript jshell kak lftp litecli lldb lli m4 mail mailx mariadb maxima mongo mongosh mutt mycli mysql mysqlsh neomutt nvi nvim octave octave-cli osascript pdb pgcli prename pry psql ptpython r radare2 red rename rgview rgvim rview rvim s-nail sage scilab sensible-editor smbclient sqlite sqlite3 sqlplus stap tclsh telnet tixwish usql utop vi view vile vim vimdiff vimx wish",
);

export const isWrapper = (name: string): boolean =>
  WRAPPERS.has(name) || WRAPPERS.has(name.replace(/^g/, "")) || WRAPPER.test(name) || OWN_LANGUAGE.has(name);

export const isShell = (name: string): boolean => SHELLS.has(name);

/** What follows a dot in the name of a script: `./watch.sh` is not `watch`. */
const SCRIPT =
  /\.(?:awk|[cm]?[jt]s|[jt]sx|ba?sh|c?sh|fish|jar|jl|ksh|lua|out|php|p[lmy]|ps1|rb|r|sed|tcl|zsh)$/;
/** `vim.tiny`, `sh.distrib`, `npx.cmd`; `bash-static`. */
const VARIANT =
  /\.[a-z][\w-]*$|-(?:dbg|gtk|lucid|minimal|nox|pgtk|static|tiny)$|(?<=\d)-\w+-(?:linux|darwin|\w*bsd)(?:-(?:gnu|musl)\w*)?$/;
/** `tclsh8.6`, `ksh93`, `python3.11`, `lli-14`. */
const VERSION = /[-.]?\d[\d.]*[a-z]?(?:\+m)?$/;

/** No program has a longer name; the patterns above are not for texts of any length. */
const MAX_NAME = 128;

/** The names that a program may be known by: as it is called, and without what tells its versions and variants apart. */
export function namesOf(word: string): readonly string[] {
  const called = (word.replaceAll("\\", "/").split("/").at(-1) ?? "").toLowerCase();
  if (called.length > MAX_NAME || SCRIPT.test(called)) return [called];
  const plain = called.replace(VARIANT, "");
  const names = [called, plain, called.replace(VERSION, ""), plain.replace(VERSION, "")];
  return [...new Set(names)].filter((name) => name !== "");
}
