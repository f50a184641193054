/** Describes an age known to ten minutes: "just now", "about 40 minutes ago", "about 3 days ago". */
export function ago(seconds: number): string {
  if (seconds < 600) return "just now";
  if (seconds < 3600) return `about ${Math.floor(seconds / 600) * 10} minutes ago`;
  const hours = Math.floor(seconds / 3600);
  return `about ${hours < 48 ? HOURS.format(hours) : DAYS.format(Math.floor(hours / 24))} ago`;
}

const long = (unit: string) => new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long" });
const [HOURS, DAYS] = [long("hour"), long("day")];

export interface Moment {
  iso: string;
  /** Local date, 2026-03-04. */
  date: string;
  day: string;
  time: string;
}

/** In UTC. */
export const momentOf = (at: Date): Moment => shown(at, at);

/** `seconds` since the epoch, `offset` in minutes east of UTC. Returns undefined if they are absurd. */
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

// The shifted time is formatted as UTC, so the server's time zone does not matter.
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });
