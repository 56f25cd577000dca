export interface KnownTool {
  /** An input it would get. */
  readonly sample: Readonly<Record<string, unknown>>;
  /** What it would return to that: `tool_response` of hooks. */
  readonly response: unknown;
  /** Patterns of its permission rules are patterns of paths. */
  readonly takesPaths?: true;
}

export const BASH = {
  sample: { command: "npm test" },
  response: { stdout: "12 passed", stderr: "", interrupted: false },
} as const satisfies KnownTool;

const SUBAGENT: KnownTool = {
  sample: { description: "Find callers", prompt: "Find every caller of parse()", subagent_type: "Explore" },
  response: { content: [{ type: "text", text: "There are two." }] },
};

/**
 * Tools that agents are known to have. Others exist, and are taken as they are named: by this list a slip is guessed, and
 * a pattern of paths is told from other patterns.
 */
export const TOOLS: Readonly<Record<string, KnownTool>> = {
  Bash: BASH,
  Read: {
    sample: { file_path: "src/parse.ts" },
    response: { type: "text", file: { filePath: "src/parse.ts", content: "let a = 1;\n", numLines: 1 } },
    takesPaths: true,
  },
  Write: {
    sample: { file_path: "notes.txt", content: "hello\n" },
    response: { filePath: "notes.txt", success: true },
    takesPaths: true,
  },
  Edit: {
    sample: { file_path: "src/parse.ts", old_string: "let a", new_string: "const a" },
    response: { filePath: "src/parse.ts", oldString: "let a", newString: "const a" },
    takesPaths: true,
  },
  MultiEdit: {
    sample: { file_path: "src/parse.ts", edits: [{ old_string: "let a", new_string: "const a" }] },
    response: { filePath: "src/parse.ts", success: true },
    takesPaths: true,
  },
  Glob: {
    sample: { pattern: "src/**/*.ts" },
    response: { filenames: ["src/parse.ts"], numFiles: 1, truncated: false },
    takesPaths: true,
  },
  Grep: {
    sample: { pattern: "parse", path: "src" },
    response: { mode: "files_with_matches", filenames: ["src/parse.ts"], numFiles: 1 },
    takesPaths: true,
  },
  LS: { sample: { path: "src" }, response: "- parse.ts\n", takesPaths: true },
  Task: SUBAGENT,
  Agent: SUBAGENT,
  WebFetch: {
    sample: { url: "https://example.com/", prompt: "What is it about?" },
    response: { url: "https://example.com/", code: 200, result: "An example." },
  },
  WebSearch: { sample: { query: "json grammar" }, response: { query: "json grammar", results: [] } },
  NotebookEdit: {
    sample: { notebook_path: "notes.ipynb", new_source: "print(1)" },
    response: { notebook_path: "notes.ipynb", new_source: "print(1)" },
    takesPaths: true,
  },
  NotebookRead: {
    sample: { notebook_path: "notes.ipynb" },
    response: { notebook_path: "notes.ipynb", cells: [] },
  },
  TodoWrite: {
    sample: { todos: [{ content: "Add a test", status: "pending", activeForm: "Adding a test" }] },
    response: { oldTodos: [], newTodos: [{ content: "Add a test", status: "pending" }] },
  },
  BashOutput: { sample: { bash_id: "bash_1" }, response: { status: "running", stdout: "", stderr: "" } },
  KillShell: { sample: { shell_id: "bash_1" }, response: { shell_id: "bash_1", message: "killed" } },
  ExitPlanMode: { sample: { plan: "1. Add a test" }, response: { plan: "1. Add a test" } },
  AskUserQuestion: {
    sample: { questions: [{ question: "Which one?", options: [{ label: "a" }, { label: "b" }] }] },
    response: { answers: { "Which one?": "a" } },
  },
  Skill: { sample: { skill: "review" }, response: { success: true } },
  SlashCommand: { sample: { command: "/review" }, response: { success: true } },
};

export function toolNamed(name: string): KnownTool | undefined {
  return Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
}
