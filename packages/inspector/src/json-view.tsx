import { isObject } from "@belay/core";
import type { ReactNode } from "react";
import type { Counted } from "./counted.ts";

/** Characters of one text that are drawn at once. */
const MOST = 40_000;

/** A text of a hook's, or a payload, as it is: never as markup. */
export function Text({ text }: { readonly text: string }): ReactNode {
  if (text.length <= MOST) return <pre>{text}</pre>;
  return (
    <pre>
      {text.slice(0, MOST)}
      <span className="cut">… and {text.length - MOST} characters more</span>
    </pre>
  );
}

/** The object of a hook, with the fields that counted marked. */
export function CountedJson({ counted: { json, fields } }: { readonly counted: Counted }): ReactNode {
  const entries = (object: Readonly<Record<string, unknown>>, before: string): ReactNode[] =>
    Object.entries(object).map(([name, value]) => {
      const way = before + name;
      const key = <>{JSON.stringify(name)}: </>;
      if (before === "" && name === "hookSpecificOutput" && isObject(value))
        return (
          <li key={way}>
            {key}
            {"{"}
            <ul>{entries(value, `${name}.`)}</ul>
            {"}"}
          </li>
        );
      const isCounted = fields?.has(way);
      const text = JSON.stringify(value, null, 2) ?? "";
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
          {isCounted && <span className="tag"> ← counted</span>}
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
