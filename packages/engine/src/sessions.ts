/** So many sessions are remembered. A host may serve any number of them. */
const MAX_SESSIONS = 1000;

/** What an engine remembers of its newest sessions. */
export interface BySession<Kept> {
  get(session: string): Kept | undefined;
  /** Makes it where there is none yet. */
  of(session: string): Kept;
}

export function bySession<Kept>(make: () => Kept): BySession<Kept> {
  const sessions = new Map<string, Kept>();
  return {
    get: (session) => sessions.get(session),
    of: (session) => {
      const kept = sessions.get(session) ?? make();
      sessions.delete(session); // the newest stands last
      sessions.set(session, kept);
      const [oldest] = sessions.keys();
      if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
      return kept;
    },
  };
}
