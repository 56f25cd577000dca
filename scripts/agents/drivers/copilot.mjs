import { json, programOf } from "../driver.mjs";
import { COPILOT_WORDS } from "../words.mjs";

const system = `${process.platform}-${process.arch}`;

/** @type {import("../driver.mjs").Driver} */
export const copilot = {
  ...programOf("copilot"),
  program: `node_modules/@github/copilot-${system}/copilot`,
  env: ({ home, url, installed }, hooks) => ({
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_CACHE_HOME: `${installed}/unpacked`,
    COPILOT_HOME: `${home}/.copilot`,
    COPILOT_MODEL: "scripted",
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_API_KEY: "fake",
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    ...(Object.values(hooks)
      .flat()
      .some(({ localhost }) => localhost)
      ? { COPILOT_HOOK_ALLOW_LOCALHOST: "1" }
      : {}),
  }),
  files: ({ project }, hooks) => ({
    ".copilot/config.json": json({ trustedFolders: [project] }),
    ".copilot/hooks/measured.json": json({
      version: 1,
      hooks: Object.fromEntries(
        Object.entries(hooks).map(([event, entries]) => [
          event,
          entries.map(({ command, url, timeout }) => ({
            ...(url ? { type: "http", url } : { type: "command", bash: command }),
            ...(timeout ? { timeoutSec: timeout } : {}),
          })),
        ]),
      ),
    }),
  }),
  args: ({ approves }, prompt) => [
    ...["-p", prompt, "--output-format", "json", "--no-auto-update", "--disable-builtin-mcps"],
    ...(approves ? ["--allow-all-tools", "--allow-all-paths"] : []),
  ],
  limit: 60,
  unit: "s",
  events: {
    start: "sessionStart",
    prompt: "userPromptSubmitted",
    pre: "preToolUse",
    permission: "permissionRequest",
    post: "postToolUse",
    stop: "agentStop",
    end: "sessionEnd",
  },
  aliases: {
    SessionStart: "sessionStart",
    UserPromptSubmit: "userPromptSubmitted",
    PreToolUse: "preToolUse",
    PermissionRequest: "permissionRequest",
    PostToolUse: "postToolUse",
    Stop: "agentStop",
  },
  others: [
    ...["postToolUseFailure", "subagentStart", "subagentStop", "errorOccurred", "preCompact", "notification"],
  ],
  http: { localhost: true },
  tools: {
    shell: (command) => ({ tool: "bash", input: { command, description: "run it", mode: "sync" } }),
    write: (path, file_text) => ({ tool: "create", input: { path, file_text } }),
    read: (path) => ({ tool: "view", input: { path } }),
    edit: (path, old_str, new_str) => ({ tool: "edit", input: { path, old_str, new_str } }),
    subagent: (prompt) => ({
      tool: "task",
      input: {
        agent_type: "general-purpose",
        description: "look around",
        name: "look",
        prompt,
        mode: "sync",
      },
    }),
  },
  words: COPILOT_WORDS,
  logs: [".copilot/session-state", ".copilot/history-session-state", ".copilot/logs"],
};
