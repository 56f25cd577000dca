import { CLAUDE_EVENTS, groups, json, programOf } from "../driver.mjs";
import { CLAUDE_WORDS } from "../words.mjs";

/** Without this flag of its server no hook is called. */
const flags = { enable_hooks: true };

/** @type {import("../driver.mjs").Driver} */
export const auggie = {
  ...programOf("auggie"),
  node: "22",
  program: "node_modules/.bin/auggie",
  env: ({ url }) => ({
    AUGMENT_DISABLE_AUTO_UPDATE: "1",
    AUGMENT_SESSION_AUTH: JSON.stringify({
      accessToken: "fake",
      tenantURL: `${url}/`,
      scopes: ["read", "write"],
    }),
  }),
  files: (_place, hooks) => ({ ".augment/settings.json": json({ hooks: groups(hooks) }) }),
  args: (_place, prompt) => ["--print", "--output-format", "json", "--instruction", prompt],
  answers: {
    "get-models": {
      default_model: "scripted",
      models: [{ name: "scripted", suggested_prefix_char_count: 1000, suggested_suffix_char_count: 1000 }],
      feature_flags: { ...flags, feature_flags_v2: JSON.stringify(flags) },
      user_tier: "PROFESSIONAL_TIER",
      user: { id: "you", email: "you@localhost" },
    },
    "get-implicit-external-sources": { sources: [] },
    "search-external-sources": { sources: [] },
  },
  limit: 60,
  unit: "ms",
  events: { ...CLAUDE_EVENTS, prompt: "PromptSubmit" },
  others: ["Notification"],
  tools: {
    shell: (command) => ({
      tool: "launch-process",
      input: { command, wait: true, max_wait_seconds: 10, cwd: "/home/you/project" },
    }),
    write: (path, file_content) => ({
      tool: "save-file",
      input: { instructions_reminder: "short", path, file_content },
    }),
    read: (path) => ({ tool: "view", input: { path, type: "file" } }),
    edit: (path, old_str_1, new_str_1) => ({
      tool: "str-replace-editor",
      input: {
        command: "str_replace",
        instruction_reminder: "short",
        path,
        old_str_1,
        new_str_1,
        old_str_start_line_number_1: 2,
        old_str_end_line_number_1: 2,
      },
    }),
  },
  words: CLAUDE_WORDS,
  logs: [".augment/sessions"],
};
