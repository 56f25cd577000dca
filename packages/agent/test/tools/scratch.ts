import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { builtInTools } from "../../src/tools/index.ts";
import type { Tool, ToolResult } from "../../src/tools/tool.ts";

export type Input = Readonly<Record<string, unknown>>;

/** A working folder of a test's own, removed after it. */
export interface Scratch {
  readonly cwd: string;
  write(path: string, content: string | Buffer): string;
  /** Calls a tool as the agent does: the input is read by its schema first. */
  call(tool: string, input: Input, signal?: AbortSignal): Promise<ToolResult>;
}

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

export function toolNamed(name: string): Tool {
  const tool = builtInTools().find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
}

export function scratch(): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "belay-tools-")));
  const cwd = join(root, "work");
  mkdirSync(cwd);
  folders.push(root);
  return {
    cwd,
    write: (path, content) => {
      const file = join(cwd, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    call: (name, input, signal = new AbortController().signal) => {
      const tool = toolNamed(name);
      return tool.run(tool.schema.parse(input), {
        cwd,
        env: process.env,
        signal,
        warn: () => {},
        id: "call-1",
      });
    },
  };
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
