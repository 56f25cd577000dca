import { claudeCode } from "./claude-code.mjs";
import { codex } from "./codex.mjs";
import { copilot } from "./copilot.mjs";
import { gemini } from "./gemini.mjs";
import { qwen } from "./qwen.mjs";

/** @type {readonly import("../driver.mjs").Driver[]} */
export const DRIVERS = [claudeCode, codex, gemini, qwen, copilot];
