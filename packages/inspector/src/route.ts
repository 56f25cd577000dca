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

export function routeIn(hash: string): Route {
  const [, view, rest = ""] = /^#\/(\w+)(?:\/(.+))?$/.exec(hash) ?? [];
  if (view === "event" && rest !== "") return { view, event: decodeURIComponent(rest) };
  return { view: VIEWS.find((known) => known === view) ?? "timeline" };
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
