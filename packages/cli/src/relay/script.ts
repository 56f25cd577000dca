import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { belayFolder, makeFolder, readText, writeWholeSync } from "@belay/engine/internal";
import { PROGRAM, placeFor } from "../resident/place.ts";

export const SCRIPT_NAME = "belay-hook";
const PATHS = `${SCRIPT_NAME}.paths`;

/**
 * Puts the script that agents call below a home, and returns its path. Neither the path nor the text ever changes: agents ask
 * for trust in what an entry runs. What does change stands in a file beside it.
 */
export function placeRelay(home: string): string {
  const folder = join(belayFolder(home), "bin");
  makeFolder(folder);
  const script = join(folder, SCRIPT_NAME);
  const paths = [process.execPath, PROGRAM, placeFor(home).socket, onPath("curl"), onPath("cat")];
  if (paths.some((path) => path.includes("\n")))
    throw new Error("a path of Belay or of Node holds a line break");
  put(join(folder, PATHS), paths.map((path) => `${path}\n`).join(""), 0o600);
  put(script, SHELL, 0o755);
  put(`${script}.cmd`, WINDOWS.replaceAll("\n", "\r\n"), 0o755);
  return script;
}

function put(file: string, text: string, mode: number): void {
  if (textOf(file) !== text) writeWholeSync(file, text, mode);
}

function textOf(file: string): string | undefined {
  try {
    return readText(file);
  } catch {
    return undefined;
  }
}

/** Where a program is now; "" if nowhere. An agent's own PATH may begin in a project. */
export function onPath(name: string): string {
  for (const folder of (process.env.PATH ?? "").split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {}
  }
  return "";
}

/**
 * For every POSIX shell. The payload is kept until there is an answer. The resident answers with a line "<exit code> <1 or 2>"
 * and the words for that stream; until it does, it sends line breaks. A status from 400 on says that no hook was run.
 */
const SHELL = `#!/bin/sh
# Belay's hooks for an agent: belay-hook <agent> [event], the payload on stdin. Belay writes this file.
belay_refuse() {
  printf 'belay-hook: %s, so the hooks could not be asked and this is refused; next: belay doctor\n' "$1" >&2
  exit 2
}
belay_start() {
  belay_after=$1
  shift
  "$belay_node" "$belay_program" hook --after "$belay_after" "$@" <<BELAY
$belay_payload
BELAY
  belay_code=$?
  case $belay_code in 0 | 2) exit "$belay_code" ;; esac
  belay_refuse "Belay ended with exit $belay_code"
}
belay_line='
'
belay_paths=\${0%/*}/${PATHS}
[ -r "$belay_paths" ] || belay_refuse "there is no $belay_paths"
{
  IFS= read -r belay_node
  IFS= read -r belay_program
  IFS= read -r belay_socket
  IFS= read -r belay_curl
  IFS= read -r belay_cat
} <"$belay_paths"
[ -x "$belay_node" ] || belay_refuse "Node is gone from $belay_node"
[ -f "$belay_program" ] || belay_refuse "Belay is gone from $belay_program"
[ -t 0 ] && exec "$belay_node" "$belay_program" hook "$@"
[ -x "$belay_cat" ] || belay_cat=cat
belay_payload=$("$belay_cat") || belay_refuse "the payload could not be read"
[ -S "$belay_socket" ] && [ -O "$belay_socket" ] || belay_start 0 "$@"
[ -x "$belay_curl" ] && [ -r "/proc/$$/environ" ] || belay_start ask "$@"
belay_answer=$("$belay_curl" -q -s --noproxy '*' --unix-socket "$belay_socket" -H Expect: \
  --speed-limit 1 --speed-time 3 -w '\n%{http_code} %{time_total}' --data-binary @- "http://belay/hook?$$" 2>/dev/null <<BELAY
$belay_payload
BELAY
)
belay_failed=$?
belay_status=\${belay_answer##*"$belay_line"}
case "$belay_failed $belay_status" in
"0 200 "*)
  belay_answer=\${belay_answer%"$belay_line"*}
  belay_answer=\${belay_answer#"\${belay_answer%%[!$belay_line]*}"}
  belay_head=\${belay_answer%%"$belay_line"*}
  belay_answer=\${belay_answer#*"$belay_line"}
  case $belay_head in
  [0-9]*" 1") printf %s "$belay_answer" || exit 2; exit "\${belay_head% *}" ;;
  [0-9]*" 2") printf %s "$belay_answer" >&2; exit "\${belay_head% *}" ;;
  esac
  ;;
[247]" "* | *" "[45]??" "*) belay_start 0 "$@" ;;
esac
belay_start "\${belay_status#* }" "$@"
`;

/** Windows has no resident. */
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
if "%errorlevel%"=="0" exit /b 0
if "%errorlevel%"=="2" exit /b 2
:refuse
echo belay-hook: Belay or Node is gone, so the hooks could not be asked and this is refused; next: belay doctor 1>&2
exit /b 2
`;
