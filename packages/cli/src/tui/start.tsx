import { existsSync } from "node:fs";
import { createAgent } from "@belay/agent";
import { HookEventProvider, type HookEventStore } from "@belay/react";
import type { ReactNode } from "react";
import { type ChatOptions, modelFor, resumeCommand } from "../chat/print.ts";
import { shareQuestions } from "../chat/share-questions.ts";
import { openAgent } from "../demo/print.ts";
import type { DemoFolder, Script } from "../demo/script.ts";
import { unreadHooks } from "../hooks/no-hooks.ts";
import { INTERRUPTIONS, type Io } from "../io.ts";
import { wrap } from "../render/text.ts";
import { App } from "./app.tsx";
import { draw } from "./keys.tsx";
import { storeFor } from "./store.ts";
import { askTrust, findUntrusted } from "./trust.tsx";

const LEFT = 130;

/** After so long without a screen, the user is told what is being waited for. */
const SLOW_START_MS = 1_000;

export async function chatInTerminal(
  options: ChatOptions & { readonly cwd: string },
  io: Io,
): Promise<number> {
  const model = await modelFor(options);
  const untrusted = await findUntrusted(options);
  if (untrusted.hooks.length + untrusted.grants.length > 0) {
    const answer = await askTrust(untrusted, options.cwd, io);
    if (answer === "leave") return LEFT;
    if (answer === "yes") untrusted.accept();
  }
  const say = (text: string) => io.out(`${wrap(text, io.columns).join("\n")}\n`);
  const slow = setTimeout(() => say("The hooks of the session's start are running …"), SLOW_START_MS);
  const agent = await createAgent({ ...options, model, isAttended: true }).finally(() => clearTimeout(slow));
  const { answer, end } = await shareQuestions(agent, options.cwd, options.home);
  const app = <App agent={agent} goesOn={options.resume !== undefined} unread={() => unreadHooks(options)} />;
  await drawUntilLeft(storeFor(agent, {}, answer), app).finally(end);
  await agent.close("prompt_input_exit");
  // A session in which nothing was said leaves nothing behind.
  if (existsSync(agent.transcriptPath))
    say(`To go on with this session: ${resumeCommand(agent.sessionId, options)}`);
  return 0;
}

export async function demoInTerminal(
  { steps }: Script,
  folder: DemoFolder,
  isFast: boolean,
  left: AbortSignal,
): Promise<void> {
  const agent = await openAgent(folder);
  try {
    // The demo shows both sides: also what hooks tell the agent.
    const store = storeFor(agent, { showHookOutput: "all" });
    if (!left.aborted) await drawUntilLeft(store, <App agent={agent} playback={{ steps, isFast }} />);
  } finally {
    await agent.close("prompt_input_exit");
  }
}

async function drawUntilLeft(store: HookEventStore, app: ReactNode): Promise<void> {
  const { ended, leave } = draw(<HookEventProvider store={store}>{app}</HookEventProvider>);
  for (const signal of INTERRUPTIONS) process.on(signal, leave);
  await ended.finally(() => {
    for (const signal of INTERRUPTIONS) process.off(signal, leave);
  });
}
