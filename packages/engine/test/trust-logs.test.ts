import { describe, expect, it } from "vitest";
import { growthOf, LINEAR } from "../../core/test/growth.ts";
import { greedyWords } from "../src/greedy-words.ts";
import { withoutWritten } from "../src/only-written.ts";
import { scratch, settings } from "./scratch.ts";

/** A trusted hook whose command names one file, x.sh, fired before and after that file changes. */
async function runsAfterEdit(command: string, args?: readonly string[]): Promise<boolean> {
  const room = scratch();
  room.write("project/x.sh", "true", 0o755);
  room.write(
    "project/.belay/settings.json",
    settings("Stop", { type: "command", command, args, name: "guard" }),
  );
  await room.trustAll();
  const fire = async () => (await room.engine()).fire("Stop");
  expect((await fire()).runs).toMatchObject([{ hook: "guard" }]);
  room.write("project/x.sh", "echo changed", 0o755);
  return (await fire()).runs.length === 1;
}

describe("what a hook only writes to is none of its scripts: its own log does not switch it off", () => {
  const rows = [
    "date >> x.sh",
    "date >>x.sh",
    "date > x.sh; true",
    "date >| x.sh",
    "date 2>x.sh",
    'sh -c "date > x.sh"',
    'sh -c "date > \\"x.sh\\""',
    'date >> "$PWD"/x.sh',
    'date >> "${PWD:-.}/x.sh"',
    "cat | tee x.sh",
    "cat | tee -a x.sh > /dev/null",
    "date | tee -a log x.sh",
    "date | /usr/bin/tee -a x.sh",
    'bash -c "date >& x.sh"',
    `python3 -c "open('x.sh', 'a').write('1')"`,
    `python3 -c 'with open("x.sh","a",encoding="utf-8") as f: f.write("1")'`,
    `python3 -c 'open("x.sh", encoding="utf-8", mode="wt")'`,
    `python3 -c 'open('\\''x.sh'\\'', '\\''a'\\'').write("1")'`,
    'python3 -c "open(\\"x.sh\\", \\"ab\\")"',
    `python3 -c 'import os; open(os.path.join(os.environ["BELAY_PROJECT_DIR"], "x.sh"), "a")'`,
    `python3 -c "from pathlib import Path; Path('x.sh').write_text('1')"`,
    `python3 -c "from pathlib import Path; Path('x.sh').open('a').write('1')"`,
    `node -e "require('fs').appendFileSync('x.sh', '1')"`,
    `node -e "fs.writeFileSync(path.join(process.cwd(), 'x.sh'), '1')"`,
    `node -e "fs.createWriteStream('./x.sh', {flags: 'a'}).end('1')"`,
    `perl -e 'open(my $f, ">>", "x.sh"); print $f 1'`,
    `perl -e 'open my $f, ">>x.sh"; print $f 1'`,
    `perl -e 'open my $f, ">>", "x.sh"; print $f 1'`,
    `python3 -c "with open( 'x.sh', 'a' ) as f: f.write('1')"`,
    `python3 -c "open(file=r'x.sh', mode='a').write('1')"`,
    `python3 -c "import logging; logging.basicConfig(filename='x.sh', level=logging.INFO)"`,
    "node -e 'fs.appendFileSync(`${process.env.BELAY_PROJECT_DIR}/x.sh`, \"1\")'",
    'date >> "${CLAUDE_PROJECT_DIR:-$(pwd)}/x.sh"',
    'date >> "${CLAUDE_PROJECT_DIR:-$PWD}/x.sh"',
    'date >> "$(pwd)/x.sh"',
    "date >> $(pwd)/x.sh",
    'date >> "$(git rev-parse --show-toplevel)/x.sh" || true',
    'sh -c "date >> \\"$(pwd)/x.sh\\""',
    "bash -c 'tee -a x.sh'",
    "if true; then tee x.sh; fi",
    "{ tee x.sh; }",
    "touch x.sh",
    'touch "$PWD/x.sh" && true',
    "flock -n x.sh true",
    "flock -w 5 x.sh -c true",
    "# it's a log\ndate >> 'x.sh'",
    `python3 -c "import os; open(os.getenv('BELAY_PROJECT_DIR')+'/x.sh', 'a').write('1')"`,
    `python3 -c "import os; open(os.environ.get('BELAY_PROJECT_DIR', '.') + '/x.sh', 'a')"`,
    `python3 -c "import logging; logging.basicConfig(level=logging.INFO, filename='x.sh')"`,
    `python3 -c "import logging; logging.FileHandler('x.sh')"`,
    `node -e "fs.appendFileSync(require('path').join(process.env.CLAUDE_PROJECT_DIR,'x.sh'),'1')"`,
    `python3 -c "import logging.handlers as l; l.RotatingFileHandler('x.sh', maxBytes=9)"`,
    `python3 -c "import logging; logging.basicConfig(level=logging.INFO, format='%(asctime)s %(message)s', filename='x.sh')"`,
    `python3 -c "from pathlib import Path; (Path.cwd() / 'x.sh').open('a').write('1')"`,
    `python3 -c "from pathlib import Path; Path('.', 'x.sh').open('a').write('1')"`,
    `python3 -c "from pathlib import Path; Path('x.sh').touch()"`,
    "date | stdbuf -oL tee -a x.sh",
    "[ -f x.sh ] && { rm -f x.sh; true; }",
    'if [ ! -e "$BELAY_PROJECT_DIR/x.sh" ]; then true; fi',
    "test -s x.sh || true",
    "bash -c '[[ -e x.sh ]] && /bin/rm x.sh'",
    "date >> `pwd`/x.sh",
    "date >> `git rev-parse --show-toplevel`/x.sh || true",
    "date | timeout 5 tee -a x.sh",
    "date -u | tee -a x.sh",
    "ls -a; rm -f x.sh",
    "date | nice -n 10 tee -a x.sh",
    "[ /etc/passwd -nt x.sh ] && true; touch x.sh",
    "[ x.sh -ot /etc/passwd ] || true",
    "test x.sh -nt log; true",
    "bash -c '[[ \"x.sh\" -nt log ]] || true'",
    "find . -maxdepth 1 -newer x.sh -name '*.ts'; touch x.sh",
    "find . -maxdepth 0 -newermm x.sh",
    'export PATH="$HOME/.local/bin:$PATH"; date | tee -a x.sh',
    "PATH=/usr/local/bin:~/bin:${PATH}; export PATH; date | tee -a x.sh",
    'echo "$PATH" | tee -a x.sh',
    `node -e '[1].map(function (c) { return c })' | tee -a x.sh`,
  ];
  it.each(rows)("%s", async (command) => expect(await runsAfterEdit(command)).toBe(true));
});

