import { readFileSync } from "node:fs";
import { sha256 } from "../ids.ts";

/** Changes whenever the content does, also twice within one tick of the file system's clock. */
export function filePrint(file: string): string {
  try {
    return sha256().update(readFileSync(file)).digest("base64");
  } catch {
    return "unreadable";
  }
}
