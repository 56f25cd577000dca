import { type ReactNode, useState } from "react";
import { client } from "./client.ts";
import { CopyButton } from "./copy.tsx";
import { EventView } from "./event-view.tsx";
import { Failure } from "./failure.tsx";
import { handOver } from "./playground-store.ts";
import { go } from "./route.ts";
import { useAsked } from "./use-asked.ts";

/** One recorded event. */
export function EventPage({ eventKey }: { readonly eventKey: string }): ReactNode {
  const asked = useAsked(() => client.event(eventKey), eventKey);
  const [lacks, setLacks] = useState("");
  if (asked.state === "asking") return <p className="status">reading …</p>;
  if (asked.state === "failed") return <Failure error={asked.error} />;
  const { record } = asked.value;
  const shared = async () => {
    const share = await client.testCase(eventKey);
    setLacks(share.lacks ?? "");
    return share;
  };
  return (
    <EventView
      detail={asked.value}
      tools={
        <>
          <CopyButton label="Copy as test case" text={async () => (await shared()).testCase} />
          <CopyButton label="Copy as command" text={async () => (await shared()).commandLine} />
          <button
            type="button"
            onClick={() => {
              handOver(record.event, record.payload);
              go({ view: "playground" });
            }}
          >
            Open in the playground
          </button>
          <a className="button" href="#/timeline">
            Back (Esc)
          </a>
          {lacks !== "" && <p className="lacks">{lacks}</p>}
        </>
      }
    />
  );
}
