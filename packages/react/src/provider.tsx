import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from "react";
import {
  createHookEventStore,
  type HookEventState,
  type HookEventStore,
  type StoreOptions,
} from "./store.ts";

const Store = createContext<HookEventStore | undefined>(undefined);

export interface HookEventProviderProps extends StoreOptions {
  /** A store that something else feeds; without one, the provider makes its own. */
  readonly store?: HookEventStore;
  readonly children?: ReactNode;
}

/** Gives the tree below it the state of hooks and permissions. */
export function HookEventProvider({ store, children, ...options }: HookEventProviderProps): ReactNode {
  const [own] = useState(() => store ?? createHookEventStore(options));
  return <Store.Provider value={store ?? own}>{children}</Store.Provider>;
}

/** Pending permissions, history, preferences and the actions on them; renders again when they change. */
export function useHookEvents(): HookEventState {
  const store = useContext(Store);
  if (!store) throw new Error("useHookEvents needs a HookEventProvider above it");
  return useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot);
}
