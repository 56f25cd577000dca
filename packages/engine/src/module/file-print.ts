import { contentOf } from "../file-content.ts";
import { sha256 } from "../ids.ts";

/** Changes whenever the content does, also twice within one tick of the file system's clock. */
export function filePrint(file: string): string {
  return sha256().update(contentOf(file)).digest("base64");
}
