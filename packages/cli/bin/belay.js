#!/usr/bin/env node
// Committed, not built: npm links a bin at install time only when the file is already there.
import { existsSync } from "node:fs";

const built = new URL("../dist/main.js", import.meta.url);
if (!existsSync(built)) {
  process.stderr.write("belay: not built yet. Next: npm run build (at the root of the repository)\n");
  process.exit(1);
}
await import(built.href);