describe("what it may run is, however near a redirection stands", () => {
  const rows = [
    "sh x.sh > log",
    "date > log; sh x.sh",
    "date > x.sh; sh x.sh",
    "sh < x.sh",
    "date >&2; ./x.sh",
    "flock 9 ./x.sh 9> lock",
    "flock -n 9 ./x.sh 9> lock",
    "date | tee log; ./x.sh",
    'sh -c "cat | tee log; exec $0" ./x.sh',
    "sh <> x.sh",
    "echo 1 | xargs -I \\> ./x.sh \\>",
    "echo 1 | xargs -I '>' ./x.sh '>'",
    "true >(sh x.sh) || true",
    "tee() { sh $1; }; tee x.sh",
    "tee ( ) { sh $1; }; tee x.sh",
    "bash -c 'function tee { sh $1; }; tee x.sh'",
    "touch x.sh; bash -c 'touch x.sh; sh $_'",
    'PATH="$PWD/bin:$PATH"; tee x.sh',
    "PATH=bin:$PATH tee x.sh",
    "PATH=:$PATH tee x.sh",
    "PATH=$PWD:$PATH tee x.sh",
    `PATH=/usr'/../'"$PWD/bin":$PATH; tee x.sh`,
    "PATH=$BELAY_PROJECT_DIR/bin:$PATH tee x.sh",
    'PATH="$(pwd)/bin:$PATH"; tee x.sh',
    'PATH="$HOME"/../project/bin:$PATH; tee x.sh',
    "alias tee=sh; eval tee x.sh",
    `python3 -c "open('x.sh', 'a').close(); import os; os.system('sh x.sh')"`,
    `python3 -c "open('x.sh', 'a').close()"; sh ./x.sh`,
    `python3 -c "exec(open('x.sh', 'a+').read())" || true`,
    `python3 -c "open('x.sh').read()"`,
    `python3 -c "open('x.sh', 'r').read()"`,
    `python3 -c "open('log', 'a').write(open('x.sh').read())"`,
    `python3 -c "open('$(sh x.sh)log', 'a')"`,
    "python3 -c \"open(`./x.sh`+'log', 'a')\"",
    `python3 -c "import os; open(os.popen('./x.sh').read() + 'log', 'a')"`,
    `node -e "fs.appendFileSync('log', fs.readFileSync('x.sh'))"`,
    `node -e "fs.appendFileSync(require('./x.sh').join('log'), '1')"`,
    `python3 -c "from pathlib import Path; (Path.cwd() / 'x.sh').open()"`,
    `python3 -c "from pathlib import Path; Path('.', 'x.sh').read_text()"`,
    `python3 -c "import logging; logging.basicConfig(format=open('x.sh').read(), filename='log')"`,
    "stdbuf -oL sh x.sh",
    'date >> "$(./x.sh)log"',
    'date >> "$(pwd)/$(sh x.sh)"',
    "date >> $(sh x.sh)log",
    'date >> "$(echo $(echo $(sh x.sh)))log"',
    "touch log; ./x.sh",
    "touch log < x.sh",
    "flock log ./x.sh",
    "flock -n log sh -c ./x.sh",
    "[ -x x.sh ] && ./x.sh",
    "[ -f x.sh ] && cat x.sh",
    "[ x.sh -nt log ] && sh x.sh; true",
    "[ log -ot x.sh ] || ./x.sh",
    "test() { sh $1; }; test x.sh -nt log",
    '[ -x "${G:=./x.sh}" ] && "$G"',
    "touch ${G:=x.sh}; sh $G",
    ": >>${G:=x.sh}; sh $G",
    ": >>${G=x.sh}; sh $G",
    `python3 -c "open('\${G:=x.sh}', 'a')"; sh $G`,
    "date >> `./x.sh`log",
    "date >> `sh ./x.sh`/log || true",
    "timeout 5 sh x.sh",
    "nice -n 10 ./x.sh",
    "timeout 5 tee log; sh x.sh",
    'touch "log$(case a in a) sh x.sh;; esac)"',
    `touch "log$(echo ')'; sh x.sh)"`,
    "bash -c 'exec -a rm sh x.sh'",
    'sudo() { shift 2; "$@"; }; sudo -p tee sh x.sh',
    "sh x.sh -nt log",
    "find . -newer log -exec sh x.sh ';' -quit; sh x.sh",
    "find x.sh -newer /etc/passwd -exec sh {} ';'",
    "find . -maxdepth 0 -exec sh x.sh ';'",
    "find() { sh $2; }; find -newer x.sh",
    '[ -n "$(sh ./x.sh)" ]; true',
    "rm -f log; sh x.sh",
    "rm -f log $(sh x.sh)",
    "rm() { sh $1; }; rm x.sh",
    "test() { sh $2; }; test -f x.sh",
    "bash -c 'test -f x.sh && sh $_'",
    `sh -c '"$@"' rm ./x.sh`,
    "flock() { sh $1; }; flock x.sh",
    "cat \\> x.sh || true",
    "tee log > log2; sh x.sh",
    "touch log; > log2 sh x.sh",
    `sh -c '"$@"' touch ./x.sh`,
    `sh -c 'shift; "$@"' _ \\; touch ./x.sh`,
    `sh -c '"$@"' $(true) touch ./x.sh`,
  ];
  it.each(rows)("%s", async (command) => expect(await runsAfterEdit(command)).toBe(false));
});

