import { join } from "node:path";

/**
 * What a tool would return to its sample input: `tool_response` of hooks. Beside the inputs it would be too much for those
 * who load core in a browser. Bash is in the event's own sample; tools that are not here return an empty object.
 */
export function toolResponses(cwd: string): Readonly<Record<string, unknown>> {
  const at = (path: string) => join(cwd, path);
  return {
    Read: { type: "text", file: { filePath: at("src/parse.ts"), content: "let a = 1;\n", numLines: 1 } },
    Write: { filePath: at("notes.txt"), success: true },
    Edit: { filePath: at("src/parse.ts"), oldString: "let a", newString: "const a" },
    MultiEdit: { filePath: at("src/parse.ts"), success: true },
    Glob: { filenames: [at("src/parse.ts")], numFiles: 1, truncated: false },
    Grep: { mode: "files_with_matches", filenames: [at("src/parse.ts")], numFiles: 1 },
    Task: { content: [{ type: "text", text: "There are two." }] },
    Agent: { content: [{ type: "text", text: "There are two." }] },
    WebFetch: { url: "https://example.com/", code: 200, result: "An example." },
    WebSearch: { query: "json grammar", results: [] },
    NotebookEdit: { notebook_path: at("notes.ipynb"), new_source: "print(1)" },
    TodoWrite: { oldTodos: [], newTodos: [{ content: "Add a test", status: "pending" }] },
  };
}
