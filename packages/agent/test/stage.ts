import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect } from "vitest";
import type { Block } from "../src/conversation/message.ts";
import { type AgentOptions, createAgent } from "../src/loop/agent.ts";
import type { Agent, Answer } from "../src/types.ts";
import { type Call, type Reply, type ScriptedModel, scriptedModel } from "./scripted.ts";

const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Hooks by event: a command each, or an entry. */
export type Hooks = Readonly<Record<string, readonly (string | object)[]>>;

export interface StageOptions extends Partial<AgentOptions> {
  readonly hooks?: Hooks;
  readonly dialect?: never;
  /** The dialect of the hooks' file. */
  readonly reads?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly replies?: readonly Reply[];
  readonly permissions?: object;
  /** Answers to the questions, in the order in which they come; none: nobody is there. */
  readonly answers?: readonly Answer[];
}

/** An agent in a project of its own, with real hooks, real tools and a scripted model, unless another is given. */
export interface Stage {
  readonly agent: Agent;
  readonly model: ScriptedModel;
  readonly project: string;
  readonly home: string;
  /** Every question that was asked, as the user saw it. */
  readonly questions: readonly Agent["state"]["pending"][number][];
  read(file: string): string;
  /** Whether the project has this file. */
  has(file: string): boolean;
  /** What the user sees, as `type: content`. */
  seen(): string[];
  /** Opens the same session again, as after a crash. */
  reopen(options?: StageOptions): Promise<Stage>;
}

export async function stage(options: StageOptions = {}): Promise<Stage> {
  // A folder that is there already: the session of another process.
  if (options.cwd !== undefined && options.home !== undefined)
    return open(options.home, options.cwd, options);
  const root = realpathSync(mkdtempSync(join(tmpdir(), "belay-agent-")));
  cleanups.push(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  const [home, project] = [join(root, "home"), join(root, "project")];
  mkdirSync(join(home, ".belay"), { recursive: true });
  mkdirSync(join(project, ".git"), { recursive: true });
  const settings = {
    ...(options.reads && { dialect: options.reads }),
    hooks: configOf(options.hooks ?? {}),
    ...(options.permissions && { permissions: options.permissions }),
  };
  // The user's own file: trusted, and out of the project's way.
  writeFileSync(join(home, ".belay", "settings.json"), JSON.stringify(settings));
  for (const [name, content] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), content);
  }
  return open(home, project, options);
}

async function open(home: string, project: string, options: StageOptions): Promise<Stage> {
  const { hooks: _, reads: _reads, files: _files, replies, answers, permissions: _p, ...forAgent } = options;
  const model = scriptedModel(replies ?? ["Done."]);
  const agent = await createAgent({
    cwd: project,
    home,
    isAttended: answers !== undefined,
    model,
    ...forAgent,
  } as AgentOptions);
  let isOpen = true;
  cleanups.push(async () => {
    if (isOpen) await agent.close("other");
    isOpen = false;
  });
  const questions: Agent["state"]["pending"][number][] = [];
  const left = [...(answers ?? [])];
  agent.subscribe(() => {
    for (const question of agent.state.pending) {
      if (questions.some(({ id }) => id === question.id)) continue;
      questions.push(question);
      const answer = left.shift();
      if (answer) queueMicrotask(() => agent.answer(question.id, answer));
    }
  });
  return {
    agent,
    model,
    project,
    home,
    questions,
    read: (file) => readFileSync(join(project, file), "utf8"),
    has: (file) => existsSync(join(project, file)),
    seen: () => agent.state.messages.flatMap(({ blocks }) => blocks.flatMap(seenBlock)),
    reopen: (again = {}) => open(home, project, { ...options, ...again, resume: agent.sessionId }),
  };
}

function seenBlock(block: Block): string[] {
  if (block.type === "hook") return [];
  if (block.type === "tool")
    return [`tool: ${block.name} ${block.success === false ? "failed" : block.stage}: ${block.result ?? ""}`];
  const isForUser = block.type === "error" || block.to.includes("user");
  return isForUser ? [`${block.type}: ${block.content}`] : [];
}

function configOf(hooks: Hooks): object {
  return Object.fromEntries(
    Object.entries(hooks).map(([event, entries]) => [
      event,
      [
        {
          hooks: entries.map((entry) =>
            typeof entry === "string" ? { type: "command", command: entry } : entry,
          ),
        },
      ],
    ]),
  );
}

/** Whether some transcript below the home holds this text. */
export function isWritten(home: string, text: string): boolean {
  const folder = join(home, ".belay", "sessions");
  if (!existsSync(folder)) return false;
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".jsonl"),
  );
  return files.some((name) => readFileSync(join(folder, name), "utf8").includes(text));
}

/** Calls of tools, as a model wants them. */
export const bash = (command: string, id?: string): Call => ({
  name: "Bash",
  input: { command },
  ...(id !== undefined && { id }),
});
export const write = (file_path: string, content = "x"): Call => ({
  name: "Write",
  input: { file_path, content },
});
export const task = (prompt: string): Call => ({ name: "Task", input: { description: prompt, prompt } });

/** A model that wants these calls at once, and has finished when they have their results. */
export const wants = (...calls: readonly Call[]): Reply[] => [{ calls }, "Done."];

/** A hook that answers with these fields of its event, under its event's name. */
export const says = (hookEventName: string, fields: object) => ({
  type: "json",
  name: hookEventName,
  json: { hookSpecificOutput: { hookEventName, ...fields } },
});

/** A hook that stops the agent. */
export const STOP = { type: "json", json: { continue: false, stopReason: "halt" } };

/** Waits until so many questions are open. */
export async function asked(agent: Agent, count = 1): Promise<void> {
  await expect.poll(() => agent.state.pending.length, { timeout: 10_000 }).toBe(count);
}

/** Sends a prompt that comes to a question, and leaves the session as a crash would. */
export async function crashAsking({ agent }: Stage, prompt = "go"): Promise<void> {
  const turn = agent.send(prompt);
  await asked(agent);
  const transcript = readFileSync(agent.transcriptPath, "utf8");
  await agent.close("other");
  await turn;
  writeFileSync(agent.transcriptPath, transcript);
}
