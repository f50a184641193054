import { z } from "zod";
import type { CheckinFilter, Counts } from "../../checkins/figures.ts";
import { wholeNumber } from "../../contract/parameters.ts";
import { formatMonth, formatNumber } from "../../language/format.ts";
import { categoryName } from "../../language/names.ts";
import { t } from "../../language/translate.ts";

const LONGEST = 300;

export const filterQuery = z.object({
  q: z
    .string()
    .max(LONGEST, {
      error: () => t("“q” may have at most {most, number} characters", { most: LONGEST }),
    })
    .optional(),
  when: z
    .string()
    .regex(/^[12]\d{3}(-(0[1-9]|1[0-2]))?$/, {
      error: () => t("“when” must be a year or a month, like 2026 or 2026-03"),
    })
    .optional(),
  category: z
    .string()
    .max(LONGEST, { error: () => t("“category” is too long") })
    .optional(),
  town: z
    .string()
    .max(LONGEST, { error: () => t("“town” is too long") })
    .optional(),
});

export const pageQuery = filterQuery.extend({
  page: wholeNumber("page", 1, 50_000).default(1),
  /** Jumps to a date. */
  on: z.iso.date({ error: () => t("“on” must be a date, like 2026-03-04") }).optional(),
});

type FilterQuery = z.output<typeof filterQuery>;

/** PostgreSQL stores neither NUL nor half surrogate pairs. */
export const filterOf = ({ q, when, category, town }: FilterQuery): CheckinFilter => ({
  text: clean(q),
  when,
  category: clean(category),
  town: clean(town),
});

const clean = (text: string | undefined) => text?.replaceAll("\0", "").toWellFormed().trim();

export const isFiltered = (filter: CheckinFilter): boolean => Object.values(filter).some(Boolean);

/** Returns an address with the filter, in which `more` replaces its parts. */
export function checkinsHref(
  { text, when, category, town }: CheckinFilter,
  more: { page?: number; format?: string; category?: string; town?: string; when?: string } = {},
  path = "/checkins",
): string {
  const { page, ...rest } = more;
  const all = { q: text, when, category, town, ...rest, page: page && page > 1 ? String(page) : undefined };
  const given = Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

interface Option {
  value: string;
  label: string;
  isChosen: boolean;
}

/** The choices, from the counts of all check-ins. */
export function filterOptions({ months, categories, towns }: Counts, filter: CheckinFilter) {
  const options = (
    counts: { key: string | null; count: number }[],
    chosen: string | undefined,
    name = (key: string) => key,
  ): Option[] =>
    counts.flatMap(({ key, count: number }) =>
      key === null ? [] : [{ value: key, label: `${name(key)} (${formatNumber(number)})`, isChosen: key === chosen }],
    );
  const years = Object.groupBy(months, ({ key }) => key.slice(0, 4));
  return {
    categories: options(categories, filter.category, categoryName),
    towns: options(towns, filter.town),
    years: Object.entries(years)
      .toReversed()
      .map(([year, of = []]) => ({
        value: year,
        isChosen: year === filter.when,
        label: t("All of {year} ({count, number})", { year, count: of.reduce((sum, each) => sum + each.count, 0) }),
        months: of.map((each) => ({
          value: each.key,
          isChosen: each.key === filter.when,
          label: `${formatMonth(each.key)} (${formatNumber(each.count)})`,
        })),
      })),
  };
}
export type FilterOptions = ReturnType<typeof filterOptions>;

/** "12 of 358 check-ins, newest first." */
export const shownOf = (shown: number, all: number): string =>
  shown === all
    ? t("{all, plural, one {# check-in} other {# check-ins}}, newest first.", { all })
    : t("{shown, number} of {all, plural, one {# check-in} other {# check-ins}}, newest first.", { shown, all });
