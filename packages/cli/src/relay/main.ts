import { relay } from "./relay.ts";
import { isWritten } from "./streams.ts";

/* `belay hook` by itself: the build starts it in place of the whole command line, whose other parts it does not wait for. */

relay(process.argv.slice(3)).then((code) => {
  process.exitCode = code;
  // As the whole command line leaves: to take the heap down in order takes time.
  if (isWritten()) process.exit();
});
