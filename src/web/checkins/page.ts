import type { FastifyReply, FastifyRequest } from "fastify";
import { type CopyState, MOST_COPIED, type Refreshed } from "../../checkins/copies.ts";
import {
  type CheckinFilter,
  type Counts,
  countCheckins,
  findPlaces,
  findStreaks,
  type Streak,
} from "../../checkins/figures.ts";
import { countAfter, readCheckins, type StoredCheckin } from "../../checkins/read.ts";
import type { Checkin } from "../../contract/checkins.ts";
import { mapOf, type Notice } from "../../http/pages/parts.ts";
import { type Moment, moment, shownTime } from "../../http/pages/times.ts";
import { checkParameters } from "../../http/parameters.ts";
import { formatDate, formatMonth, formatNumber } from "../../language/format.ts";
import { categoryName } from "../../language/names.ts";
import { t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import type { Visit } from "../base/members.ts";
import { sendPage, sendProblem } from "../base/page.ts";
import { creditsOf, type VenueCard, venueCard, venueHref } from "../venues/view.ts";
import { charts } from "./charts.ts";
import { checkinsHref, filterOf, filterOptions, isFiltered, pageQuery, shownOf } from "./filter.ts";

const PAGE_SIZE = 40;
/** How old the copy may be for the pages after the first. */
const BROWSING_MS = 60_000;

/** `GET /checkins`: the copy, brought up to date by a visit to the first page. */
export async function showCheckins(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Visit) {
  const { value, errors } = checkParameters(pageQuery, request.query);
  if (!value) return sendProblem(reply, visit.member, errors.page ? noSuchPage() : unusable(errors));
  const filter = filterOf(value);
  const { page, on } = value;
  if (on) return reply.redirect(await dateHref(web, visit.member.id, filter, on), 303);
  const isNewVisit = page === 1 && !isFiltered(filter);
  const refreshed = await web.checkinCopies.refresh(visit.member.id, visit.auth, {
    maxAgeMs: isNewVisit ? 0 : BROWSING_MS,
  });
  if (refreshed.trouble && refreshed.trouble.status >= 500)
    request.log.warn({ err: refreshed.trouble }, "the directory failed");
  const { state, trouble } = refreshed;
  if (trouble && !state?.completeAt && !state?.reached) throw trouble;
  if (!state?.completeAt) return sendCopying(reply, visit, refreshed);
  return sendTimeline(web, reply, visit, {
    page,
    filter,
    limit: limitInWords(state),
    notice: ageNotice(refreshed, state),
  });
}

const noSuchPage = () => ({
  status: 400,
  heading: t("There is no such page"),
  message: t("Check-in pages start at 1, with the newest."),
  action: { href: "/checkins", label: t("Newest check-ins") },
});

const unusable = (errors: Record<string, string>) => ({
  ...noSuchPage(),
  heading: t("These filters are not valid"),
  message: `${Object.values(errors).join("; ")}.`,
});

async function dateHref({ pool }: Web, accountId: string, filter: CheckinFilter, date: string): Promise<string> {
  const offset = await countAfter({ pool }, accountId, filter, date);
  const [first] = await readCheckins({ pool }, accountId, filter, { limit: 1, offset });
  const day = first && rowOfCopy(first).at?.date;
  return checkinsHref(filter, { page: Math.floor(offset / PAGE_SIZE) + 1 }) + (day ? `#d-${day}` : "");
}

/** The first copying, which the page follows. */
function sendCopying(reply: FastifyReply, { member }: Visit, { state, trouble }: Refreshed) {
  const { reached, total = 0 } = state ?? {};
  return sendPage(reply, member, "checkins/copying", {
    title: t("Check-ins"),
    reached: Math.min(reached ?? 0, total),
    total,
    isStopped: trouble !== undefined,
    notice: trouble && { kind: "warning", heading: `${trouble.title}.`, message: `${trouble.message} ${goesOn()}` },
  });
}

const goesOn = () => t("We’ll carry on from here next time.");

interface Asked {
  page: number;
  filter: CheckinFilter;
  limit: string | undefined;
  notice: Notice | undefined;
}

const limitInWords = ({ total }: CopyState): string | undefined =>
  total > MOST_COPIED
    ? t("Samespot shows the newest {most, number} of your {total, number} check-ins.", { most: MOST_COPIED, total })
    : undefined;

async function sendTimeline(web: Web, reply: FastifyReply, { member }: Visit, asked: Asked) {
  const { pool } = web;
  const { page, filter } = asked;
  const offset = (page - 1) * PAGE_SIZE;
  const [rows, counts, ofAll] = await Promise.all([
    readCheckins({ pool }, member.id, filter, { limit: PAGE_SIZE, offset }),
    countCheckins({ pool }, member.id, filter),
    isFiltered(filter) ? countCheckins({ pool }, member.id, {}) : undefined,
  ]);
  const all = ofAll ?? counts;
  return sendPage(reply, member, "checkins/index", {
    title: page > 1 ? t("Check-ins, page {page, number}", { page }) : t("Check-ins"),
    months: checkinMonths(rows.map(rowOfCopy)),
    credits: creditsOf(rows),
    ...asked,
    total: shownOf(counts.all, all.all),
    isFiltered: ofAll !== undefined,
    options: filterOptions(all, filter),
    overview: rows.length > 0 ? await overviewOf({ pool }, member.id, filter, counts) : undefined,
    downloads: all.all > 0 ? downloads(filter) : [],
    pager: pagerOf(page, offset + rows.length, filter, counts),
  });
}

const downloads = (filter: CheckinFilter) => [
  { href: downloadHref(filter, "csv"), label: t("Table"), note: t("CSV, for spreadsheets") },
  { href: downloadHref(filter, "geojson"), label: t("Map data"), note: t("GeoJSON, for maps") },
];

const downloadHref = (filter: CheckinFilter, format: string) => checkinsHref(filter, { format }, "/checkins/download");

function pagerOf(page: number, last: number, filter: CheckinFilter, { all }: Counts) {
  const first = (page - 1) * PAGE_SIZE + 1;
  const isEmpty = last < first;
  return {
    newer: page > 1 ? checkinsHref(filter, { page: page - 1 }) : undefined,
    older: !isEmpty && last < all ? checkinsHref(filter, { page: page + 1 }) : undefined,
    status: isEmpty ? undefined : t("{first, number}–{last, number} of {all, number}", { first, last, all }),
  };
}

/** Says how old the copy is, unless the directory has just confirmed it. */
function ageNotice({ trouble, isUnderWay }: Refreshed, { checkedAt, completeAt }: CopyState): Notice | undefined {
  if (!trouble && !isUnderWay) return undefined;
  const heading = t("Last updated {time}.", { time: shownTime(checkedAt ?? completeAt ?? new Date()).text });
  if (!trouble)
    return { heading, message: t("Samespot is still asking the directory for changes. Reload the page in a moment.") };
  const why = trouble.kind === "unreachable" ? t("The directory cannot be reached.") : trouble.message;
  return { kind: "warning", heading, message: `${why} ${t("Newer check-ins may be missing.")}` };
}

/** With a pin, a number and a row each. */
const MOST_LISTED = 10;
/** The others are dots. */
const MOST_DOTS = 500;

/** What the check-ins have in common: figures, places and charts. */
async function overviewOf({ pool }: Pick<Web, "pool">, accountId: string, filter: CheckinFilter, counts: Counts) {
  const [streaks, { all, places }] = await Promise.all([
    findStreaks({ pool }, accountId, filter),
    findPlaces({ pool }, accountId, filter, MOST_DOTS),
  ]);
  const points = places.flatMap(({ id, name, lat, lng }) =>
    lat === null || lng === null ? [] : [{ lat, lng, name: name || nameless(), href: venueHref(id) }],
  );
  const listed = places.slice(0, MOST_LISTED);
  const pins = listed.filter(({ lat }) => lat !== null).length;
  return {
    figures: [
      { label: t("Places"), value: formatNumber(all), note: undefined },
      {
        label: t("Towns"),
        value: formatNumber(counts.towns.filter(({ key }) => key !== null).length),
        note: undefined,
      },
      { label: t("Current streak"), value: days(streaks.current), note: streaks.current && since(streaks.current) },
      { label: t("Longest streak"), value: days(streaks.longest), note: streaks.longest && span(streaks.longest) },
    ],
    map: mapOf({ points: points.slice(0, pins), around: points.slice(pins) }),
    places: listed.map(({ id, name, category, town, count: number }) => ({
      name: name || nameless(),
      href: venueHref(id),
      line: [category && categoryName(category), town].filter(Boolean).join(" · "),
      count: t("{number, plural, one {# visit} other {# visits}}", { number }),
    })),
    credits: creditsOf(listed),
    morePlaces:
      all > places.length
        ? t("The map shows the {shown, number} most visited places of {all, number}.", { shown: places.length, all })
        : undefined,
    ...charts(counts, filter),
  };
}
export type Overview = Awaited<ReturnType<typeof overviewOf>>;

const nameless = () => t("Venue without a name");

const days = (streak: Streak | undefined): string =>
  t("{days, plural, one {# day} other {# days}}", { days: streak?.days ?? 0 });

const since = ({ from }: Streak): string => t("since {date}", { date: dateName(from) });

const span = ({ from, until }: Streak): string =>
  from === until ? dateName(from) : t("{from} to {until}", { from: dateName(from), until: dateName(until) });

const dateName = (date: string): string => formatDate(new Date(`${date}T00:00:00Z`));

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
  venue: venue && venueCard(venue),
  shout,
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

function checkinMonths(rows: Row[]): CheckinMonth[] {
  const months: CheckinMonth[] = [];
  for (const day of checkinDays(rows)) {
    const month = day.at?.date.slice(0, 7);
    const current = months.at(-1);
    if (current && current.month === month) current.days.push(day);
    else months.push({ name: month && formatMonth(month), month, days: [day] });
  }
  return months;
}
