export { printDemo } from "../demo/print.ts";
export { chatInTerminal, demoInTerminal } from "../tui/start.tsx";
export { printChat } from "./print.ts";
