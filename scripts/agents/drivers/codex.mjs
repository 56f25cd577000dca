import { CLAUDE_EVENTS, groups, json, programOf } from "../driver.mjs";
import { CLAUDE_WORDS } from "../words.mjs";

const { arch } = process;
const triple = `${arch === "arm64" ? "aarch64" : "x86_64"}-unknown-linux-musl`;

/** @type {import("../driver.mjs").Driver} */
export const codex = {
  ...programOf("codex"),
  program: `node_modules/@openai/codex-linux-${arch}/vendor/${triple}/bin/codex`,
  env: ({ home }) => ({ CODEX_HOME: `${home}/.codex`, FAKE_KEY: "fake" }),
  files: ({ url }, hooks) => ({
    ".codex/config.toml": [
      'model = "gpt-5.5"',
      'model_provider = "scripted"',
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      "check_for_update_on_startup = false",
      // Its end waits some seconds for a server of measurements.
      "[analytics]",
      "enabled = false",
      "[model_providers.scripted]",
      'name = "scripted"',
      `base_url = "${url}/v1"`,
      'wire_api = "responses"',
      'env_key = "FAKE_KEY"',
      "",
    ].join("\n"),
    ".codex/hooks.json": json({ hooks: groups(hooks) }),
  }),
  args: ({ approves }, prompt) => [
    ...["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"],
    ...["--disable", "plugins", "--disable", "apps"],
    ...(approves ? [] : ["--approve-for-me"]),
    prompt,
  ],
  limit: 60,
  unit: "s",
  events: { ...CLAUDE_EVENTS, permission: "PermissionRequest" },
  others: ["PreCompact", "PostCompact", "SubagentStart", "SubagentStop"],
  tools: {
    shell: (cmd) => ({ tool: "exec_command", input: { cmd } }),
    asking: (cmd) => ({
      tool: "exec_command",
      input: { cmd, sandbox_permissions: "require_escalated", justification: "May it run?" },
    }),
    rewritten: (command) => ({ command }),
    write: (path, text) => ({
      tool: "apply_patch",
      input: {
        freeform: `*** Begin Patch\n*** Add File: ${path}\n${text.replace(/^(?=.|\n.)/gm, "+")}*** End Patch\n`,
      },
    }),
    edit: (path, before, after) => ({
      tool: "apply_patch",
      input: {
        freeform: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${before}\n+${after}\n*** End Patch\n`,
      },
    }),
    subagent: (message) => ({ tool: "spawn_agent", input: { message } }),
  },
  words: CLAUDE_WORDS,
  logs: [".codex/sessions", ".codex/archived_sessions"],
  compresses: {
    old: (path) => path.replace(/2026([/-])\d\d\1\d\d/g, "2025$101$105"),
    args: ["--enable", "local_thread_store_compression"],
    names: /\.jsonl\.zst$/,
  },
};
