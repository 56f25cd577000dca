import { spawn } from "node:child_process";
import { PROGRAM, placeFor, whyNotThere } from "./place.ts";

/**
 * Variables that a process reads for itself, and not for its hooks. A caller with other values of them is not answered here:
 * its hooks could be found, or reached, differently.
 */
export const OWN = [
  "HOME",
  "NODE_OPTIONS",
  "NODE_EXTRA_CA_CERTS",
  "NODE_TLS_REJECT_UNAUTHORIZED",
  "NODE_USE_ENV_PROXY",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];
const HARMLESS = ["PATH", "USER", "LOGNAME", "LANG", "LC_ALL", "TMPDIR"];

/** V8's young generation would grow to 48 MB: garbage that waits. */
const SMALL = ["--max-semi-space-size=2"];

/** Starts the resident in a session of its own, with no stream of the agent's. Waits for nothing, and never throws. */
export function startResident(): void {
  const place = placeFor();
  if (whyNotThere(place) !== undefined) return;
  const names = [...OWN, ...HARMLESS].filter((name) => process.env[name] !== undefined);
  const env = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  try {
    const child = spawn(process.execPath, [...SMALL, PROGRAM, "daemon", "--serve"], {
      cwd: place.folder,
      env,
      detached: true,
      stdio: "ignore",
    });
    child.on("error", () => {});
    child.unref();
  } catch {
    // The next call tries again.
  }
}
