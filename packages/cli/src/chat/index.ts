export { printDemo } from "../demo/print.ts";
export { showDemo } from "../demo/show.ts";
export { chatInTerminal } from "../tui/start.tsx";
export { printChat } from "./print.ts";
