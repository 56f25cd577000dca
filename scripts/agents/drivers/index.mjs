import { claude } from "./claude.mjs";
import { codex } from "./codex.mjs";
import { copilot } from "./copilot.mjs";
import { gemini } from "./gemini.mjs";
import { qwen } from "./qwen.mjs";

/** @type {readonly import("../driver.mjs").Driver[]} */
export const DRIVERS = [claude, codex, gemini, qwen, copilot];
