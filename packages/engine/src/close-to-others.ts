import { chmodSync, fchmodSync, fstatSync, lstatSync, type Stats } from "node:fs";

const OF_OTHERS = 0o077;

/** An open file that another tool made, or a backup brought back. */
export function closeFileToOthers(descriptor: number): void {
  const stat = fstatSync(descriptor);
  if (stat.isFile() && isOpenToOthers(stat)) tryTo(() => fchmodSync(descriptor, 0o600));
}

/** The same for a folder that is there. What is behind a link, or another user's, may be meant for others. */
export function closeFolderToOthers(folder: string): void {
  const stat = lstatSync(folder);
  const isOurs = stat.isDirectory() && stat.uid === process.getuid?.();
  if (isOurs && isOpenToOthers(stat)) tryTo(() => chmodSync(folder, 0o700));
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
