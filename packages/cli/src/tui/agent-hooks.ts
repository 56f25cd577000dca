import type { Agent } from "@belay/agent";
import { useEffect, useState } from "react";

const IDLE_MS = 60_000;

/** Takes a resumed session up where it was cut off; whether that goes on still. */
export function useGoingOn(agent: Agent, goesOn: boolean, tell: (error: unknown) => void): boolean {
  const [isGoingOn, setIsGoingOn] = useState(goesOn);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the screen appears
  useEffect(() => {
    if (!goesOn) return;
    agent
      .goOn()
      .catch(tell)
      .finally(() => setIsGoingOn(false));
  }, []);
  return isGoingOn;
}

/** Tells hooks when the user has not said anything for a while. */
export function useIdleNotice(agent: Agent, isIdle: boolean): void {
  useEffect(() => {
    if (!isIdle) return undefined;
    const timer = setTimeout(() => agent.noteIdle(), IDLE_MS);
    return () => clearTimeout(timer);
  }, [agent, isIdle]);
}
