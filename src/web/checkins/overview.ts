import { type Counts, findPlaces, findStreaks, type Streak } from "../../checkins/figures.ts";
import type { CheckinFilter } from "../../checkins/filter.ts";
import { mapOf } from "../../http/pages/parts.ts";
import type { Web } from "../base/deps.ts";
import { count } from "../base/words.ts";
import { venueHref } from "../venues/view.ts";
import { charts } from "./charts.ts";

/** With a pin, a number and a row each. */
const MOST_LISTED = 10;
/** The others are dots. */
const MOST_DOTS = 500;

/** What the check-ins have in common: figures, places and charts. */
export async function overviewOf(
  { pool }: Pick<Web, "pool">,
  accountId: string,
  filter: CheckinFilter,
  counts: Counts,
) {
  const [streaks, { all, places }] = await Promise.all([
    findStreaks({ pool }, accountId, filter),
    findPlaces({ pool }, accountId, filter, MOST_DOTS),
  ]);
  const points = places.flatMap(({ id, name, lat, lng }) =>
    lat === null || lng === null ? [] : [{ lat, lng, name: name || NAMELESS, href: venueHref(id) }],
  );
  const listed = places.slice(0, MOST_LISTED);
  const pins = listed.filter(({ lat }) => lat !== null).length;
  return {
    figures: [
      { label: "Places", value: all.toLocaleString("en"), note: undefined },
      {
        label: "Towns",
        value: counts.towns.filter(({ key }) => key !== null).length.toLocaleString("en"),
        note: undefined,
      },
      {
        label: "Days in a row now",
        value: String(streaks.current?.days ?? 0),
        note: streaks.current && since(streaks.current),
      },
      { label: "Longest streak", value: days(streaks.longest), note: streaks.longest && span(streaks.longest) },
    ],
    map: mapOf({ points: points.slice(0, pins), around: points.slice(pins) }),
    places: listed.map(({ id, name, category, town, count: number }) => ({
      ...{ name: name || NAMELESS, href: venueHref(id), line: [category, town].filter(Boolean).join(" · ") },
      count: count(number, "visit"),
    })),
    morePlaces: all > places.length ? `The map shows the ${places.length} most visited places of ${all}.` : undefined,
    ...charts(counts, filter),
  };
}
export type Overview = Awaited<ReturnType<typeof overviewOf>>;

const NAMELESS = "Venue without a name";

const days = (streak: Streak | undefined): string => count(streak?.days ?? 0, "day");

const since = ({ from }: Streak): string => `since ${dateName(from)}`;

const span = ({ from, until }: Streak): string =>
  from === until ? dateName(from) : `${dateName(from)} to ${dateName(until)}`;

const dateName = (date: string): string => DATE.format(new Date(`${date}T00:00:00Z`));
const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
