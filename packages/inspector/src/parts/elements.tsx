import type { DecisionKind } from "@belay/core";
import { clean } from "@belay/core/clean";
import { type saidBy, wordFor } from "@belay/core/compare";
import { type ReactNode, useState } from "react";
import { asRefused, type Refused } from "../state/client.ts";

/** What is shown of a decision, or of a single hook. */
export type Said = DecisionKind | ReturnType<typeof saidBy>;

/** Each kind has a sign and a word besides its colour, for readers who see no colours. */
const SIGNS: Readonly<Record<Said, string>> = {
  none: "·",
  abstain: "·",
  rewrite: "~",
  context: "+",
  message: "i",
  allow: "✓",
  ask: "?",
  deny: "✗",
  block: "⊘",
  stop: "■",
  fault: "!",
  failed: "!",
};

/** The sign of a kind. A journal of another version may name an unknown kind, even "constructor". */
export function signOf(kind: Said): string {
  return Object.hasOwn(SIGNS, kind) ? SIGNS[kind] : SIGNS.none;
}

/** The CSS class for the colour of a kind. */
export function classOf(kind: Said): string {
  return kind === "fault" || kind === "failed" ? "faulty" : kind;
}

export function Kind({ kind }: { kind: Said }): ReactNode {
  return (
    <span className={`kind ${classOf(kind)}`}>
      <span aria-hidden="true" className="sign">
        {signOf(kind)}
      </span>{" "}
      {wordFor(kind)}
    </span>
  );
}

/** What went wrong, and what to do. */
export function Failure({ error }: { error: Refused }): ReactNode {
  return (
    <div className="notice failure" role="alert">
      <strong>{clean(error.message)}</strong>
      {error.next !== undefined && <p>{clean(error.next)}</p>}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <div className="notice">
      <strong>{title}</strong>
      <p>{children}</p>
    </div>
  );
}

/** Copies a text; where the browser does not allow it, the text is shown to be copied by hand. */
export function CopyButton({
  label,
  text,
}: {
  label: string;
  text: () => Promise<string> | string;
}): ReactNode {
  const [state, setState] = useState<{ said: string; shown?: string }>({ said: "" });
  const copy = async () => {
    try {
      const copied = await text();
      await navigator.clipboard.writeText(copied).then(
        () => setState({ said: "copied" }),
        () => setState({ said: "", shown: copied }),
      );
    } catch (error) {
      setState({ said: asRefused(error).message });
    }
  };
  return (
    <span className="copy">
      <button type="button" onClick={() => void copy()}>
        {state.said === "copied" ? "✓ Copied" : label}
      </button>
      {state.said !== "" && state.said !== "copied" && <span role="alert">{state.said}</span>}
      {state.shown !== undefined && <textarea readOnly rows={8} aria-label={label} value={state.shown} />}
    </span>
  );
}
