// Runs every check that does not run the product, then names those that failed.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const bin = "node_modules/.bin";
const packages = readdirSync("packages");
/** The command line exports nothing to type. */
const libraries = packages.filter((name) => existsSync(`packages/${name}/dist/index.d.ts`));

/** @type {[name: string, command: string[]][]} */
const checks = [
  ["types", [`${bin}/tsc`, "--noEmit", "-p", "."]],
  ["types of the page", [`${bin}/tsc`, "--noEmit", "-p", "packages/inspector"]],
  ["lint and format", [`${bin}/biome`, "ci", "--error-on-warnings", "."]],
  ["house rules", ["node", "scripts/house-rules.mjs"]],
  ["citations of the design", ["node", "scripts/design-references.mjs"]],
  ["dead code", [`${bin}/knip`, "--no-progress"]],
  ["published names", ["node", "scripts/published-names.mjs"]],
  ["generated files", ["node", "scripts/generate.mjs", "--check"]],
];
for (const name of packages)
  checks.push([`package shape: ${name}`, [`${bin}/publint`, "--strict", `packages/${name}`]]);
for (const name of libraries) {
  const attw = [`${bin}/attw`, "--pack", `packages/${name}`, "--profile", "esm-only"];
  checks.push([`types as published: ${name}`, attw]);
}

const failed = checks.filter(([name, command]) => {
  const started = performance.now();
  const [program = "", ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  const ok = status === 0;
  process.stdout.write(
    `${ok ? "ok    " : "FAILED"} ${name} (${Math.round(performance.now() - started)} ms)\n`,
  );
  if (!ok) process.stdout.write(`${stdout}${stderr}\n`);
  return !ok;
});

if (failed.length > 0) {
  process.stdout.write(
    `\n${failed.length} of ${checks.length} checks failed: ${failed.map(([name]) => name).join(", ")}\n`,
  );
  process.exit(1);
}
