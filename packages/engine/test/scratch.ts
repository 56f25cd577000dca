import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEngine, type Engine, type EngineOptions, type EventName, type Outcome } from "@belay/engine";
import {
  asTrusted,
  configLoader,
  configPlaces,
  findProject,
  fingerprint,
  fromProject,
  needsTrust,
  trust,
} from "@belay/engine/internal";
import { afterEach } from "vitest";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The command line of a program in fixtures/hooks. */
export function fixture(name: string, ...args: string[]): string {
  return [join(ROOT, "fixtures", "hooks", name), ...args].map((word) => `'${word}'`).join(" ");
}

/** A few suites run twice: the host starts their processes, then the companion does (vitest.config.ts). */
export const LAUNCHER = process.env.BELAY_TEST_LAUNCHER === "on" ? "on" : "off";

/** A home and a project of a test's own, removed after it; engines are closed first. */
export interface Scratch {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  /** Writes a file below the root; an object becomes JSON. */
  write(path: string, content: unknown, mode?: number): string;
  engine(options?: EngineOptions): Promise<Engine>;
  /** An engine whose only config says these hooks for one event; trusted. */
  engineFor(event: EventName, hooks: readonly object[], options?: EngineOptions): Promise<Engine>;
  /** Trusts every hook of the project as it is now. */
  trustAll(options?: EngineOptions): Promise<void>;
}

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

export function scratch(): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "belay-")));
  const home = join(root, "home");
  const project = join(root, "project");
  mkdirSync(home);
  mkdirSync(join(project, ".git"), { recursive: true });
  cleanups.push(async () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));

  const write = (path: string, content: unknown, mode?: number) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    if (mode !== undefined) chmodSync(file, mode);
    return file;
  };
  const engine = async (options: EngineOptions = {}) => {
    const made = await createEngine({ cwd: project, home, launcher: LAUNCHER, ...options });
    cleanups.push(() => made.close());
    return made;
  };
  return {
    root,
    home,
    project,
    write,
    engine,
    engineFor: (event, hooks, options) => {
      const file = write("hooks.json", { hooks: { [event]: [{ hooks }] } });
      return engine({ configFiles: [file], ...options });
    },
    trustAll: async (options = {}) => {
      const places = configPlaces({ cwd: project, home, sessionId: "", ...options });
      const { hooks } = await configLoader().load(places);
      const own = findProject(options.cwd ?? project, home);
      const folders = { project: own, cwd: own, home };
      const items = hooks.filter(needsTrust).map((hook) => asTrusted(hook, fingerprint(hook, folders), own));
      trust(own, items, { home, whole: { hooks: places.map(({ file }) => fromProject(file, own)) } });
    },
  };
}

/** What every tool call has, for tests that are about something else. */
export const CALL = { tool_name: "Bash", tool_input: {} };

/** Any session, for tests in which there must be one. */
export const SESSION = "0b5e2f6c-8d7a-4c1b-9e3f-2a1b3c4d5e6f";

export function command(text: string, extra: object = {}): object {
  return { type: "command", command: text, ...extra };
}

/** One group of one json hook that says something to the user: shows which config files are in force. */
export function says(text: string, extra: object = {}): object {
  return { type: "json", json: { systemMessage: text }, ...extra };
}

export function settings(event: string, ...hooks: object[]): object {
  return { hooks: { [event]: [{ hooks }] } };
}

/** What was said, by whoever said it, in order. */
export function said({ messages }: Outcome, to: "user" | "agent" = "user"): string[] {
  return messages.filter((message) => message.to === to).map(({ block }) => block.content);
}

export function codes({ diagnostics }: Outcome): string[] {
  return diagnostics.map(({ code }) => code);
}
