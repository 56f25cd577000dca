import { loadPatternEngine, readConfig } from "@belay/core";
import { adviseOnHooks } from "@belay/core/advise";

export const patterns = await loadPatternEngine();

export function read(hooks: object, dialect?: "wave" | "session-hooks" | "claude-code") {
  const text = JSON.stringify({ hooks });
  return readConfig({ file: "/p/s.json", layer: "config", text, ...(dialect && { dialect }) }, patterns)
    .hooks;
}

export const advice = (hooks: object) =>
  adviseOnHooks(read(hooks), patterns).map(({ code, message, fix }) => [code, message, fix]);

export const command = { type: "command", command: "true" };
