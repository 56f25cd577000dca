import { realpathSync } from "node:fs";
import { join } from "node:path";
import { belayFolder, writeWholeSync } from "@belay/engine/internal";

/** What an entry in an agent's settings calls. Its path and its text stay the same from version to version. */
export function relayFile(home: string): string {
  return join(belayFolder(home), "bin", process.platform === "win32" ? "belay-hook.cmd" : "belay-hook");
}

/** Two lines beside the script: the Node and the Belay that it starts. */
export function startedFile(home: string): string {
  return join(belayFolder(home), "bin", "belay-hook.starts");
}

const POSIX = `#!/bin/sh
# Written by belay install. Agents call it as a hook; it starts the Node and the Belay that belay-hook.starts names.
# Without one of them nobody can ask the hooks: it refuses.
{ IFS= read -r node && IFS= read -r belay; } < "\${0%/*}/belay-hook.starts" 2>/dev/null
[ -x "$node" ] || node=$(command -v node)
if [ -n "$node" ] && [ -n "$belay" ] && [ -f "$belay" ]; then
  exec "$node" "$belay" hook "$@"
fi
echo "belay: the hooks cannot be asked: Node or Belay is gone; next: belay install \${1:-<agent>}" >&2
exit 2
`;

const WINDOWS = `@echo off\r
rem Written by belay install. Agents call it as a hook; it starts the Node and the Belay that belay-hook.starts names.\r
setlocal\r
set "node="\r
for /f "usebackq delims=" %%a in ("%~dp0belay-hook.starts") do if not defined node (set "node=%%a") else (set "belay=%%a")\r
if exist "%node%" if exist "%belay%" goto start\r
echo belay: the hooks cannot be asked: Node or Belay is gone; next: belay install %1 1>&2\r
exit /b 2\r
:start\r
"%node%" "%belay%" hook %*\r
exit /b %errorlevel%\r
`;

/** Writes the relay script into the user's ~/.belay/bin, to start this Node and this Belay. Returns its path. */
export function placeRelay(home: string): string {
  const file = relayFile(home);
  const [, program = ""] = process.argv;
  writeWholeSync(startedFile(home), `${process.execPath}\n${realpathSync(program)}\n`, 0o644);
  writeWholeSync(file, process.platform === "win32" ? WINDOWS : POSIX, 0o755);
  return file;
}
