export { emulate, nativeName, type Occasion } from "./emulate.ts";
export type { Emulated, Harness, HarnessEvent, HookRun, Loss, Meaning, ToolNames } from "./harness.ts";
export { meantBy } from "./read/meant.ts";
export { HARNESSES, harnessNamed, harnessNames } from "./registry.ts";
