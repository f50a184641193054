import type { StoredCheckin } from "../../checkins/read.ts";
import type { Checkin } from "../../contract/checkins.ts";
import { type Moment, moment } from "../../http/pages/times.ts";
import { formatMonth } from "../../language/format.ts";
import { creditsOf, type VenueCard, venueCard } from "../venues/view.ts";

interface Row {
  venue: VenueCard | undefined;
  shout: string | undefined;
  at: Moment | undefined;
  /** Undefined if it cannot be changed here. */
  changeHref: string | undefined;
}

export interface CheckinDay {
  at: Moment | undefined;
  rows: Row[];
}

export interface CheckinMonth {
  /** "March 2026"; undefined for check-ins without a time. */
  name: string | undefined;
  /** `2026-03`. */
  month: string | undefined;
  days: CheckinDay[];
}

export const rowOf = ({ createdAt, timeZoneOffset, venue, shout }: Checkin): Row => ({
  ...{ venue: venue && venueCard(venue), shout },
  at: moment(createdAt, timeZoneOffset),
  changeHref: undefined,
});

export const changeHref = (id: string): string => `/checkins/${encodeURIComponent(id)}`;

export function rowOfCopy(checkin: StoredCheckin): Row {
  const { venueId: id, venueName, address, town, category, credit, lat, lng, shout } = checkin;
  const { seconds, timeZoneOffset, isEditable } = checkin;
  const known = { address, city: town, lat, lng };
  const location = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null));
  const categories = category ? [{ id: "", name: category }] : [];
  const source = credit ? { attribution: credit } : undefined;
  const venue = id ? venueCard({ id, name: venueName ?? "", location, categories, source }) : undefined;
  const more = { at: moment(seconds, timeZoneOffset), changeHref: isEditable ? changeHref(checkin.id) : undefined };
  return { venue, shout: shout ?? undefined, ...more };
}

export const creditsOfDays = (days: readonly CheckinDay[]): string | undefined =>
  creditsOf(days.flatMap(({ rows }) => rows.map(({ venue }) => ({ credit: venue?.credit }))));

/** Groups rows that are in order of time. */
export function checkinDays(rows: Row[]): CheckinDay[] {
  const days: CheckinDay[] = [];
  for (const row of rows) {
    const today = days.at(-1);
    if (today && today.at?.date === row.at?.date) today.rows.push(row);
    else days.push({ at: row.at, rows: [row] });
  }
  return days;
}

export function checkinMonths(rows: Row[]): CheckinMonth[] {
  const months: CheckinMonth[] = [];
  for (const day of checkinDays(rows)) {
    const month = day.at?.date.slice(0, 7);
    const current = months.at(-1);
    if (current && current.month === month) current.days.push(day);
    else months.push({ name: month && formatMonth(month), month, days: [day] });
  }
  return months;
}
