import { formatDateTime } from "../../language/format.ts";

/** A time in UTC, as the pages print it. */
export interface ShownTime {
  /** For `<time datetime>`. */
  iso: string;
  /** "4 Mar 2026, 08:41". */
  text: string;
}

export const shownTime = (at: Date): ShownTime => ({ iso: at.toISOString(), text: formatDateTime(at) });
