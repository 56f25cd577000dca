// Programs that do what ours does, installed in bench/peers when they are asked for and never otherwise.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = new URL("./peers/", import.meta.url);

/** @returns {Record<string, string>} the exact version of each */
export function peerVersions() {
  return JSON.parse(readFileSync(new URL("package.json", FOLDER), "utf8")).dependencies;
}

/** @param {string} name */
const folderOf = (name) => new URL(`node_modules/${name}/`, FOLDER);

/** What keeps a peer from being measured, and the command that helps. @param {string} name @returns {string | undefined} */
export function missingPeer(name) {
  const manifest = new URL("package.json", folderOf(name));
  const version = existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version;
  const wanted = peerVersions()[name];
  if (version === wanted) return undefined;
  return `${name} ${wanted} is not installed; run: npm run bench -- --peers`;
}

/** @param {string} name @param {string} file @returns {Promise<any>} its types are not ours to check */
export function importPeer(name, file) {
  return import(new URL(file, folderOf(name)).href);
}

/** False when npm could not; it has said why. */
export function installPeers() {
  if (Object.keys(peerVersions()).every((name) => missingPeer(name) === undefined)) return true;
  process.stderr.write("bench: installing what we are compared with into bench/peers\n");
  const { status } = spawnSync(
    "npm",
    ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"],
    {
      cwd: fileURLToPath(FOLDER),
      stdio: ["ignore", 2, 2],
      shell: process.platform === "win32",
    },
  );
  return status === 0;
}
