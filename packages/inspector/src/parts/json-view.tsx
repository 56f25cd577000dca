import { clean, cleanOutput } from "@belay/core/clean";
import { isObject } from "@belay/core/internal";
import type { ReactNode } from "react";
import type { Counted } from "./counted-fields.ts";

/** Characters of one text that are drawn at once. */
const MOST = 40_000;

interface Shown {
  readonly text: string;
}

/** Untrusted text, never as markup. Signs that hide or reorder it are made visible, as in the terminal. */
export function Text({ text }: Shown): ReactNode {
  return <Cut text={text} show={clean} />;
}

/** What a hook printed or answered: the same, without its colours. */
export function Output({ text }: Shown): ReactNode {
  return <Cut text={text} show={cleanOutput} />;
}

function Cut({ text, show }: Shown & { readonly show: (text: string) => string }): ReactNode {
  if (text.length <= MOST) return <pre>{show(text)}</pre>;
  return (
    <pre>
      {show(text.slice(0, MOST))}
      <span className="cut">… and {text.length - MOST} characters more</span>
    </pre>
  );
}

/** A hook's JSON object, with marks at the fields that counted. */
export function CountedJson({ counted: { json, fields, idle } }: { counted: Counted }): ReactNode {
  const entries = (object: Readonly<Record<string, unknown>>, before: string): ReactNode[] =>
    Object.entries(object).map(([name, value]) => {
      const way = before + name;
      const key = <>{clean(JSON.stringify(name))}: </>;
      if (before === "" && name === "hookSpecificOutput" && isObject(value))
        return (
          <li key={way}>
            {key}
            {"{"}
            <ul>{entries(value, `${name}.`)}</ul>
            {"}"}
          </li>
        );
      const isRead = fields?.has(way);
      const isCounted = isRead && !idle?.has(way);
      const text = clean(JSON.stringify(value, null, 2) ?? "");
      return (
        <li key={way}>
          {isCounted ? (
            <mark>
              {key}
              {text}
            </mark>
          ) : (
            <span className={fields ? "idle" : undefined}>
              {key}
              {text}
            </span>
          )}
          {isRead && <span className="tag"> {isCounted ? "← counted" : "← read, but did not count"}</span>}
        </li>
      );
    });
  return (
    <>
      <ul className="json">{entries(json, "")}</ul>
      {!fields && <p className="aside">Too long to work out which of its fields counted.</p>}
    </>
  );
}
