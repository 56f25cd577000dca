import { type ReactNode, useState } from "react";
import { asRefused } from "../state/client.ts";

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
