/** How long ago something was that is known to ten minutes: "just now", "about 40 minutes ago", "about 3 days ago". */
export function ago(seconds: number): string {
  if (seconds < 600) return "just now";
  if (seconds < 3600) return `about ${Math.floor(seconds / 600) * 10} minutes ago`;
  const hours = Math.floor(seconds / 3600);
  return `about ${hours < 48 ? HOURS.format(hours) : DAYS.format(Math.floor(hours / 24))} ago`;
}

const long = (unit: string) => new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long" });
const [HOURS, DAYS] = [long("hour"), long("day")];

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

/** A time by UTC. */
export const momentOf = (at: Date): Moment => shown(at, at);

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
  return shown(at, local);
}

function shown(at: Date, local: Date): Moment {
  const [day, time] = [DAY.format(local), TIME.format(local)];
  return { iso: at.toISOString(), date: local.toISOString().slice(0, 10), day, time };
}

// The shifted time is written as if it were UTC, so that the server's own zone plays no part.
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });
