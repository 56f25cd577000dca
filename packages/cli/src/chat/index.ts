export { chatInTerminal } from "../tui/start.tsx";
export { printChat } from "./print.ts";
