/*
 * Hooks in the AI SDK's own tool loop (docs/embedding.md). Nothing of the SDK is imported here: the host's version is the
 * one that counts.
 */
export { type HookedTurn, hookedTurn, type TurnOptions } from "./hooked-turn.ts";
export type { HookableTools } from "./wrap-tools.ts";
