import { describe, expect, it } from "vitest";
import { growthOf, LINEAR } from "../../core/test/growth.ts";
import { withoutMessages } from "../src/messages.ts";
import { scratch, settings } from "./scratch.ts";
import { PROJECT, ran } from "./trust-project.ts";

/** Whether a trusted hook still runs once x.sh, which its command names, is there. */
async function runsOnceThere(command: string): Promise<boolean> {
  const room = scratch();
  room.write(PROJECT, settings("Stop", { type: "command", command }));
  await room.trustAll();
  expect(await ran(room)).toBe(true);
  room.write("project/x.sh", "echo changed", 0o755);
  return ran(room);
}

/** The same, of one that is there and edited. */
async function runsAfterEdit(command: string): Promise<boolean> {
  const room = scratch();
  room.write("project/x.sh", "true", 0o755);
  room.write(PROJECT, settings("Stop", { type: "command", command }));
  await room.trustAll();
  expect(await ran(room)).toBe(true);
  room.write("project/x.sh", "echo changed", 0o755);
  return ran(room);
}

describe("what a hook only says names nothing: a flag guard stays when its flag appears, a logger after its first run", () => {
  const rows = [
    'if [ -f x.sh ]; then echo "frozen: remove x.sh to edit" >&2; exit 2; fi',
    '[ -f x.sh ] && { echo "frozen: remove x.sh to edit" >&2; exit 2; }; true',
    "[ ! -f x.sh ] || (echo >&2 'frozen by x.sh'; exit 2)",
    "false > x.sh 2>&1 || { echo 'tests failed, see x.sh' >&2; exit 2; }",
    `if [ -f x.sh ]; then echo '{"decision":"block","reason":"remove x.sh"}'; fi`,
    'if [ -f x.sh ]; then echo "{\\"decision\\":\\"block\\",\\"reason\\":\\"remove x.sh\\"}"; fi',
    `[ -e x.sh ] && printf '%s\\n' "remove x.sh" 1>&2 && exit 2 || true`,
    "date >> x.sh # writes x.sh",
    "# don't read x.sh\ndate >> x.sh",
    "jq -r .tool_input | grep -q x && echo 'see x.sh' >&2; date > x.sh; exit 0",
    'case "$(jq -r \'.tool_name // ""\')" in Edit) echo "x.sh is there" >&2 ;; *) echo x.sh ;; esac',
    'while read -r line; do echo "$line, see x.sh" >&2; done < /dev/null',
    'for f in a b; do\n  [ -f $f ] || echo "$f is not in x.sh" > /dev/stderr\ndone',
    "if [ -f x.sh ]; then echo x.sh; fi; date | cat",
    "if [ -f x.sh ]; then echo 'run `make` or remove x.sh'; fi",
    'if [ -f x.sh ]; then echo "run \\`make\\` or remove x.sh"; fi',
    "echo x.sh; exec true",
    "[ -f x.sh ] && \\\n  echo 'frozen: remove x.sh' >&2; touch x.sh",
    "{ \\\n echo 'remove x.sh' >&2; }; touch x.sh",
  ];
  it.each(rows)("%s", async (command) => expect(await runsOnceThere(command)).toBe(true));
});

