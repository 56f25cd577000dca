// Installs the real program of an agent from npm, one folder for each version, outside the clone.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export const CACHE = process.env.BELAY_AGENTS_CACHE ?? join(homedir(), ".cache", "belay-agents");

/** The folder of an installation. @param {string} name @param {string} version */
export const installed = (name, version) => join(CACHE, name, version);

/** The Node that runs a driver's program and its hooks. @param {import("./driver.mjs").Driver} driver */
export const nodeOf = ({ node }) =>
  node ? join(installed("node", node), "node_modules", "node", "bin", "node") : process.execPath;

/** @param {string} name @param {string} version @param {string[]} packages */
function install(name, version, packages) {
  const folder = installed(name, version);
  if (existsSync(join(folder, "done"))) return;
  process.stdout.write(`${name} ${version}: npm install into ${folder}\n`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}\n');
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages];
  const { status } = spawnSync("npm", args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error(`${name}: npm could not install ${packages.join(" ")}`);
  writeFileSync(join(folder, "done"), `${packages.join("\n")}\n`);
}

/** @param {import("./driver.mjs").Driver} driver */
export function installDriver({ name, package: own, also = [], version, node }) {
  if (node) install("node", node, [`node@${node}`]);
  install(
    name,
    version,
    [own, ...also].map((each) => `${each}@${version}`),
  );
}
