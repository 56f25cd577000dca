import { useSyncExternalStore } from "react";

export const VIEWS = ["timeline", "playground", "hooks", "permissions"] as const;
export type View = (typeof VIEWS)[number];

export type Route =
  | { readonly view: View; readonly event?: undefined }
  | { readonly view: "event"; readonly event: string };

export function hrefOf(route: Route): string {
  return route.view === "event" ? `#/event/${encodeURIComponent(route.event)}` : `#/${route.view}`;
}

export function go(route: Route): void {
  window.location.hash = hrefOf(route);
}

/** Goes on to the next of a row of events: the way back leads to where the first one was opened. */
export function goOn(route: Route): void {
  window.location.replace(hrefOf(route));
}

function routeIn(hash: string): Route {
  const [, view, rest = ""] = /^#\/(\w+)(?:\/(.+))?$/.exec(hash) ?? [];
  if (view === "event" && rest !== "") return { view, event: decoded(rest) };
  return { view: VIEWS.find((known) => known === view) ?? "timeline" };
}

/** An address may be typed: what is no encoding stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** There is room for the list and an event side by side. */
const WIDE = window.matchMedia("(min-width: 1150px)");

export function useWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      WIDE.addEventListener("change", changed);
      return () => WIDE.removeEventListener("change", changed);
    },
    () => WIDE.matches,
  );
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(
    (changed) => {
      window.addEventListener("hashchange", changed);
      return () => window.removeEventListener("hashchange", changed);
    },
    () => window.location.hash,
  );
  return routeIn(hash);
}