describe("what may be given to a program names it", () => {
  const rows = [
    "echo ./x.sh | sh",
    "echo x.sh | xargs sh",
    "echo x.sh 2>&1 | xargs sh",
    "true && echo x.sh | xargs sh",
    "sh $(echo x.sh)",
    "sh `echo x.sh`",
    'sh "$(echo x.sh)"',
    "sh $(if true; then echo x.sh; fi)",
    "sh $(case a in a) :; echo x.sh;; esac)",
    "sh $(: # )\necho x.sh)",
    "echo 'sh x.sh' > y; sh y",
    "echo 'sh x.sh' >> y; sh y",
    "> y echo 'sh x.sh'; sh y",
    "echo 'sh x.sh' 2>y >&2; sh y",
    "printf 'sh x.sh' >y; sh y",
    "{ echo 'sh x.sh'; } > y; sh y",
    "{ echo 'sh x.sh' >&2; } 2> y; sh y",
    "(echo 'sh x.sh') > y; sh y",
    "if true; then echo 'sh x.sh'; fi > y; sh y",
    "exec 3>&1 > y; echo 'sh x.sh'; exec >&3; sh y",
    "{ exec > y; echo 'sh x.sh'; }; exec sh y",
    "eval \"$(printf 'sh %s' x.sh)\"",
    'eval "$(echo sh x.sh)"',
    "eval 'exec > y'; echo sh x.sh; sh y >&2",
    "echo() { sh $1; }; echo x.sh",
    "echo ( ) { sh $1; }; echo x.sh",
    "bash -c 'function echo { sh $1; }; echo x.sh'",
    "alias echo=sh\necho x.sh",
    "say() { echo ./x.sh; }; say | sh",
    "all() { say | sh; }; say() { echo ./x.sh; }; all",
    "{ echo ./x.sh; } | sh",
    "{ { echo ./x.sh; } } | sh",
    "{ echo ./x.sh; } 2>/dev/null | sh",
    "{ echo ./x.sh >&2; } 2>&1 | sh",
    "(echo ./x.sh) | sh",
    "(cd . && echo ./x.sh) \\\n  | sh",
    "(echo 'sh x.sh')\\\n>y; sh y",
    "(true; (echo ./x.sh)) | sh",
    "if true; then echo ./x.sh; fi | sh",
    "if true; then\n  echo ./x.sh\nfi \\\n  | sh",
    "for f in a; do echo ./x.sh; done | sh",
    "for f in a; do echo ./x.sh; done |\nsh",
    "while true; do echo ./x.sh; break; done | sh",
    "until false; do echo ./x.sh; break; done | sh",
    "case a in a) echo ./x.sh ;; esac | sh",
    "{ echo ./x.sh # }\n} | sh",
    "echo x.sh | while read f; do sh $f; done",
    "echo x.sh |\n  while read f; do sh $f; done",
    "bash -c 'sh <(echo ./x.sh)'",
    "bash -c 'echo ./x.sh > >(sh)'",
    "bash -c 'printf -v f x.sh; sh $f'",
    "bash -c 'echo x.sh; sh $_'",
    "bash -c 'a=(echo x.sh); sh ${a[1]}'",
    "for f in echo x.sh; do [ $f = echo ] || sh $f; done",
    `sh -c '"$@"' _ ./x.sh echo`,
    "set -- echo x.sh; sh $2",
    "F=x.sh echo hi; sh $F || true",
    "echo ${F:=x.sh}; sh $F",
    'echo "$(sh x.sh)"',
    "echo `sh x.sh`",
    "echo hi # it's\nsh x.sh",
    "echo hi; sh x.sh # 'x.sh'",
    "echo a#b; sh x.sh",
    "echo ' # '; sh x.sh",
    "sh <<E\necho hi\nsh x.sh # x.sh\nE",
    "cat <<E | sh\n# it's\n./x.sh\nE",
    `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"sh x.sh"}}}'`,
    `printf '{"updatedInput":{"command":"%s"}}' 'sh x.sh'`,
    `echo '{"updatedInput":{'; printf '"command": '; echo '"sh x.sh"}}'`,
    `echo '{"updatedInput":'; echo '{"script":"x.sh"}}'`,
    ": > y; [ -f y ] && \\\n  . ./y; echo x.sh",
    ": > y; command . ./y; F=1 . ./y; echo x.sh",
  ];
  it.each(rows)("%s", async (command) => expect(await runsAfterEdit(command)).toBe(false));
});

it.each(["$(", "${a", '"$(', "(", "echo x.sh;", "echo a|", "} >", "'", "`", "# ", "case ", "\\", '"'])(
  "a command made of %s is not slow to look through",
  (piece) => expect(growthOf(piece.repeat(1500), withoutMessages)).toBeLessThan(LINEAR),
);
