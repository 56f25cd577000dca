import { EVENT_NAMES, isEventName } from "@belay/core";
import { clean } from "@belay/core/clean";
import { isObject, messageOf } from "@belay/core/internal";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import type { HooksPage, Samples } from "../api.ts";
import { CopyButton, Empty, Failure } from "../parts/elements.tsx";
import { when } from "../parts/format.ts";
import { lacksSecrets, payloadProblems, payloadToFire } from "../payload.ts";
import { asRefused, client } from "../state/client.ts";
import { beginChoosing, beginFiring, inputOf, stopFiring, type Trial, trial } from "../state/playground.ts";
import { useAsked, useListener, useStore } from "../state/store.ts";
import { EventView, SECRETS_REPLACED } from "./event.tsx";

/** Fires an event at today's hooks, or at an edited config. Nothing of it is recorded in the journal. */
export function Playground(): ReactNode {
  const asked = useAsked(() => Promise.all([client.samples(), client.hooks()]), "");
  if (asked.state === "asking") return <p className="status">reading …</p>;
  if (asked.state === "failed") return <Failure error={asked.error} />;
  const [samples, hooks] = asked.value;
  return <Bench samples={samples} hooks={hooks} />;
}

function Bench({ samples, hooks }: { samples: Samples; hooks: HooksPage }): ReactNode {
  const state = useStore(trial);
  const { event, payload, usesOwnConfig, config, isFiring, isStopped, fired, error } = state;
  const sampleOf = (name: string) =>
    JSON.stringify(samples.samples.find((sample) => sample.event === name)?.payload ?? {}, null, 2);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when nothing was chosen before
  useEffect(() => {
    const [first = ""] = EVENT_NAMES;
    if (event === "") trial.set({ event: first, payload: sampleOf(first) });
    if (config === "") trial.set({ config: firstConfig(hooks) });
  }, []);
  const read = readPayload(event, payload);
  const fire = async () => {
    if (!("value" in read) || isFiring) return;
    const signal = beginFiring();
    const firedWith = inputOf(state);
    trial.set({ isFiring: true, isStopped: false, error: undefined });
    const request = { event, payload: read.value, ...(usesOwnConfig && { config }) };
    try {
      trial.set({ fired: await client.fire(request, signal), firedWith, isFiring: false });
    } catch (thrown) {
      // A result of an earlier event must not stay.
      const end = signal.aborted ? { isStopped: true } : { error: asRefused(thrown) };
      trial.set({ isFiring: false, fired: undefined, ...end });
    }
  };
  useFireKey(() => void fire());
  const isOld = fired !== undefined && state.firedWith !== inputOf(state);
  const result = useShownResult(fired ?? error);
  return (
    <section className="playground" aria-label="Playground">
      <div className="inputs">
        <label>
          Event
          <select
            value={event}
            onChange={({ target }) => trial.set({ event: target.value, payload: sampleOf(target.value) })}
          >
            {EVENT_NAMES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <div className="tools">
          <button type="button" onClick={() => trial.set({ payload: sampleOf(event) })}>
            Sample payload
          </button>
          <RecordedPayload key={event} event={event} />
        </div>
        <label>
          Payload
          <textarea
            rows={14}
            spellCheck={false}
            value={payload}
            onChange={({ target }) => trial.set({ payload: target.value })}
          />
        </label>
        <p className={"value" in read ? "check good" : "check bad"} role="status">
          {"value" in read ? `✓ fits ${event}` : `✗ ${read.problem}`}
          {lacksSecrets(payload) && ` · ${SECRETS_REPLACED}`}
        </p>
        <Config state={state} hooks={hooks} />
        <div className="firing">
          <div className="tools">
            <button
              type="button"
              className="main"
              aria-describedby="why"
              disabled={!("value" in read) || isFiring}
              onClick={() => void fire()}
            >
              Fire (Ctrl+Enter)
            </button>
            <button type="button" disabled={!isFiring} onClick={stopFiring}>
              Stop
            </button>
          </div>
          <p className="why aside" id="why">
            {isFiring
              ? "Fire waits for the hooks that are running."
              : !("value" in read)
                ? "Fire waits until the payload fits."
                : isOld
                  ? "The result is that of the event before this change."
                  : ""}
          </p>
        </div>
      </div>
      <div className={isOld || isFiring ? "result old" : "result"} ref={result}>
        {error ? <Failure error={error} /> : null}
        {isFiring ? (
          <p className="status">the hooks are running …{fired && " Below is the event before."}</p>
        ) : null}
        {fired ? (
          <EventView
            key={fired.record.id}
            detail={fired}
            isRecorded={false}
            tools={
              <>
                <CopyButton label="Copy as test case" text={() => fired.share.testCase} />
                <CopyButton label="Copy as command" text={() => fired.share.commandLine} />
                {fired.share.lacks !== undefined && <p className="lacks">{fired.share.lacks}</p>}
              </>
            }
          />
        ) : (
          !error &&
          !isFiring && (
            <Empty title={isStopped ? "The event was stopped." : "Nothing fired yet."}>
              {isStopped
                ? "Its hooks were ended, and nothing was decided. What they had changed by then stays changed."
                : "Hooks really run here, as they would for an agent, and what they change stays changed. The event is not put into the journal."}
            </Empty>
          )
        )}
      </div>
    </section>
  );
}

/** Scrolls to a new result that begins in the lower half of the window, as it does in a narrow one. */
function useShownResult(came: unknown): RefObject<HTMLDivElement | null> {
  const result = useRef<HTMLDivElement>(null);
  const shown = useRef(came);
  useEffect(() => {
    const isNew = came !== undefined && came !== shown.current;
    shown.current = came;
    const top = result.current?.getBoundingClientRect().top ?? 0;
    if (isNew && top > window.innerHeight / 2) result.current?.scrollIntoView({ block: "start" });
  }, [came]);
  return result;
}

/** Ctrl-Enter fires wherever the focus is, but on a link, where it opens a tab. */
function useFireKey(fire: () => void): void {
  useListener(window, "keydown", (key: KeyboardEvent) => {
    if (key.key !== "Enter" || !(key.ctrlKey || key.metaKey)) return;
    if (key.target instanceof Element && key.target.closest("a")) return;
    // A button that has the focus would be pressed as well.
    key.preventDefault();
    fire();
  });
}

function Config({ state, hooks }: { state: Trial; hooks: HooksPage }): ReactNode {
  const { usesOwnConfig, config } = state;
  return (
    <fieldset>
      <legend>Hooks</legend>
      {[false, true].map((isOwn) => (
        <label key={String(isOwn)} className="choice">
          <input
            type="radio"
            name="config"
            checked={usesOwnConfig === isOwn}
            onChange={() => trial.set({ usesOwnConfig: isOwn })}
          />
          {isOwn ? "an edited config" : `the current ones (${hooks.hooks.length})`}
        </label>
      ))}
      {usesOwnConfig && (
        <>
          {hooks.files.length > 0 && (
            <p className="aside">
              Start from{" "}
              {hooks.files.map(({ file, layer, text }) => (
                <button key={file} type="button" title={file} onClick={() => trial.set({ config: text })}>
                  {layer}
                </button>
              ))}
            </p>
          )}
          <textarea
            aria-label="The edited config"
            rows={12}
            spellCheck={false}
            value={config}
            onChange={({ target }) => trial.set({ config: target.value })}
          />
        </>
      )}
    </fieldset>
  );
}

function firstConfig({ files }: HooksPage): string {
  const file = files.find(({ layer }) => layer === "project") ?? files.at(-1);
  return file?.text ?? '{\n  "hooks": {}\n}\n';
}

function readPayload(
  event: string,
  text: string,
): { readonly value: Record<string, unknown> } | { readonly problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return { problem: "the payload must be a JSON object" };
    const problems = isEventName(event) ? payloadProblems(event, value) : ["there is no such event"];
    return problems.length === 0 ? { value } : { problem: problems.join("; ") };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** The timeline has them all. */
const MAX_RECORDED = 50;

/** Offers the payloads of the newest recorded events of one kind. Its key is the kind, so that another kind asks anew. */
function RecordedPayload({ event }: { event: string }): ReactNode {
  const asked = useAsked(() => client.events({ event }, MAX_RECORDED), event);
  const rows = asked.state === "there" ? asked.value.rows : [];
  const choose = async (key: string) => {
    const isWanted = beginChoosing();
    try {
      const { record } = await client.event(key);
      if (isWanted()) trial.set({ payload: JSON.stringify(payloadToFire(record), null, 2) });
    } catch (error) {
      if (isWanted()) trial.set({ error: asRefused(error), fired: undefined });
    }
  };
  return (
    <select
      aria-label="Recorded events"
      disabled={rows.length === 0}
      value=""
      onChange={({ target }) => void choose(target.value)}
    >
      <option value="">
        {asked.state === "there" && rows.length === 0 ? "none is recorded" : "a recorded payload …"}
      </option>
      {rows.map(({ key, time, about, subject }) => (
        <option key={key} value={key}>
          {[when(time), clean(about), clean(subject)]
            .filter((part) => part !== "")
            .join("  ")
            .slice(0, 100)}
        </option>
      ))}
    </select>
  );
}
