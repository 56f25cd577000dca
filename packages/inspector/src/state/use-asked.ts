import { useEffect, useState } from "react";
import { asRefused, type Refused } from "./client.ts";

export type Asked<T> =
  | { readonly state: "asking" }
  | { readonly state: "there"; readonly value: T }
  | { readonly state: "failed"; readonly error: Refused };

/** What the server says to one question, asked again when `about` changes. */
export function useAsked<T>(ask: () => Promise<T>, about: string): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ state: "asking" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` says when it is another question
  useEffect(() => {
    let isCurrent = true;
    ask().then(
      (value) => isCurrent && setAsked({ state: "there", value }),
      (error: unknown) => isCurrent && setAsked({ state: "failed", error: asRefused(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [about]);
  return asked;
}
