import { describe, expect, test } from "vitest";
import { restrictsLine } from "../../src/permissions/command-rule.ts";
import { readLine } from "../../src/permissions/programs.ts";

const rows = (text: string) => text.trim().split(/\s*¦\s*/);

/** What these run stands in their arguments, on their stdin, or nowhere in the line. */
const HIDING = rows(`
  eval a ¦ exec a ¦ source a ¦ . a ¦ command a ¦ trap a EXIT ¦ alias a=b ¦ export A=b ¦ set -x ¦ read x ¦
  hash -p x y ¦ mapfile -C a ¦ printf -v x ¦ test -v 'a[$(b)]' ¦ [ -v 'a[$(b)]' ] ¦ jobs -x a ¦
  wait -p 'a[$(b)]' ¦ compgen -C a ¦ env a ¦ /usr/bin/env a ¦ sudo a ¦ SUDO a ¦ nohup a ¦ timeout 1 a ¦
  xargs a ¦ a | xargs b ¦ watch a ¦ npx a ¦ npx.cmd a ¦ cmd.exe /c a ¦ uvx a ¦ ssh-agent a ¦
  a | crontab - ¦ busybox-static a ¦ bash -c a ¦ bash -lc a ¦ bash ¦ a | sh ¦ sh -s ¦ bash - ¦
  bash /dev/stdin ¦ a | bash /./dev/stdin ¦ a | sh ../../dev/fd/0 ¦ bash ~/x ¦ bash-static -c a ¦
  sh.distrib -c a ¦ ksh93 -c a ¦ fish -c a ¦ a | nu ¦ a | python3 ¦ python3 -c a ¦ python3.11 -Ic a ¦
  python3.11.exe -c a ¦ python3.11-dbg -c a ¦ a | python3 -u ¦ a | python3 /dev/stdin ¦ node - ¦
  node -e a ¦ node --eval=a ¦ nodejs18 -e a ¦ a | node /proc/self/fd/0 ¦ perl -ne a ¦ perl5.36.0 -e a ¦
  ruby -e a ¦ Rscript -e a ¦ a | guile ¦ R -e a ¦ ed f ¦ vim f ¦ vim.tiny f ¦ a | sqlite3 f ¦ psql -c a ¦
  tclsh8.6 a
`);

/** Each runs `rm f`, or may: a rule about `rm` holds for it, or the user is asked. */
const AROUND = rows(`
  x86_64 rm f ¦ X86_64 /bin/rm f ¦ bwrap --bind / / rm f ¦ gtimeout 5 rm f ¦
  coreutils --coreutils-prog=rm f ¦ nix-shell --run 'rm f' ¦ find . -exec rm f ¦ find . -exec RM f ¦
  find . -exec r? f ¦ find . -exec /bin/rm {} + ¦ fd x -x rm ¦ git -c alias.x='!rm f' x ¦
  git rebase --exec 'rm f' a ¦ git rebase -x 'cd a;rm f' b ¦ git submodule foreach rm f ¦
  tar xf a --to-command='rm f' ¦ tar xf a --to-comm=rm ¦ rsync -e 'rm f' b c ¦
  sort --compress-program=rm f ¦ npm exec rm f ¦ uv run rm f ¦ make CC=rm ¦ sed '1e rm f' f ¦
  awk 'BEGIN{system("rm f")}' ¦ socat - EXEC:'rm f' ¦ nc.traditional -c 'rm f' a 1 ¦ nc -e /bin/rm a 1 ¦
  less '+!rm f' a ¦ fzf --preview 'rm f' ¦ rpm --eval '%(rm f)' ¦ echo 'rm f' | at now ¦
  echo 'rm f' | tee x.sh ¦ env rm f ¦ bash -c 'rm f'
`);

/** Programs whose names only look so, those that are given a script, and those that run nothing here. */
const PLAIN = rows(`
  ./watch.sh a ¦ ./time.py ¦ bin/script.js a ¦ base64 f ¦ md5sum f ¦ python3-config --cflags ¦
  x86_64-linux-gnu-gcc -c a.c ¦ sh scripts/test.sh -c ¦ bash ./dev/run.sh ¦ python3 a.py -c b ¦
  python3 --version ¦ python3 -m pytest -q ¦ node --test ¦ node a.js ¦ Rscript a.R ¦ go test ./... ¦
  npm test ¦ git log --oneline ¦ git clean -xdf ¦ git add *.ts ¦ docker run --rm a ¦ sed -n 5p f ¦
  awk '{print $1}' f ¦ find . -name x ¦ tar czf a.tgz * ¦ cat docs/rm.md ¦ cd a && grep -n rm f ¦
  echo 'rm f'
`);

test.each(HIDING)("what it runs cannot be told: %j", (line) => expect(readLine(line)).toBeUndefined());

describe("a rule about rm", () => {
  test.each(AROUND)("is not walked around by %j", (line) =>
    expect(restrictsLine("rm *", line)).not.toBe("no"),
  );
  test.each(PLAIN)("says nothing of %j", (line) => {
    expect(readLine(line)).not.toBeUndefined();
    expect(restrictsLine("rm *", line)).toBe("no");
  });
});

test.each([
  ["git push *", "find . -exec git push", "perhaps"],
  ["git push *", "find . -exec git -C . push", "perhaps"],
  ["git push *", "git commit -m 'push it'", "no"],
  ["rm:*", "find . -exec rm f", "perhaps"],
  ["rm*", "find . -exec rmdir f", "perhaps"],
  ["*", "find . -exec rm f", "yes"],
  ["rm -rf *", `make ${"rm ".repeat(20_000)}`, "perhaps"], // too many to tell
])("a rule %j about a command in another's arguments: %j", (pattern, line, expected) =>
  expect(restrictsLine(pattern, line)).toBe(expected),
);
