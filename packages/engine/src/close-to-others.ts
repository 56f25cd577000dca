import { chmodSync, fchmodSync, fstatSync, type Stats, statSync } from "node:fs";

const OF_OTHERS = 0o077;

/** An open file that another tool made, or a backup brought back. */
export function closeFileToOthers(descriptor: number): void {
  const stat = fstatSync(descriptor);
  if (stat.isFile() && isOpenToOthers(stat)) tryTo(() => fchmodSync(descriptor, 0o600));
}

/** The same for a folder that is there. */
export function closeFolderToOthers(folder: string): void {
  if (isOpenToOthers(statSync(folder))) tryTo(() => chmodSync(folder, 0o700));
}

function isOpenToOthers({ mode }: Stats): boolean {
  return (mode & OF_OTHERS) !== 0;
}

/** Someone else's, or on a file system without modes: what is to be written there is worth more. */
function tryTo(change: () => void): void {
  try {
    change();
  } catch {
    // Nothing else can be done about it.
  }
}
