import { Component, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { createRoot } from "react-dom/client";
import { Failure } from "./parts/elements.tsx";
import { capital } from "./parts/format.ts";
import { asRefused, client, Refused } from "./state/client.ts";
import { neighbour } from "./state/list.ts";
import { go, goOn, hrefOf, type Route, useRoute, useWide, VIEWS } from "./state/route.ts";
import { useListener, useStore } from "./state/store.ts";
import { open, timeline } from "./state/timeline.ts";
import { EventPage } from "./views/event.tsx";
import { Hooks } from "./views/hooks.tsx";
import { Permissions } from "./views/permissions.tsx";
import { Playground } from "./views/playground.tsx";
import { TimelineView } from "./views/timeline.tsx";
import "./style.css";

const BRAND = <span className="brand">belay inspect</span>;

const LIVE = { connecting: "connecting …", live: "live", lost: "not connected" };

function App({ failed }: { failed?: Refused }): ReactNode {
  const route = useRoute();
  const { error, opened } = useStore(timeline);
  const main = useFocus(route);
  useKeys(route);
  const locked = failed ?? (opened === 0 && error?.isKeyless ? error : undefined);
  return (
    <>
      {locked ? <header className="bar">{BRAND}</header> : <Bar route={route} />}
      <main ref={main} tabIndex={-1}>
        {locked ? <Failure error={locked} /> : <Viewed route={route} />}
      </main>
    </>
  );
}

interface CaughtProps {
  /** What is drawn: another one is tried anew. */
  readonly about: string;
  readonly children: ReactNode;
}

/** Shows an error in place of a view that cannot be drawn; the page stays. React needs a class for this. */
class Caught extends Component<CaughtProps, { readonly about?: string; readonly error?: unknown }> {
  override state: { readonly about?: string; readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  static getDerivedStateFromProps({ about }: CaughtProps, state: { readonly about?: string }) {
    return about === state.about ? null : { about, error: undefined };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const what = error instanceof Error ? error.message : String(error);
    return <Failure error={new Refused(`This cannot be shown: ${what}`, "Go back to the timeline.")} />;
  }
}

function Bar({ route }: { route: Route }): ReactNode {
  const { live, sessions, logs } = useStore(timeline);
  const asked = sessions.reduce((sum, { questions }) => sum + questions.length, 0);
  const current = route.view === "event" ? "timeline" : route.view;
  return (
    <header className="bar">
      {BRAND}
      <nav aria-label="Views">
        {VIEWS.map((view, index) => (
          <a
            key={view}
            href={hrefOf({ view })}
            aria-current={view === current ? "page" : undefined}
            title={`${capital(view)} (key ${index + 1})`}
          >
            {capital(view)}
            {view === "permissions" && <span className="count">{asked > 0 ? asked : ""}</span>}
          </a>
        ))}
      </nav>
      <span className={`live ${live}`} role="status">
        {live === "live" && logs ? "session logs" : LIVE[live]}
      </span>
    </header>
  );
}

function Viewed({ route: { view, event } }: { route: Route }): ReactNode {
  const isWide = useWide();
  const opened = event !== undefined && (
    <Caught about={event}>
      <EventPage eventKey={event} />
    </Caught>
  );
  if (opened && !isWide) return opened;
  const Other = view === "event" ? undefined : OTHERS[view];
  return (
    <Caught about={Other ? view : "list"}>
      {Other ? (
        <Other />
      ) : (
        <div className={opened ? "split" : "whole"}>
          <TimelineView current={event} />
          {opened}
        </div>
      )}
    </Caught>
  );
}

/** The views that are no list of events. */
const OTHERS = { timeline: undefined, playground: Playground, hooks: Hooks, permissions: Permissions };

/** Gives a view the focus where nothing else has it, so that keys scroll it. A list of events takes keys itself. */
function useFocus({ view, event }: Route): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each event that is opened
  useEffect(() => {
    const isFree = [document.body, main.current].includes(document.activeElement as HTMLElement);
    if (!isFree) return;
    if (document.querySelector(".list")) main.current?.blur();
    else main.current?.focus({ preventScroll: true });
  }, [view, event]);
  return main;
}

/** 1 to 4 choose a view, / searches, j, k and Escape go on and back from an event. Not while something is typed. */
function useKeys({ view, event }: Route): void {
  useListener(window, "keydown", (key: KeyboardEvent) => {
    const { target } = key;
    if (key.ctrlKey || key.metaKey || key.altKey || key.defaultPrevented) return;
    if (target instanceof HTMLElement && target.matches("input, textarea, select")) {
      if (key.key === "Escape") target.blur();
      return;
    }
    const chosen = VIEWS[Number(key.key) - 1];
    if (chosen) go({ view: chosen });
    else if (key.key === "Escape" && view === "event") go({ view: "timeline" });
    else if (event !== undefined && (key.key === "j" || key.key === "k")) {
      key.preventDefault();
      const row = neighbour(event, key.key === "j" ? 1 : -1);
      if (row) goOn({ view: "event", event: row.key });
    } else if (key.key === "/") {
      key.preventDefault();
      if (document.querySelector("#search")) search();
      else {
        window.addEventListener("hashchange", () => requestAnimationFrame(search), { once: true });
        go({ view: "timeline" });
      }
    }
  });
}

function search(): void {
  document.querySelector<HTMLElement>("#search")?.focus();
}

/** The token leaves the address as soon as it is read: it must be in no history and on no screenshot. */
async function start(): Promise<void> {
  const token = tokenInAddress();
  if (token !== undefined) {
    window.history.replaceState(null, "", "#/timeline");
    await client.openSession(token);
  }
}

function tokenInAddress(): string | undefined {
  return /^#token=([\w-]+)$/.exec(window.location.hash)?.[1];
}

// The next server may have the port of the last one: to a browser its address is then another place on this page.
window.addEventListener("hashchange", () => {
  if (tokenInAddress() !== undefined) window.location.reload();
});

const root = createRoot(document.getElementById("page") as HTMLElement);
start().then(
  () => {
    root.render(<App />);
    void open({});
  },
  (error: unknown) => root.render(<App failed={asRefused(error)} />),
);
