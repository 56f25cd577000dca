import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Hook } from "@belay/core";
import { scriptWords } from "@belay/engine/internal";
import { afterAll, describe, expect, it } from "vitest";
import { growthOf, LINEAR } from "../../core/test/growth.ts";
import { relativeScripts } from "../src/check/scripts.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "belay-words-")));
const project = join(base, "my project");
const folders = { project, cwd: project, home: join(base, "home") };
mkdirSync(join(project, "hooks"), { recursive: true });
writeFileSync(join(project, "hooks", "guard.sh"), "#!/bin/sh\n");
afterAll(() => rmSync(base, { recursive: true, force: true }));

const GUARD = join(project, "hooks", "guard.sh");

/** Every way people write the path of a script. */
const COMMANDS = [
  "hooks/guard.sh --strict",
  '"$BELAY_PROJECT_DIR/hooks/guard.sh"',
  '"${CLAUDE_PROJECT_DIR}"/hooks/guard.sh',
  '"${WAVE_PROJECT_DIR:-.}/hooks/guard.sh"',
  '"${CLAUDE_PROJECT_DIR:-"$(git rev-parse --show-toplevel)"}"/hooks/guard.sh',
  "$BELAY_PROJECT_DIR/'hooks'/guard.sh",
  `${project.replace(" ", "\\ ")}/hooks/guard.sh`,
  "DEBUG=1 sh -e hooks/guard.sh",
  "cat | ./hooks/guard.sh",
  "bash -c 'true; ./hooks/guard.sh --strict'",
];

it.each(COMMANDS)("the file that a command names: %s", (command) => {
  expect(scriptWords(command, folders).map(({ file }) => file)).toEqual([GUARD]);
});

it.each(["echo hello", "echo 'a\ufeffb' \u00a0"])("no file: %s", (command) => {
  expect(scriptWords(command, folders)).toEqual([]); // neither is a blank to a shell: nothing to be split again and again
});

/** Words whose quotes decide what is filled in: ours against what the system's shell makes of them. */
const QUOTED = `"$HOME"/g.sh '$HOME'/g.sh "~/g.sh" ~/g.sh '~'/g.sh ~"/g.sh" \\~/g.sh \\$HOME/g.sh "\\$HOME/g.sh"
  "\${HOME}"/g.sh '\${HOME}/g.sh' "a\\b/g.sh" "'$HOME'/g.sh" a'"$HOME"'/g.sh "$BELAY_PROJECT_DIR/g.sh" "$PWD"/'g'.sh a~/g.sh "(a)"/g.sh`;

describe("the path a shell makes of a word", () => {
  for (const word of QUOTED.split(/\s+/)) {
    it(word, () => {
      const env = { HOME: folders.home, BELAY_PROJECT_DIR: project, PWD: project };
      const said = execFileSync("/bin/sh", ["-c", `printf %s ${word}`], { cwd: project, env });
      const [script] = scriptWords(`sh ${word}`, folders);
      expect(script?.file).toBe(resolve(project, said.toString()));
    });
  }

  it.each(["~nobody/g.sh", "$OTHER/g.sh", '"$1"/g.sh', "./*.sh", '$"HOME"/g.sh', "$'a'/g.sh"])(
    "%s: only the shell that runs it knows",
    (word) => {
      expect(scriptWords(`sh ${word}`, folders)).toEqual([]);
    },
  );
});

it.each(["]", "[ -f x] ", './a||[ -f "x" ]||', "./a;[ -f ", "test -f '"])(
  "a test that is made of %j is not slow to look for",
  (piece) => {
    const text = `./a;./b;./c;[ -f ${piece.repeat(16_000 / piece.length)} x`;
    const hook = (command: string) => ({ handler: { type: "command", command }, source: {} }) as Hook;
    expect(growthOf(text, (command) => relativeScripts(hook(command), folders))).toBeLessThan(LINEAR);
  },
);
