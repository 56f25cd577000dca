import { CLAUDE_EVENTS, groups, json, programOf } from "../driver.mjs";
import { CLAUDE_WORDS } from "../words.mjs";

/** @type {import("../driver.mjs").Driver} */
export const droid = {
  ...programOf("droid"),
  program: `node_modules/@factory/cli-${process.platform}-${process.arch}/bin/droid`,
  env: ({ home, url }) => ({
    FACTORY_AIRGAP_ENABLED: "true",
    FACTORY_API_BASE_URL: url,
    FACTORY_API_KEY: "fk-fake",
    FACTORY_APP_BASE_URL: url,
    FACTORY_DISABLE_DYNAMIC_CONFIG: "true",
    FACTORY_DISABLE_KEYRING: "true",
    FACTORY_DROID_AUTO_UPDATE_ENABLED: "false",
    FACTORY_HOME_OVERRIDE: home,
    FACTORY_OTEL_ENABLED: "false",
    FACTORY_TELEMETRY_INGEST_BASE_URL: url,
  }),
  files: ({ url }, hooks) => ({
    ".factory/settings.json": json({
      customModels: [
        {
          model: "scripted",
          displayName: "Fake",
          baseUrl: `${url}/v1`,
          apiKey: "fake",
          provider: "generic-chat-completion-api",
        },
      ],
      hooks: groups(hooks),
    }),
  }),
  args: ({ approves }, prompt) => [
    ...["exec", "-o", "stream-json", "-m", "custom:Fake-0"],
    ...(approves ? ["--skip-permissions-unsafe"] : []),
    prompt,
  ],
  limit: 60,
  unit: "s",
  events: { ...CLAUDE_EVENTS, permission: "PermissionRequest" },
  others: ["Notification", "SubagentStop", "PreCompact"],
  http: {},
  tools: {
    shell: (command) => ({
      tool: "Execute",
      input: { command, summary: "run it", riskLevel: "low", riskLevelReason: "it is small" },
    }),
    write: (file_path, content) => ({ tool: "Create", input: { file_path, content } }),
    read: (file_path) => ({ tool: "Read", input: { file_path } }),
    edit: (file_path, old_str, new_str) => ({ tool: "Edit", input: { file_path, old_str, new_str } }),
    subagent: (prompt) => ({
      tool: "Task",
      input: { subagent_type: "worker", description: "look around", prompt },
    }),
  },
  words: CLAUDE_WORDS,
  logs: [".factory/sessions"],
};
