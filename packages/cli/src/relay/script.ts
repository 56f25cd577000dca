import { realpathSync } from "node:fs";
import { join } from "node:path";
import { belayFolder, makeFolder, writeWholeSync } from "@belay/engine/internal";

const NAME = "belay-hook";
const PATHS = `${NAME}.paths`;

/**
 * Puts the script that agents call below a home, and returns its path. Neither the path nor the text ever changes: agents ask
 * for trust in what an entry runs. What does change stands in a file beside it.
 */
export function placeRelay(home: string): string {
  const folder = join(belayFolder(home), "bin");
  const script = join(folder, NAME);
  makeFolder(folder);
  writeWholeSync(join(folder, PATHS), `${process.execPath}\n${realpathSync(process.argv[1] ?? "")}\n`, 0o600);
  writeWholeSync(script, SHELL, 0o755);
  writeWholeSync(`${script}.cmd`, WINDOWS.replaceAll("\n", "\r\n"), 0o755);
  return script;
}

const SHELL = `#!/bin/sh
# Belay's hooks for an agent: belay-hook <agent> [event], the payload on stdin. Belay writes this file.
belay_refuse() {
  printf 'belay-hook: %s, so the hooks could not be asked and this is refused; next: belay doctor\\n' "$1" >&2
  exit 2
}
belay_paths=\${0%/*}/${PATHS}
[ -r "$belay_paths" ] || belay_refuse "there is no $belay_paths"
{
  IFS= read -r belay_node
  IFS= read -r belay_program
} <"$belay_paths"
[ -x "$belay_node" ] || belay_refuse "Node is gone from $belay_node"
[ -f "$belay_program" ] || belay_refuse "Belay is gone from $belay_program"
exec "$belay_node" "$belay_program" hook "$@"
`;

const WINDOWS = `@echo off
setlocal
set "belay_paths=%~dp0${PATHS}"
if not exist "%belay_paths%" goto refuse
< "%belay_paths%" (
  set /p belay_node=
  set /p belay_program=
)
if not exist "%belay_node%" goto refuse
if not exist "%belay_program%" goto refuse
"%belay_node%" "%belay_program%" hook %*
exit /b %errorlevel%
:refuse
echo belay-hook: Belay or Node is gone, so the hooks could not be asked and this is refused; next: belay doctor 1>&2
exit /b 2
`;
