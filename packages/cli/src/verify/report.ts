import type { Harness } from "@belay/harness";
import { DEATHS, type Deaths, deathsOf } from "../install/deaths.ts";
import type { Io } from "../io.ts";
import { tableLines } from "../render/table.ts";
import { hang, oneLine } from "../render/text.ts";
import { CANARIES, type Canary, type Proof } from "./canaries.ts";

/** What is known of one agent. */
export interface Verified {
  readonly agent: string;
  /** The program that was driven; absent where none was, and then `why` and `next` say what to do. */
  readonly program?: string;
  readonly proofs: Readonly<Partial<Record<Canary, Proof>>>;
  readonly why?: string;
  readonly next?: string;
}

/** 2: one was not obeyed. 1: of an agent that was named nothing was proven, or of none. */
export function exitCodeFor(agents: readonly Verified[], named: readonly string[]): number {
  const has = ({ proofs }: Verified, result: Proof["result"]) =>
    Object.values(proofs).some((proof) => proof.result === result);
  if (agents.some((agent) => has(agent, "not obeyed"))) return 2;
  const isProven = (agent: Verified) => has(agent, "obeyed");
  const due = agents.filter(({ agent }) => named.includes(agent));
  return agents.some(isProven) && due.every(isProven) ? 0 : 1;
}

export function report(agents: readonly Verified[], io: Io): string {
  const driven = agents.filter(({ program }) => program !== undefined);
  const table = tableLines(
    driven,
    { title: "", text: ({ agent }) => agent },
    CANARIES.map((title) => ({ title, text: ({ proofs }) => proofs[title]?.result ?? "" })),
    [],
    io,
  );
  const notes = agents.flatMap(({ agent, proofs, why, next }) => [
    ...(why === undefined
      ? []
      : hang(`${agent}: `, `${oneLine(why)}${next === undefined ? "" : `; next: ${next}`}`, io.columns)),
    ...Object.entries(proofs).flatMap(([canary, proof]) =>
      proof.result === "not obeyed" || proof.result === "not verified"
        ? hang(`${agent}: `, `${canary} ${proof.result}: ${oneLine(proof.why)}`, io.columns)
        : [],
    ),
  ]);
  return [...(driven.length > 0 ? table : []), ...notes].map((line) => `${line}\n`).join("");
}

interface Measured {
  readonly agent: Harness;
  /** Empty where the agent could not be driven. */
  readonly found: Partial<Deaths>;
}

/** False where something runs of which `belay install` says that it is refused, or the other way round. */
export function isAsSaid(agent: Harness, found: Partial<Deaths>): boolean {
  const said = deathsOf(agent, []);
  return DEATHS.every((death) => found[death] === undefined || found[death] === said[death]);
}

/** Agent × death, with a mark where install says otherwise. */
export function deathsReport(measured: readonly Measured[], io: Io): string {
  const columns = DEATHS.map((title) => ({
    title,
    text: ({ agent, found }: Measured) => {
      const said = deathsOf(agent, [])[title];
      const is = found[title] ?? "not measured";
      return found[title] === undefined || is === said ? is : `${is}, not ${said}`;
    },
  }));
  const lines = tableLines(measured, { title: "", text: ({ agent }) => agent.name }, columns, [], io);
  return lines.map((line) => `${line}\n`).join("");
}
