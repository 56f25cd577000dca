import { clean } from "@belay/core/clean";
import type { ReactNode } from "react";
import type { Refused } from "../state/client.ts";

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
