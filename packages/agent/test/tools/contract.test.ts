import { describe, expect, it } from "vitest";
import { builtInTools, toolSpec } from "../../src/tools/index.ts";
import { type Input, scratch, toolNamed } from "./scratch.ts";

/** What the agent relies on, for every tool alike. */

const rows: [tool: string, kind: string, input: Input, subject: string, paths: string[]][] = [
  ["Bash", "execute", { command: "git push -f", description: "d", timeout: 5 }, "git push -f", []],
  ["Read", "read", { file_path: "../a.txt", offset: 1, limit: 2 }, "../a.txt", ["../a.txt"]],
  ["Write", "edit", { file_path: "/x/a.txt", content: "" }, "/x/a.txt", ["/x/a.txt"]],
  ["Edit", "edit", { file_path: "a", old_string: "a", new_string: "b", replace_all: true }, "a", ["a"]],
  ["Glob", "read", { pattern: "**/*.ts" }, "**/*.ts", ["."]],
  ["Glob", "read", { pattern: "a/b/*.ts", path: "src" }, "a/b/*.ts", ["src/a/b"]],
  ["Glob", "read", { pattern: "../*/secret", path: "src/a" }, "../*/secret", ["src"]],
  ["Glob", "read", { pattern: "/etc/*.conf", path: "src" }, "/etc/*.conf", ["/etc"]],
  ["Glob", "read", { pattern: "/*" }, "/*", ["/"]],
  ["Glob", "read", { pattern: "../secret" }, "../secret", [".."]],
  ["Grep", "read", { pattern: "x" }, "x", ["."]],
  [
    "Grep",
    "read",
    { pattern: "x", path: "/etc", glob: "*", "-i": true, "-n": false, head_limit: 1 },
    "x",
    ["/etc"],
  ],
];
it.each(rows)(
  "%s is of kind %s; of %j it says its subject and paths",
  (name, kind, input, subject, paths) => {
    const tool = toolNamed(name);
    const parsed = tool.schema.parse(input);
    expect([tool.kind, parsed, tool.subject(parsed), tool.paths(parsed)]).toEqual([
      kind,
      input,
      subject,
      paths,
    ]);
  },
);

describe("inputs that are refused", () => {
  const refused: [tool: string, input: Input, message: string][] = [
    [
      "Bash",
      { command: "ls", timout: 5 },
      "unknown field timout (did you mean timeout?): Bash takes command, description, timeout",
    ],
    ["Bash", { command: "ls", timeout: 600_001 }, "timeout: Too big"],
    ["Bash", { command: "ls", timeout: 0 }, "timeout: Too small"],
    ["Bash", { command: 7 }, "command: Invalid input: expected string"],
    ["Read", { file_path: "a", offset: 0 }, "offset: Too small"],
    ["Read", { path: "a" }, "unknown field path"],
    ["Write", { file_path: "a" }, "content: Invalid input"],
    ["Edit", { file_path: "a", old_string: "", new_string: "b" }, "old_string: is empty"],
    ["Glob", { pattern: "*".repeat(1001) }, "pattern: Too big"],
    ["Grep", { pattern: "a", output_mode: "lines" }, "output_mode: Invalid option"],
  ];
  it.each(refused)("%s %j", (name, input, message) => {
    const { error } = toolNamed(name).schema.safeParse(input);
    const said = error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n");
    expect(said).toContain(message);
  });
});

it.each(builtInTools().map((tool) => [tool.name, tool] as const))(
  "the schema of %s as a model sees it",
  (name, tool) => {
    const spec = toolSpec(tool);
    expect(spec).toMatchObject({ name, description: tool.description });
    expect(spec.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    for (const [field, schema] of Object.entries(spec.inputSchema.properties as object))
      expect([field, schema.description]).toEqual([field, expect.any(String)]);
    expect(spec.inputSchema).not.toHaveProperty("$schema");
  },
);

it.each<[string, Input]>([
  ["Bash", { command: "echo ran > ran.txt" }],
  ["Read", { file_path: "a.txt" }],
  ["Write", { file_path: "ran.txt", content: "b" }],
  ["Edit", { file_path: "a.txt", old_string: "a", new_string: "b" }],
  ["Glob", { pattern: "**" }],
  ["Grep", { pattern: "a" }],
])("%s rejects with the reason of an abort, and does nothing", async (name, input) => {
  const { call, write } = scratch();
  write("a.txt", "a");
  const reason = new Error("enough");
  await expect(call(name, input, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(await call("Glob", { pattern: "*" })).toMatchObject({ content: "a.txt" });
  expect(await call("Read", { file_path: "a.txt" })).toMatchObject({ content: "     1\ta" });
});
