// Takes this machine and this hour out of what a run left: its paths become /home/you, ids are numbered in the order in which they
// are seen, and the run began when all runs begin.

import { homedir } from "node:os";

/** When a run begins, as its logs and payloads say it. */
const BEGIN = Date.UTC(2026, 0, 5, 10);
const DAY = 86_400_000;
const UUID = /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/g;
const ISO = /\b(20\d\d-\d\d-\d\d)T(\d\d)([:-])(\d\d)(?:\3(\d\d)(?:\.(\d+))?)?/g;
const EPOCH = /(?<!\d)1[5-9]\d{8}(?:\d{3})?(?!\d)/g;
const LONG = 400;
const HEAD = 120;

/**
 * A scrubber for all texts of one run: the same id gets the same number in each. `others` are ids of the agent that are no UUID.
 * @param {string} home @param {number} started @param {RegExp} [others]
 */
export function scrubber(home, started, others = /(?!)/g) {
  /** @type {Map<string, string>} */
  const ids = new Map();
  /** @param {string} id */
  const numbered = (id) => {
    const number = String(ids.size + 1);
    const known =
      ids.get(id) ??
      (id.includes("-")
        ? `${number.padStart(8, "0")}-0000-4000-8000-000000000000`
        : number.padStart(id.length, "0"));
    ids.set(id, known);
    return known;
  };
  /** @param {number} time */
  const near = (time) => Math.abs(time - started) < DAY;
  const shift = BEGIN - Math.floor(started / 1000) * 1000;
  const today = new Date(started).toISOString().slice(0, 10);
  const begin = new Date(BEGIN).toISOString().slice(0, 10);
  // Some agents name a folder after the path of the project, with every other character as a dash.
  const slug = home.replace(/[^A-Za-z0-9]/g, "-");

  // Programs are installed below the user's own home; "/root" alone would be the end of a tag in some prompts.
  const own = new RegExp(`(?<![\\w/])${homedir().replace(/[^\w/]/g, "\\$&")}/`, "g");

  /** @param {string} text @returns {string} */
  return (text) => {
    const scrubbed = text
      .replaceAll(home, "/home/you")
      .replace(own, "/home/you/")
      .replaceAll(slug, "-home-you")
      .replaceAll(encodeURIComponent(home), encodeURIComponent("/home/you"))
      .replace(/\b(127\.0\.0\.1|localhost):\d+/g, "$1:1234")
      .replace(UUID, numbered)
      .replace(others, numbered)
      .replace(ISO, (all, date, hour, mark, minute, second = "00", part = "") => {
        const time = Date.parse(`${date}T${hour}:${minute}:${second}.${part.padEnd(3, "0").slice(0, 3)}Z`);
        if (!near(time)) return all;
        const moved = new Date(time + shift).toISOString().slice(0, 23);
        return `${moved.slice(0, all.length).replaceAll(":", mark)}${part.slice(3)}`;
      })
      .replace(EPOCH, (digits) => {
        const unit = digits.length === 13 ? 1 : 1000;
        return near(Number(digits) * unit) ? String(Number(digits) + shift / unit) : digits;
      })
      .replaceAll(today, begin)
      .replaceAll(today.replaceAll("-", "/"), begin.replaceAll("-", "/"));
    // The name of a file may hold the first part of an id alone.
    return [...ids].reduce((all, [id, known]) => all.replaceAll(id.slice(0, 8), known.slice(0, 8)), scrubbed);
  };
}

/** A line of a log with its long strings cut: they are prompts and listings of the agent. @param {string} line */
export function shorten(line) {
  if (line.length <= LONG) return line;
  try {
    return JSON.stringify(JSON.parse(line), (_key, value) =>
      typeof value === "string" && value.length > LONG
        ? `${value.slice(0, HEAD)}… (${value.length} characters)`
        : value,
    );
  } catch {
    return line;
  }
}
