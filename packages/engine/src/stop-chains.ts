import type { DecideContext, DecisionKind, EventName } from "@belay/core";
import { eventRow } from "@belay/core/internal";
import type { Payload } from "./payload.ts";

/** A chain of blocked stops: the agent goes on because of a stop hook, and so often in a row without a tool call. */
interface StopChain {
  readonly active: boolean;
  readonly blocks: number;
}

const NO_CHAIN: StopChain = { active: false, blocks: 0 };

/** The chains of all sessions; each subagent has one of its own (design §5). */
export interface StopChains {
  /** What an event is fired with: a stop knows its chain. */
  before(event: EventName, payload: Payload): { payload: Payload; stops?: DecideContext["stops"] };
  /** Notes what an event came to. */
  after(event: EventName, payload: Payload, kind: DecisionKind): void;
}

export function stopChains(cap: number): StopChains {
  const sessions = new Map<string, Map<unknown, StopChain>>();
  return {
    before: (event, payload) => {
      if (eventRow(event).stopChain !== "link") return { payload };
      const { active, blocks } = sessions.get(payload.session_id)?.get(payload.agent_id) ?? NO_CHAIN;
      const stop_hook_active = active || payload.stop_hook_active === true;
      return {
        payload: { ...payload, stop_hook_active },
        ...(Number.isFinite(cap) && { stops: { soFar: blocks, cap } }),
      };
    },
    after: (event, { session_id, agent_id }, kind) => {
      const { stopChain } = eventRow(event);
      const known = sessions.get(session_id);
      if (!known && stopChain !== "link") return;
      const chains = known ?? new Map<unknown, StopChain>();
      const change = (to: (chain: StopChain) => StopChain) => {
        for (const [agent, chain] of chains) chains.set(agent, to(chain));
      };
      if (stopChain === "progress") change((chain) => ({ ...chain, blocks: 0 }));
      if (stopChain === "end") change((chain) => ({ ...chain, active: false }));
      if (stopChain === "link") {
        const { blocks } = chains.get(agent_id) ?? NO_CHAIN;
        if (kind === "block") chains.set(agent_id, { active: true, blocks: blocks + 1 });
        else chains.delete(agent_id);
      }
      if (chains.size > 0) sessions.set(session_id, chains);
      else sessions.delete(session_id);
    },
  };
}
