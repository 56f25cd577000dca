// warn-lockfile-edit: warn the user when a lock file is edited by hand
// Try: belay run PreToolUse --tool Edit --tool-input '{"file_path":"package-lock.json"}' --config hooks.json
// Expect: none (exit 0). The user reads a warning; the edit goes on.
import { basename } from "node:path";

const LOCK_FILES = [
  "package-lock.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "Cargo.lock",
  "poetry.lock",
  "uv.lock",
];

/** @type {import("@belay/engine").ModuleHook<"PreToolUse">} */
export default function warnLockfileEdit({ tool_input }) {
  const name = basename(String(tool_input.file_path ?? ""));
  if (!LOCK_FILES.includes(name)) return undefined;
  return { systemMessage: `${name} is written by the package manager; an edit by hand is easily wrong.` };
}
