// Compares the published types of each entry with what importing the entry gives: types must not promise a value that is not there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** At most so many values of the main entry are for hosts; everything else belongs behind `/internal`. */
const MOST_VALUES = { core: 45, engine: 25 };

/** @type {string[]} */
const broken = [];
for (const name of readdirSync("packages")) {
  const { exports } = JSON.parse(readFileSync(`packages/${name}/package.json`, "utf8"));
  for (const [entry, { types, default: code }] of Object.entries(exports)) {
    if (types === undefined || !existsSync(join("packages", name, types))) continue;
    const file = join("packages", name, types);
    const found = Object.keys(await import(pathToFileURL(join("packages", name, code)).href));
    for (const value of valuesIn(file))
      if (!found.includes(value))
        broken.push(`${file}: the types promise a value ${value}, ${code} has none`);
    const most = entry === "." ? /** @type {Record<string, number>} */ (MOST_VALUES)[name] : undefined;
    if (most !== undefined && found.length > most)
      broken.push(`packages/${name}: ${found.length} values are exported; at most ${most} are for hosts`);
  }
}

if (broken.length > 0) {
  process.stdout.write(`${broken.join("\n")}\n`);
  process.exit(1);
}

/** The names under which a declaration file exports something that is a value. @param {string} file */
function valuesIn(file) {
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const symbol = source && checker.getSymbolAtLocation(source);
  if (!symbol) return [];
  return checker
    .getExportsOfModule(symbol)
    .filter((one) => {
      const meant = one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one;
      return (meant.flags & ts.SymbolFlags.Value) !== 0;
    })
    .map((one) => one.getName());
}
