import { createRequire } from "node:module";
import { sep } from "node:path";
import { filePrint } from "./file-print.ts";
import type { LoadedFile } from "./messages.ts";

const PACKAGES = `${sep}node_modules${sep}`;

/**
 * Reports each file that this thread requires, as it is just before it is loaded: loader hooks are not asked about those.
 * Of packages there may be thousands, and trust does not cover them.
 */
export function reportRequired(report: (loaded: LoadedFile) => void): void {
  const { extensions } = createRequire(import.meta.url);
  for (const [extension, load] of Object.entries(extensions)) {
    if (!load) continue;
    extensions[extension] = (module, file) => {
      if (!file.includes(PACKAGES)) report({ file, print: filePrint(file) });
      load(module, file);
    };
  }
}
