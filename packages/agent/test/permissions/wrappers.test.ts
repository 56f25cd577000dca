import { describe, expect, test } from "vitest";
import { restrictsLine } from "../../src/permissions/command-rule.ts";
import { commandsOf } from "../../src/permissions/shell.ts";

/** Each runs `rm f`, or may: a rule about `rm` holds for it, or the user is asked. */
const AROUND = [
  ...[
    "x86_64 rm f",
    "i386 rm f",
    "uname26 rm f",
    "linux32 rm f",
    "coresched new -- rm f",
    "scriptlive -c rm f",
  ],
  ...["debconf -ofoo rm f", "sotruss rm f", "memusage rm f", "annotate-output rm f", "fstab-decode rm f"],
  ...[
    "/usr/bin/x86_64 rm f",
    "X86_64 rm f",
    "gtimeout 5 rm f",
    "gxargs rm f",
    "coreutils --coreutils-prog=rm f",
  ],
  ...[
    "bwrap --bind / / rm f",
    "xterm -e rm f",
    "qemu-x86_64-static /bin/rm f",
    "s6-setsid rm f",
    "ccache rm f",
  ],
  ...[
    "mispipe 'rm f' true",
    "msgexec -i f rm f",
    "not-14 rm f",
    "apply rm f",
    "mpirun -n 1 rm f",
    "grc rm f",
  ],
  ...[
    "prove -Q --exec rm f",
    "prove -e rm f",
    "prove --ex=rm f",
    "perldoc -nrm f",
    "dpkg-architecture -c 'rm f'",
  ],
  ...["socat - EXEC:'rm f'", "socat - system:'rm f'", "nc -e /bin/rm a 1", "ncat --sh-exec 'rm f' a 1"],
  ...[
    "nc.traditional -c 'rm f' a 1",
    "sdiff --diff-program=rm a f",
    "less '+!rm f' a",
    "fzf --preview 'rm f'",
  ],
  ...[
    "rpm --eval '%(rm f)'",
    "apt-cache -c=x show a",
    "nix-shell --run 'rm f'",
    "lerna exec rm f",
    "pyenv exec rm f",
  ],
  // By the name of a version or a variant.
  ...[
    "echo exec rm f | tclsh8.6",
    "wish8.6 a",
    "ksh93 -c 'rm f'",
    "sh.distrib -c 'rm f'",
    "bash-static -c 'rm f'",
  ],
  ...[
    "vim.tiny f",
    "vim.basic -c '!rm f' f",
    "perl5.36.0 -e 'unlink f'",
    "python3.11 -c a",
    "python3.11.exe -c a",
  ],
  ...[
    "perl5.36-x86_64-linux-gnu -e a",
    "python3.11-dbg -c a",
    "npx.cmd rm f",
    "cmd.exe /c rm f",
    "pdb3.11 a.py",
  ],
  ...["busybox-static rm f", "emacs-nox --eval a", "gawk-5.2.1 'BEGIN{system(\"rm f\")}'", "nodejs18 -e a"],
  // Other shells and languages.
  ...[
    "nu -c 'rm f'",
    "elvish -c 'rm f'",
    "xonsh -c 'rm f'",
    "rc -c 'rm f'",
    "es -c 'rm f'",
    "fish -c 'rm f'",
  ],
  ...["tcsh -c 'rm f'", "a | nu", "Rscript -e a", "R -e a", "a | R --no-save", "a | Rscript -", "guile -c a"],
  ...["a | guile", "julia -e a", "racket -e a", "sbcl --eval a", "swipl -g a", "rename 's/a/b/e' f"],
  // What they read is no file.
  ...["a | python3 /dev/stdin", "a | node /proc/self/fd/0", "a | bash /./dev/stdin", "a | sh ../../dev/fd/0"],
];

/** Programs whose names only look so, and those that run nothing here. */
const PLAIN = [
  ...[
    "./watch.sh a",
    "./time.py",
    "bin/script.js a",
    "base64 f",
    "md5sum f",
    "gzip --test a.gz",
    "python3-config --cflags",
  ],
  ...[
    "prove -v t/a.t",
    "prove -lr t",
    "nc -z a 80",
    "less f",
    "apt-cache show a",
    "socat -V",
    "pdflatex a.tex",
  ],
  ...[
    "racket a.rkt",
    "guile a.scm",
    "Rscript a.R",
    "bash ./dev/run.sh",
    "gh pr list",
    "just test",
    "lerna run test",
  ],
  ...["ctest -V", "mvn test", "rg x", "x86_64-linux-gnu-gcc -c a.c", "npm.cmd test", "go1.22 test"],
];

describe("a rule about rm", () => {
  test.each(AROUND)("is not walked around by %j", (line) =>
    expect(restrictsLine("rm *", line)).not.toBe("no"),
  );
  test.each(PLAIN)("says nothing of %j", (line) => {
    expect(commandsOf(line)).toHaveLength(1);
    expect(restrictsLine("rm *", line)).toBe("no");
  });
});
