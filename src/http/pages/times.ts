import { formatDate, formatDateTime, formatTime } from "../../language/format.ts";
import { escapeHtml, type Html } from "../../language/html.ts";
import { t } from "../../language/translate.ts";

/** A time as every page prints it: `html` in a view or a tHtml(), `text` in a plain sentence. */
export interface ShownTime extends Html {
  /** "just now", "3 min ago", "in 23 h", from thirty days on "4 Mar 2026" (UTC). */
  text: string;
}

/** The title has the whole time in UTC; app.js puts the reader's own in its place, and into a date that is the text. */
export function shownTime(at: Date, now = new Date()): ShownTime {
  const isNear = Math.abs(at.getTime() - now.getTime()) < NEAR_MS;
  const text = isNear ? relativeTime(at, now) : formatDate(at);
  const title = escapeHtml(`${formatDateTime(at)} UTC`);
  const day = isNear ? "" : " data-day";
  return { text, html: `<time datetime="${at.toISOString()}" title="${title}"${day}>${escapeHtml(text)}</time>` };
}

const NEAR_MS = 30 * 86_400_000;

/** Uses days from two days on. */
function relativeTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  const unit = UNITS.find(({ least }) => Math.abs(seconds) >= least);
  if (!unit) return seconds > 0 ? t("in less than a minute") : t("just now");
  const amount = unit.amount(Math.round(Math.abs(seconds) / unit.length));
  return seconds > 0 ? t("in {amount}", { amount }) : t("{amount} ago", { amount });
}

/** Lengths in seconds. */
const UNITS = [
  { amount: (n: number) => t("{n} days", { n }), length: 86_400, least: 2 * 86_400 },
  { amount: (n: number) => t("{n} h", { n }), length: 3600, least: 3600 },
  { amount: (n: number) => t("{n} min", { n }), length: 60, least: 60 },
];

/** A time on the clock of a place. */
export interface Moment {
  iso: string;
  /** Local date, 2026-03-04. */
  date: string;
  day: string;
  /** Below the name of its month. */
  shortDay: string;
  time: string;
}

/** `seconds` since the epoch, `offset` in minutes east of UTC. Returns undefined if they are absurd. */
export function moment(seconds: number, offset = 0): Moment | undefined {
  const at = new Date(seconds * 1000);
  // Formatted as UTC, so the server's time zone does not matter.
  const local = new Date((seconds + offset * 60) * 1000);
  if (!(Math.abs(seconds) < 1e11) || !(Math.abs(offset) <= 1000)) return undefined;
  const date = local.toISOString().slice(0, 10);
  return {
    iso: at.toISOString(),
    date,
    day: formatDate(local, "full"),
    shortDay: formatDate(local, "day"),
    time: formatTime(local),
  };
}
