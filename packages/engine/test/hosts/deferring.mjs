// A listener as exit libraries add it: it dies of the signal, but leaves that to others as long as there are any.
/** @param {NodeJS.Signals} signal */
export function deferOn(signal) {
  const onSignal = () => {
    if (process.listenerCount(signal) > 1) return;
    process.off(signal, onSignal);
    process.kill(process.pid, signal);
  };
  process.on(signal, onSignal);
}
