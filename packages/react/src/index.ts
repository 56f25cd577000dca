export { HookEventProvider, type HookEventProviderProps, useHookEvents } from "./provider.tsx";
export {
  createHookEventStore,
  DEFAULT_PREFERENCES,
  type HookEventState,
  type HookEventStore,
  type StoreOptions,
} from "./store.ts";
