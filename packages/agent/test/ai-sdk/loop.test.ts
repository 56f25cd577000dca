import type { PendingPermission } from "@belay/engine";
import type { ModelMessage } from "ai";
import { describe, expect, it } from "vitest";
import { runPrompt } from "../../../../docs/examples/ai-sdk-loop.mjs";
import { scriptedModel } from "../../../../docs/examples/scripted-model.mjs";
import { ASK, before, command, failed, type Hooks, json, sent, stage, WRITE, WROTE } from "./stage.ts";

/*
 * The example of docs/embedding.md: the AI SDK's own loop and its own mock of a model; hooks are processes, files are files.
 */

interface Row {
  readonly name: string;
  readonly hooks: Hooks;
  readonly moves?: Parameters<typeof scriptedModel>[0];
  readonly answer?: boolean;
  /** What the model was sent besides its own words. */
  readonly sent: readonly unknown[];
  readonly told?: readonly string[];
  readonly asked?: readonly Partial<PendingPermission>[];
  readonly files?: Readonly<Record<string, string>>;
  /** How often the model was called. */
  readonly calls?: number;
}

const ROWS: readonly Row[] = [
  { name: "silence changes nothing", hooks: {}, sent: ["go", WROTE], files: { "a.txt": "a" } },
  {
    name: "a deny is the failed result, and the model goes on",
    hooks: { PreToolUse: command("echo 'Not this file.' >&2; exit 2") },
    sent: ["go", failed("Not this file.")],
  },
  {
    name: "an ask that the user answers with yes",
    hooks: { PreToolUse: ASK },
    answer: true,
    sent: ["go", WROTE],
    told: ["Sure?"],
    asked: [{ id: "call_0", toolName: "Write", toolInput: WRITE.input, reason: "Sure?", hook: "hook" }],
    files: { "a.txt": "a" },
  },
  {
    name: "the user's no ends the turn",
    hooks: { PreToolUse: ASK },
    answer: false,
    sent: ["go", failed("The user did not allow this.")],
    told: ["Sure?"],
    asked: [{ id: "call_0", toolName: "Write", toolInput: WRITE.input, reason: "Sure?", hook: "hook" }],
    calls: 1,
  },
  {
    name: "an ask with nobody there is a no",
    hooks: { PreToolUse: ASK },
    sent: ["go", failed("The user did not allow this.")],
    told: ["Sure?"],
    calls: 1,
  },
  {
    name: "a PermissionRequest hook answers in the user's place",
    hooks: {
      PreToolUse: ASK,
      PermissionRequest: json({
        hookSpecificOutput: {
          hookEventName: "PermissionRequest",
          decision: { behavior: "allow", updatedInput: { path: "b.txt", content: "b" } },
        },
      }),
    },
    answer: false,
    sent: ["go", { type: "json", value: { wrote: "b.txt" } }],
    told: ["Sure?"],
    files: { "b.txt": "b" },
  },
  {
    name: "a rewrite is used, with the schema's defaults",
    hooks: { PreToolUse: before({ updatedInput: { path: "b.txt" } }) },
    sent: ["go", { type: "json", value: { wrote: "b.txt" } }],
    files: { "b.txt": "nothing" },
  },
  {
    name: "a rewrite that does not fit denies the call, and the original does not run",
    hooks: { PreToolUse: before({ permissionDecision: "allow", updatedInput: { path: 7 } }) },
    sent: ["go", failed(expect.stringContaining("path: Invalid input: expected string") as string)],
    told: [expect.stringContaining("path") as string],
  },
  {
    name: "context of both moments stands behind the result, and cannot leave its tag",
    hooks: {
      PreToolUse: before({ additionalContext: "before </hook> & after" }),
      PostToolUse: json({
        hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "Format it." },
      }),
    },
    sent: [
      "go",
      {
        type: "text",
        value:
          '{"wrote":"a.txt"}\n<hook event="PreToolUse">\nbefore &lt;/hook&gt; &amp; after\n</hook>\n<hook event="PostToolUse">\nFormat it.\n</hook>',
      },
    ],
    files: { "a.txt": "a" },
  },
  {
    name: "exit 2 after the tool makes the result a failure",
    hooks: { PostToolUse: command("echo 'It does not compile.' >&2; exit 2") },
    sent: ["go", failed('{"wrote":"a.txt"}\nIt does not compile.')],
    files: { "a.txt": "a" },
  },
  {
    name: "a block after the tool is a note on its result",
    hooks: { PostToolUse: json({ decision: "block", reason: "Now the tests." }) },
    sent: [
      "go",
      { type: "text", value: '{"wrote":"a.txt"}\n<hook event="PostToolUse">\nNow the tests.\n</hook>' },
    ],
    files: { "a.txt": "a" },
  },
  {
    name: "a stop before the tool ends the loop",
    hooks: { PreToolUse: json({ continue: false, stopReason: "Enough." }) },
    sent: ["go", failed("Not run: a hook ended the turn.")],
    told: ["Enough."],
    calls: 1,
  },
  {
    name: "a stop after the tool ends the loop and leaves the result",
    hooks: { PostToolUse: json({ continue: false, stopReason: "Enough." }) },
    sent: ["go", WROTE],
    told: ["Enough."],
    files: { "a.txt": "a" },
    calls: 1,
  },
  {
    name: "a blocked stop is another round",
    hooks: { Stop: command("grep -q 'tests pass' || { echo 'And the tests?' >&2; exit 2; }") },
    moves: ["Done.", "Done, and the tests pass."],
    sent: ["go", "<hook-output>\nAnd the tests?\n</hook-output>"],
    calls: 2,
  },
  {
    name: "a refused prompt is never sent",
    hooks: { UserPromptSubmit: command("echo 'No secrets.' >&2; exit 2") },
    sent: [],
    told: ["No secrets."],
    calls: 0,
  },
  {
    name: "a prompt is rewritten and has context",
    hooks: {
      UserPromptSubmit: json({
        hookSpecificOutput: {
          hookEventName: "UserPromptSubmit",
          updatedPrompt: "go slowly",
          additionalContext: "It is Friday.",
        },
      }),
    },
    moves: ["Done."],
    sent: ['go slowly\n\n<hook event="UserPromptSubmit">\nIt is Friday.\n</hook>'],
    calls: 1,
  },
];

describe("the AI SDK's tool loop with hooks", () => {
  it.each(ROWS)("$name", async (row) => {
    const { engine, tools, files } = await stage(row.hooks);
    const model = scriptedModel(row.moves ?? [WRITE, "Done."]);
    const messages: ModelMessage[] = [];
    const told: string[] = [];
    const asked: object[] = [];
    const { answer } = row;
    const ask = async ({ timestamp: _, ...question }: PendingPermission) => {
      asked.push(question);
      return answer === true;
    };
    await runPrompt(
      "go",
      engine,
      { model, tools, messages },
      {
        tell: ({ block }) => told.push(block.content),
        ...(answer !== undefined && { ask }),
      },
    );
    expect({
      sent: sent(messages),
      told,
      asked,
      files: files(),
      calls: model.doGenerateCalls.length,
    }).toEqual({
      sent: row.sent,
      told: row.told ?? [],
      asked: row.asked ?? [],
      files: row.files ?? {},
      calls: row.calls ?? 2,
    });
  });
});
