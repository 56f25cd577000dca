import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { asRefused, client } from "./state/client.ts";
import { open } from "./state/timeline.ts";
import "./style.css";

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
