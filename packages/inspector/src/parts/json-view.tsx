import { clean, cleanOutput } from "@belay/core/clean";
import { isObject } from "@belay/core/internal";
import type { ReactNode } from "react";
import type { Counted } from "./counted-fields.ts";
import { numbered } from "./format.ts";

/** Characters of one text that are drawn at once. */
const MOST = 40_000;

/** Untrusted text, never as markup. Signs that hide or reorder it are made visible, as in the terminal. */
export function Text({
  text,
  show = clean,
}: {
  readonly text: string;
  readonly show?: (text: string) => ReactNode;
}): ReactNode {
  return (
    <pre>
      {show(text.slice(0, MOST))}
      {text.length > MOST && `… and ${text.length - MOST} characters more`}
    </pre>
  );
}

/** What a hook printed or answered: the same, without its colours. */
export function Output({ text }: { text: string }): ReactNode {
  return <Text text={text} show={cleanOutput} />;
}

export function Json({ value }: { value: unknown }): ReactNode {
  return <Text text={JSON.stringify(value, null, 2) ?? ""} show={coloured} />;
}

/** What has a colour in JSON: names of fields, texts, numbers and words. A text may be cut at its end. */
const TOKEN = /("(?:[^"\\]|\\.)*(?:"|\\?$))(?=(\s*:)?)|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/gs;

/** JSON as it is indented, in colours. */
function coloured(json: string): ReactNode {
  const text = clean(json);
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: token, 1: quoted, 2: colon, index } of text.matchAll(TOKEN)) {
    const kind = quoted === undefined ? "value" : colon === undefined ? "string" : "key";
    parts.push(
      text.slice(end, index),
      <span key={index} className={kind}>
        {kind === "string" ? withBreaks(token) : token}
      </span>,
    );
    end = index + token.length;
  }
  return [...parts, text.slice(end)];
}

/** A text with its line breaks, where they are escaped: what is copied is still JSON. */
function withBreaks(text: string): ReactNode {
  const parts = text.match(/\\n|(?:\\[^n]|[^\\])+|\\$/g) ?? [];
  // None before the quote that ends the text.
  return numbered(parts).map(({ number, item }) =>
    item === "\\n" && parts[number + 1] !== '"' ? (
      <span key={number} className="break">
        {item}
      </span>
    ) : (
      item
    ),
  );
}

/** A hook's JSON object, with marks at the fields that counted. */
export function CountedJson({ counted: { json, fields, idle } }: { counted: Counted }): ReactNode {
  const entries = (object: Readonly<Record<string, unknown>>, before: string): ReactNode[] =>
    Object.entries(object).map(([name, value]) => {
      const way = before + name;
      const key = (
        <>
          <span className="key">{clean(JSON.stringify(name))}</span>:{" "}
        </>
      );
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
      const Field = isCounted ? "mark" : "span";
      return (
        <li key={way}>
          <Field className={fields && !isCounted ? "idle" : undefined}>
            {key}
            {coloured(JSON.stringify(value, null, 2) ?? "")}
          </Field>
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
