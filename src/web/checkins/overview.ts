import { type Counts, findPlaces, findStreaks, type Streak } from "../../checkins/figures.ts";
import type { CheckinFilter } from "../../checkins/filter.ts";
import { mapOf } from "../../http/pages/parts.ts";
import { categoryName } from "../../language/categories.ts";
import { formatDate, formatNumber } from "../../language/format.ts";
import { t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import { creditsOf, venueHref } from "../venues/view.ts";
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
      ...{
        name: name || nameless(),
        href: venueHref(id),
        line: [category && categoryName(category), town].filter(Boolean).join(" · "),
      },
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
