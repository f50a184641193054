/** A time in UTC, as the pages print it. */
export interface ShownTime {
  /** For `<time datetime>`. */
  iso: string;
  /** "4 Mar 2026, 08:41". */
  text: string;
}

export const shownTime = (at: Date): ShownTime => ({ iso: at.toISOString(), text: FORMAT.format(at) });

const FORMAT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
