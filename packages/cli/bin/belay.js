#!/usr/bin/env node
// Committed, not built: npm links a bin at install time only when the file is already there.
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const built = join(__dirname, "../dist/main.cjs");
if (!existsSync(built)) {
  process.stderr.write("belay: not built yet. Next: npm run build (at the root of the repository)\n");
  process.exit(1);
}
require(built);
