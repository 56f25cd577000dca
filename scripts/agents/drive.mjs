// What `belay verify` needs of this folder: the build makes one file of the command line of it.
export { DRIVERS } from "./drivers/index.mjs";
export { installed, nodeOf } from "./install.mjs";
export { PROJECT } from "./probes.mjs";
export { run } from "./run.mjs";
