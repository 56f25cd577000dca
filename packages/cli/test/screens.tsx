import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type Agent, type Answer, createAgent, offlineModel } from "@belay/agent";
import { createHookEventStore, HookEventProvider } from "@belay/react";
import { render } from "ink-testing-library";
import type { ReactElement } from "react";
import { expect, onTestFinished, vi } from "vitest";
import { App } from "../src/tui/app.tsx";
import { KeyQueue } from "../src/tui/keys.tsx";
import { storeFor } from "../src/tui/store.ts";

// Ink draws only the last frame where it sees a CI; it looks when it is loaded.
vi.hoisted(() => {
  for (const name of ["CI", "CONTINUOUS_INTEGRATION"]) delete process.env[name];
});

export const ESCAPE = "\u001b";

export const [UP, DOWN, LEFT, RIGHT] = ["A", "B", "D", "C"].map((letter) => `${ESCAPE}[${letter}`);

export const [ENTER, CTRL_C, CTRL_D] = ["\r", "\u0003", "\u0004"];

export const [PASTE_BEGINS, PASTE_ENDS] = [`${ESCAPE}[200~`, `${ESCAPE}[201~`];

export const WIDE = { columns: 80, rows: 30 };

export interface Screen {
  /** Without colours, and without spaces at the ends of rows. */
  text(): string;
  press(...keys: (string | undefined)[]): Promise<void>;
  shows(text: string | RegExp): Promise<void>;
}

export function screenOf(element: ReactElement, store = createHookEventStore()): Screen {
  const { lastFrame, stdin, unmount } = render(
    <KeyQueue>
      <HookEventProvider store={store}>{element}</HookEventProvider>
    </KeyQueue>,
  );
  onTestFinished(unmount);
  const text = () => stripVTControlCharacters(lastFrame() ?? "").replaceAll(/ +$/gm, "");
  return {
    text,
    press: async (...keys) => {
      for (const key of keys) {
        // What is on the screen listens a moment after it was drawn, not sooner.
        await new Promise((resolve) => setTimeout(resolve, 20));
        stdin.write(key ?? "");
        // A lone escape is known for one only when nothing follows it for a moment.
        await new Promise((resolve) => setTimeout(resolve, key === ESCAPE ? 60 : 0));
      }
    },
    shows: async (wanted) => {
      if (typeof wanted === "string") await expect.poll(text, { timeout: 15_000 }).toContain(wanted);
      else await expect.poll(text, { timeout: 15_000 }).toMatch(wanted);
    },
  };
}

/** An agent with the offline model, and these hooks in the user's own file. */
export async function agentWith(hooks: object): Promise<{ agent: Agent; project: string }> {
  const root = mkdtempSync(join(tmpdir(), "belay-tui-"));
  const [home, project] = [join(root, "home"), join(root, "project")];
  mkdirSync(join(home, ".belay"), { recursive: true });
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(home, ".belay", "settings.json"), JSON.stringify({ hooks }));
  const agent = await createAgent({ cwd: project, home, model: offlineModel(), isAttended: true });
  onTestFinished(async () => {
    await agent.close("other");
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  });
  return { agent, project };
}

export const command = (name: string, line: string) => ({ type: "command", name, command: line });

/** The whole screen of a chat, and the answers that its store gave to the agent. */
export async function appWith(hooks: object) {
  const { agent, project } = await agentWith(hooks);
  const answers: Answer[] = [];
  const store = storeFor(agent, {}, (id, answer) => {
    answers.push(answer);
    return agent.answer(id, answer);
  });
  return { agent, project, answers, screen: screenOf(<App agent={agent} />, store) };
}
