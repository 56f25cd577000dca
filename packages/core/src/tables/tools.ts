export interface KnownTool {
  /** An input it would get, with paths from the working folder. */
  readonly sample: Readonly<Record<string, unknown>>;
  /** The field of its input that holds a path; agents send it in full. */
  readonly path?: string;
  /** Patterns of its permission rules are patterns of paths. */
  readonly takesPaths?: true;
  /** The field of its input that the pattern of an `if` is held against, besides a path. */
  readonly subject?: string;
  /** The name that agents give it now. */
  readonly renamed?: string;
}

/**
 * Tools that agents are known to have. The list is for guessing a slip and for telling patterns of paths from others; a tool
 * that is not listed is taken as it is named.
 */
export const TOOLS: Readonly<Record<string, KnownTool>> = {
  Bash: { sample: { command: "npm test" }, subject: "command" },
  Read: { sample: { file_path: "src/parse.ts" }, path: "file_path", takesPaths: true },
  Write: { sample: { file_path: "notes.txt", content: "hello\n" }, path: "file_path", takesPaths: true },
  Edit: {
    sample: { file_path: "src/parse.ts", old_string: "let a", new_string: "const a" },
    path: "file_path",
    takesPaths: true,
  },
  MultiEdit: {
    sample: { file_path: "src/parse.ts", edits: [{ old_string: "let a", new_string: "const a" }] },
    path: "file_path",
    takesPaths: true,
  },
  Glob: { sample: { pattern: "src/**/*.ts" }, path: "path", takesPaths: true, subject: "pattern" },
  Grep: { sample: { pattern: "parse", path: "src" }, path: "path", takesPaths: true, subject: "pattern" },
  LS: { sample: { path: "src" }, path: "path", takesPaths: true },
  Task: {
    sample: { description: "Find callers", prompt: "Find every caller of parse()", subagent_type: "Explore" },
    renamed: "Agent",
  },
  Agent: {
    sample: { description: "Find callers", prompt: "Find every caller of parse()", subagent_type: "Explore" },
  },
  WebFetch: { sample: { url: "https://example.com/", prompt: "What is it about?" } },
  WebSearch: { sample: { query: "json grammar" } },
  NotebookEdit: {
    sample: { notebook_path: "notes.ipynb", new_source: "print(1)" },
    path: "notebook_path",
    takesPaths: true,
  },
  NotebookRead: { sample: { notebook_path: "notes.ipynb" }, path: "notebook_path" },
  TodoWrite: {
    sample: { todos: [{ content: "Add a test", status: "pending", activeForm: "Adding a test" }] },
  },
  BashOutput: { sample: { bash_id: "bash_1" } },
  KillShell: { sample: { shell_id: "bash_1" } },
  ExitPlanMode: { sample: { plan: "1. Add a test" } },
  AskUserQuestion: {
    sample: { questions: [{ question: "Which one?", options: [{ label: "a" }, { label: "b" }] }] },
  },
  Skill: { sample: { skill: "review" } },
  SlashCommand: { sample: { command: "/review" } },
  PowerShell: { sample: { command: "Get-ChildItem" }, subject: "command" },
  EnterPlanMode: { sample: {} },
  LSP: { sample: { operation: "hover", filePath: "src/parse.ts", line: 1, character: 1 }, path: "filePath" },
  TaskOutput: { sample: { task_id: "task_1" } },
};

export function toolNamed(name: string): KnownTool | undefined {
  return Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
}

/** A tool's input with its path changed: in full for hooks, or short for people. */
export function withPath<I extends Readonly<Record<string, unknown>>>(
  tool: string,
  input: I,
  change: (path: string) => string,
): I {
  const field = toolNamed(tool)?.path;
  const given = field === undefined ? undefined : input[field];
  return field === undefined || typeof given !== "string" ? input : { ...input, [field]: change(given) };
}
