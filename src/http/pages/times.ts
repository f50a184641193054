import { formatDate, formatDuration, formatTime } from "../../language/format.ts";
import { t } from "../../language/translate.ts";

/** Describes an age known to ten minutes: "just now", "about 40 minutes ago", "about 3 days ago". */
export function ago(seconds: number): string {
  if (seconds < 600) return t("just now");
  return t("about {age} ago", { age: ageOf(Math.floor(seconds / 600) * 10) });
}

function ageOf(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return formatDuration(minutes, "minute");
  return hours < 48 ? formatDuration(hours, "hour") : formatDuration(Math.floor(hours / 24), "day");
}

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

/** The shifted time is formatted as UTC, so the server's time zone does not matter. */
const shown = (at: Date, local: Date): Moment => ({
  ...{ iso: at.toISOString(), date: local.toISOString().slice(0, 10) },
  ...{ day: formatDate(local, "full"), time: formatTime(local) },
});
