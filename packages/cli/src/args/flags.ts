import { DIALECT_NAMES } from "@belay/engine";
import type { FlagValues } from "./args.ts";

/** Flags that say which config is meant (design §7). */
export const CONFIG_FLAGS = {
  config: {
    type: "string",
    multiple: true,
    value: "FILE",
    help: "read this file instead of the layers; repeatable",
  },
  plugin: {
    type: "string",
    multiple: true,
    value: "DIR",
    help: "read this plugin's hooks/hooks.json; repeatable",
  },
  dialect: {
    type: "string",
    value: "NAME",
    help: `read the files of this dialect, and every hook by it: ${DIALECT_NAMES.join(", ")}`,
  },
  cwd: { type: "string", value: "DIR", help: "the agent's working folder" },
} as const;

/** Flags of every command that takes an event (design §8). */
export const EVENT_FLAGS = {
  tool: { type: "string", value: "NAME", help: "the tool's name" },
  "tool-input": { type: "string", value: "JSON", help: "the tool's input" },
  prompt: { type: "string", value: "TEXT", help: "the user's prompt" },
  input: {
    type: "string",
    value: "FILE|-",
    help: "a whole payload, from a file or from stdin; it may name the event",
  },
  set: {
    type: "string",
    multiple: true,
    value: "KEY=JSON",
    help: "set any field of the payload, or one inside it (a.b=JSON); repeatable",
  },
  ...CONFIG_FLAGS,
  session: { type: "string", value: "ID", help: "the session id" },
} as const;

/** What those reach for who come from `belay try`. */
export const NOT_EVENT_FLAGS = {
  payload: "--input takes a payload from a file, or - for stdin; --tool-input takes JSON",
};

export type EventFlags = FlagValues<typeof EVENT_FLAGS>;
