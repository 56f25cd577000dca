import { basename, join, resolve } from "node:path";
import { type Run, shorten } from "@belay/core";
import { foldersWithin, type ShellInput, shellInputs, shellOfFile } from "../config/shell-inputs.ts";
import type { Folders } from "../environment.ts";
import { statOf } from "../file-content.ts";
import type { Launch } from "../launcher/launch.ts";
import type { ProcessSpec } from "../process/run-process.ts";

/** dash, then bash: `guard.sh: 3: Syntax error: …`, `guard.sh: line 3: syntax error …`; dash may name a file behind the line. */
const SYNTAX =
  /^(.*?)(?:: -c)?: (?:(\d+): (?:[^:\n]*: )?Syntax error: |line (\d+): (?=syntax error|unexpected EOF while looking for ))(.+)$/gm;
/** A shell that cannot read on says so last. */
const LONGEST = 4096;
const MAX_PROBLEM = 200;
/** A shell reads a script in no time; a command names few. */
const ASK_MS = 2000;
const MAX_ASKED = 8;

/** How the question is put, of a run that ended with 2. */
interface Asking {
  readonly folders: Folders;
  /** The files that the hook was trusted with. */
  own(): readonly string[];
  readonly launch: Launch["run"];
}

interface Complaint {
  /** What the shell calls itself, or what it reads. */
  readonly reader: string;
  readonly line: string;
  readonly problem: string;
}

/**
 * A shell that cannot read what it is to run exits with 2, as a hook does that refuses. So does a hook that has a shell
 * read something else, and refuses by what it says. So the shell is asked: only if it says the same of what the command
 * has it run, read without being run (`-n`), was it the shell that said so.
 */
export async function unparsedBy(
  { stderr }: Run,
  spec: ProcessSpec,
  { folders, own, launch }: Asking,
): Promise<Run["unparsed"]> {
  const said = complaintsIn(stderr);
  if (said.length === 0) return undefined;
  const inputs = shellInputs(spec, folders);
  const places = foldersWithin(inputs, folders);
  const readers = said.flatMap(({ reader }) => places.map((place) => resolve(place, reader)));
  const ofHook = inputs.some(isUnknown) ? own().filter((file) => readers.includes(file)) : [];
  const questions = inputs.flatMap((input) => questionsOf(input, places, { readers, ofHook }));
  const asked = questions.slice(0, MAX_ASKED).map((question) => ask(question, said, spec, launch));
  return (await Promise.all(asked)).find((unparsed) => unparsed !== undefined);
}

/** Only the very words that the hook ended with count: a script may hold what its shell never comes to. */
async function ask(
  { shell, args, script }: Question,
  said: readonly Complaint[],
  spec: ProcessSpec,
  launch: Launch["run"],
): Promise<Run["unparsed"]> {
  const asked = { command: shell, args: ["-n", ...args], input: "", timeoutMs: ASK_MS, cap: LONGEST };
  const { exitCode, stderr } = await launch({ ...spec, ...asked });
  const own = exitCode === 2 ? complaintsIn(stderr) : [];
  const same = said.filter(({ line, problem }) =>
    own.some((one) => one.line === line && one.problem === problem),
  );
  const [first] = same;
  if (!first) return undefined;
  const problem = shorten(first.problem, MAX_PROBLEM);
  if (script === undefined) return { problem };
  const named = same.find(({ reader }) => basename(reader) === basename(script));
  return { script: named?.reader ?? script, problem };
}

function complaintsIn(stderr: string): Complaint[] {
  return [...stderr.slice(-LONGEST).matchAll(SYNTAX)].map(([, reader = "", dash, bash, problem = ""]) => ({
    reader,
    line: dash ?? bash ?? "",
    problem,
  }));
}

interface Question {
  readonly shell: string;
  readonly args: readonly string[];
  /** What the command calls the script that it is about; else it is about code in the command. */
  readonly script?: string;
}

/** The file is one that only the shell that ran it could find. */
function isUnknown(input: ShellInput): boolean {
  return !("code" in input) && input.path === undefined && /[$`]/.test(input.word);
}

/** Files that stderr speaks of, where anybody may have written. */
interface Spoken {
  readonly readers: readonly string[];
  readonly ofHook: readonly string[];
}

/** A file that only the shell could find is one of the hook's own, or has at least the name that the command gives it. */
function questionsOf(input: ShellInput, places: readonly string[], { readers, ofHook }: Spoken): Question[] {
  if ("code" in input) return asking(input.shell, ["-c", input.code]);
  const { word, path } = input;
  const alike = readers.filter((file) => basename(file) === basename(word));
  const spoken = isUnknown(input) ? [...ofHook, ...alike] : alike;
  const files = path === undefined ? spoken : places.map((place) => resolve(place, path));
  return [...new Set(files)].flatMap((file) => {
    const shell = statOf(file)?.isFile() ? (input.shell ?? shellOfFile(file)) : undefined;
    return shell === undefined ? [] : asking(shell, [file], ofHook.includes(file) ? file : word);
  });
}

/** Where shells of the system are. One of that name in a project is a program that nobody trusted to be started for this. */
const SYSTEM = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

function asking(named: string, args: readonly string[], script?: string): Question[] {
  const shell = SYSTEM.map((folder) => join(folder, basename(named))).find((file) => statOf(file)?.isFile());
  return shell === undefined ? [] : [{ shell, args, ...(script !== undefined && { script }) }];
}
