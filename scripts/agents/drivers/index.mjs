import { auggie } from "./auggie.mjs";
import { claudeCode } from "./claude-code.mjs";
import { cline } from "./cline.mjs";
import { codex } from "./codex.mjs";
import { copilot } from "./copilot.mjs";
import { droid } from "./droid.mjs";
import { gemini } from "./gemini.mjs";
import { grok } from "./grok.mjs";
import { kimi } from "./kimi.mjs";
import { opencode } from "./opencode.mjs";
import { pi } from "./pi.mjs";
import { qwen } from "./qwen.mjs";

/** @type {readonly import("../driver.mjs").Driver[]} */
export const DRIVERS = [
  claudeCode,
  codex,
  gemini,
  qwen,
  copilot,
  droid,
  grok,
  kimi,
  auggie,
  cline,
  opencode,
  pi,
];
