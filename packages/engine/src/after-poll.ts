/**
 * Calls back after the event loop has polled for exits, messages and input at least once. A busy host fires its timers
 * late: whoever has answered by then is not timed out (DESIGN §4.9).
 */
export function afterPoll(callback: () => void): void {
  setImmediate(() => setImmediate(callback));
}
