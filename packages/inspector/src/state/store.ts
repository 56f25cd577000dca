import { useEffect, useState, useSyncExternalStore } from "react";
import { asRefused, type Refused } from "./client.ts";

/** State outside of React: the live stream feeds it, and a view that comes back finds it as it was. */
export interface Store<T> {
  get(): T;
  set(change: Partial<T>): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<T extends object>(initial: T): Store<T> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

export type Asked<T> =
  | { readonly state: "asking" }
  | { readonly state: "there"; readonly value: T }
  | { readonly state: "failed"; readonly error: Refused };

/** What the server says to one question, asked again when `about` changes. */
export function useAsked<T>(ask: () => Promise<T>, about: string): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ state: "asking" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` says when it is another question
  useEffect(() => {
    let isCurrent = true;
    ask().then(
      (value) => isCurrent && setAsked({ state: "there", value }),
      (error: unknown) => isCurrent && setAsked({ state: "failed", error: asRefused(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [about]);
  return asked;
}

/** Listens while its view is drawn. */
export function useListener<E extends Event>(
  target: EventTarget,
  type: string,
  heard: (event: E) => void,
): void {
  useEffect(() => {
    target.addEventListener(type, heard as EventListener);
    return () => target.removeEventListener(type, heard as EventListener);
  });
}
