import { permissionSettings } from "../../src/permissions/settings.ts";
import { type Scratch, toolNamed } from "./scratch.ts";

export const USER = "home/.belay/settings.json";

export const PROJECT = "project/.belay/settings.json";

export const LOCAL = "project/.belay/settings.local.json";

export const permissions = (lists: object) => JSON.stringify({ permissions: lists });

export const options = ({ cwd, home }: Scratch) => ({ cwd, home, project: cwd });

/** What the settings say of a command now. */
export function asker(place: Scratch, more: object = {}) {
  const settings = permissionSettings({ ...options(place), ...more });
  const says = (command: string) => settings.judge(toolNamed("Bash"), { command }).ruling?.kind ?? "none";
  return { settings, says };
}