describe("the same without a shell", () => {
  const rows: [runs: boolean, command: string, args: readonly string[]][] = [
    [true, "tee", ["-a", "x.sh"]],
    [true, "env", ["tee", "x.sh"]],
    [true, "test", ["x.sh", "-nt", "log"]],
    [true, "flock", ["x.sh", "true"]],
    [false, "flock", ["log", "./x.sh"]],
    [false, "sh", ["x.sh"]],
    [false, "sh", ["-c", '"$@"', "tee", "./x.sh"]],
    [false, "env", ["PATH=bin", "tee", "x.sh"]],
  ];
  it.each(rows)("%j: %s %j", async (runs, command, args) => {
    expect(await runsAfterEdit(command, args)).toBe(runs);
  });
});

it("a name of other letters is one, too", async () => {
  const room = scratch();
  const command = `date >> 日誌.log; python3 -c "open('日誌.log', 'a').write('1')"`;
  room.write("project/日誌.log", "");
  room.write("project/.belay/settings.json", settings("Stop", { type: "command", command }));
  await room.trustAll();
  const engine = await room.engine();
  expect([(await engine.fire("Stop")).runs.length, (await engine.fire("Stop")).runs.length]).toEqual([1, 1]);
});

describe("a bracket in quotes redirects nothing", () => {
  const rows: [file: string, command: string][] = [
    ["a>b.mk", 'cat "a>b.mk"'],
    ["dir>/rules.mk", "cat 'dir>/rules.mk'"],
    ["rules.mk", 'X=">"a cat ./rules.mk""'],
    ["a>b.mk", `sh -c 'cat "a>b.mk"'`],
    ["rules.mk", `sh -c 'X=">"a cat ./rules.mk""'`],
    ["b c.mk", "cat 'a> '\"b c.mk\" './b c.mk'"],
  ];
  it.each(rows)("%s: %s", async (file, command) => {
    const room = scratch();
    room.write(`project/${file}`, "");
    room.write("project/.belay/settings.json", settings("Stop", { type: "command", command }));
    await room.trustAll();
    const fire = async () => (await room.engine()).fire("Stop");
    expect((await fire()).runs).toHaveLength(1);
    room.write(`project/${file}`, "x");
    expect((await fire()).runs).toEqual([]);
  });
});

it.each([
  "$aa",
  "$a${b}",
  "'\\''",
  "a b",
  "join(",
  "Path('a', ",
  "> 'a' ",
  "|tee a ",
  "> $(a) ",
  "$(",
  "`a",
  "${a-",
  "${\n",
  "PATH=",
  "function ",
])("a command made of %s is not slow to look through", (piece) => {
  const text = `python3 -c "open('${piece.repeat(400)}`;
  const folders = { project: "/p", cwd: "/p", home: "/h" };
  expect(growthOf(text, withoutWritten)).toBeLessThan(LINEAR);
  expect(growthOf(text, (command) => greedyWords(command, folders, () => {}))).toBeLessThan(LINEAR);
});

describe("what a command only compares or leaves out is none of its scripts", () => {
  const rows = [
    `jq -e '.tool_input.file_path | endswith("/x.sh")' || true`,
    "git diff --quiet -- . ':!x.sh' || true",
  ];
  it.each(rows)("%s", async (command) => expect(await runsAfterEdit(command)).toBe(true));
});
