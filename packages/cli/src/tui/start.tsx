import { existsSync } from "node:fs";
import { type Agent, createAgent } from "@belay/agent";
import { HookEventProvider } from "@belay/react";
import { type ChatOptions, modelFor, resumeCommand } from "../chat/options.ts";
import { shareQuestions } from "../chat/share-questions.ts";
import { findUntrusted } from "../chat/untrusted.ts";
import type { Story } from "../demo/story.ts";
import { unreadHooks } from "../hooks/no-hooks.ts";
import type { Io } from "../io.ts";
import { wrap } from "../render/text.ts";
import { App } from "./app.tsx";
import { draw } from "./keys.tsx";
import { storeFor } from "./store.ts";
import { askTrust } from "./trust.tsx";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** As a shell says it of a program that was ended by Ctrl-C. */
const LEFT = 130;

/** There is no screen yet: after so long it is said what is being waited for. */
const SLOW_START_MS = 1_000;

/** A session in the terminal, until the user leaves it. */
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
  const unread = () => unreadHooks(options);
  await show(agent, options.resume !== undefined, { answer, unread }).finally(end);
  await agent.close("prompt_input_exit");
  // A session in which nothing was said leaves nothing behind.
  if (existsSync(agent.transcriptPath))
    say(`To go on with this session: ${resumeCommand(agent.sessionId, options)}`);
  return 0;
}

/** Draws the agent until the user leaves. A story is about both sides: what hooks tell the agent is shown with it. */
export async function show(
  agent: Agent,
  goesOn: boolean,
  {
    story,
    answer,
    unread,
  }: {
    readonly story?: Story;
    readonly answer?: Agent["answer"];
    readonly unread?: () => Promise<string>;
  },
): Promise<void> {
  const store = storeFor(agent, story ? { showHookOutput: "all" } : {}, answer);
  const { ended, leave } = draw(
    <HookEventProvider store={store}>
      <App agent={agent} goesOn={goesOn} {...(story && { story })} {...(unread && { unread })} />
    </HookEventProvider>,
  );
  for (const signal of SIGNALS) process.on(signal, leave);
  await ended.finally(() => {
    for (const signal of SIGNALS) process.off(signal, leave);
  });
}
