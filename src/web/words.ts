/** Metres as people say them: "350 m", "1.2 km", "48 km". */
export function distance(metres: number): string {
  if (metres < 100) return `${Math.round(metres)} m`;
  if (metres < 995) return `${Math.round(metres / 10) * 10} m`;
  return metres < 9950 ? `${(metres / 1000).toFixed(1)} km` : `${Math.round(metres / 1000)} km`;
}

/** "1 venue", "12 venues". */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${new Intl.NumberFormat("en").format(number)} ${number === 1 ? one : many}`;

/** How long ago something was that is known to ten minutes: "just now", "about 40 minutes ago", "about 3 days ago". */
export function ago(seconds: number): string {
  if (seconds < 600) return "just now";
  if (seconds < 3600) return `about ${Math.floor(seconds / 600) * 10} minutes ago`;
  const hours = Math.floor(seconds / 3600);
  return `about ${hours < 48 ? count(hours, "hour") : count(Math.floor(hours / 24), "day")} ago`;
}

export interface Moment {
  /** For `<time datetime>`. */
  iso: string;
  /** 2026-03-04, where it happened. */
  date: string;
  /** "Wednesday, 4 March 2026". */
  day: string;
  /** "08:41". */
  time: string;
}

/**
 * A time by the clock of the place where it happened.
 *
 * @param seconds epoch seconds
 * @param offset minutes east of UTC
 * @returns undefined for what is no time of this world
 */
export function moment(seconds: number, offset = 0): Moment | undefined {
  const at = new Date(seconds * 1000);
  const local = new Date((seconds + offset * 60) * 1000);
  if (!(Math.abs(seconds) < 1e11) || !(Math.abs(offset) <= 1000)) return undefined;
  const [day, time] = [DAY.format(local), TIME.format(local)];
  return { iso: at.toISOString(), date: local.toISOString().slice(0, 10), day, time };
}

// The shifted time is written as if it were UTC, so that the server's own zone plays no part.
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });
