import type { CheckinFilter, Count, Counts } from "../../checkins/figures.ts";
import { formatMonth, formatNumber, formatWeekday } from "../../language/format.ts";
import { categoryName } from "../../language/names.ts";
import { t } from "../../language/translate.ts";
import { checkinsHref } from "./filter.ts";

const MOST_BARS = 8;
const MOST_MONTHS = 36;

/** Bars from left to right, each with its words: a table. */
export interface BarChart {
  id: string;
  title: string;
  bars: { label: string; href: string | undefined; count: string; width: number }[];
  others: string | undefined;
}

/** Columns side by side: a picture, with its table. */
export interface ColumnChart {
  id: string;
  title: string;
  /** What the rows of its table stand for. */
  unit: string;
  summary: string;
  width: number;
  columns: { label: string; count: string; x: number; y: number; height: number }[];
  axis: string[];
}

export function charts(counts: Counts, filter: CheckinFilter): { bars: BarChart[]; columns: ColumnChart[] } {
  const { categories, towns, months, weekdays, hours } = counts;
  const category = { id: "categories", title: t("By category"), none: t("No category") };
  const weekdayNames = WEEKDAYS.map((day) => formatWeekday(day, "long"));
  const town = { id: "towns", title: t("By town"), none: t("No town") };
  return {
    bars: [
      barChart(category, named(categories), (key) => checkinsHref(filter, { category: key })),
      barChart(town, towns, (key) => checkinsHref(filter, { town: key })),
    ],
    columns: [
      columnChart({ id: "months", title: t("By month"), unit: t("Month") }, monthColumns(months), (all) => [
        all[0]?.label ?? "",
        ...(all.length > 1 ? [all.at(-1)?.label ?? ""] : []),
      ]),
      columnChart(
        { id: "weekdays", title: t("By weekday"), unit: t("Weekday") },
        eachOf(weekdayNames, weekdays, 1),
        () => WEEKDAYS.map((day) => formatWeekday(day, "short")),
      ),
      columnChart({ id: "hours", title: t("By hour"), unit: t("Hour") }, eachOf(HOURS, hours, 0), () => [
        "00",
        "06",
        "12",
        "18",
        "24",
      ]),
    ],
  };
}

type Bar = Count<string | null> & { label?: string };

const named = (categories: Count<string | null>[]): Bar[] =>
  categories.map((each) => (each.key === null ? each : { ...each, label: categoryName(each.key) }));

function barChart(
  { id, title, none }: { id: string; title: string; none: string },
  counts: Bar[],
  hrefOf: (key: string) => string,
): BarChart {
  const shown = counts.slice(0, MOST_BARS);
  const most = shown[0]?.count ?? 1;
  const rest = counts.slice(MOST_BARS);
  const others = rest.reduce((sum, each) => sum + each.count, 0);
  return {
    id,
    title,
    bars: shown.map(({ key, label = key ?? none, count: number }) => ({
      label,
      href: key === null ? undefined : hrefOf(key),
      count: formatNumber(number),
      width: percent(number, most),
    })),
    others:
      rest.length > 0
        ? t(
            "{rest, plural, one {# other} other {# others}} with {others, plural, one {# check-in} other {# check-ins}}",
            { rest: rest.length, others },
          )
        : undefined,
  };
}

interface Column {
  label: string;
  count: number;
}

/** Of each column, in units of the picture's view box, which is 100 high. */
const STEP = 10;
const WIDTH = 8;

function columnChart(
  about: { id: string; title: string; unit: string },
  columns: Column[],
  axisOf: (columns: Column[]) => string[],
): ColumnChart {
  const busiest = columns.reduce((best, each) => (each.count > best.count ? each : best), { label: "", count: 0 });
  return {
    ...about,
    summary: busiest.count > 0 ? t("Highest: {label}, with {count, number}.", { ...busiest }) : t("None."),
    width: columns.length * STEP,
    columns: columns.map(({ label, count: number }, at) => {
      const height = percent(number, busiest.count || 1);
      return {
        label,
        count: formatNumber(number),
        x: at * STEP + (STEP - WIDTH) / 2,
        y: 100 - height,
        height,
      };
    }),
    axis: axisOf(columns),
  };
}

/** With one decimal, so that the page stays small. What is there stays visible. */
const percent = (number: number, most: number) => (number ? Math.max(1, Math.round((1000 * number) / most) / 10) : 0);

/** The last months, with those between that have none. */
function monthColumns(months: Count<string>[]): Column[] {
  const of = new Map(months.map(({ key, count: number }) => [key, number]));
  const last = months[0]?.key;
  const first = months.at(-1)?.key;
  const columns: Column[] = [];
  for (let key = last; key && first && key >= first && columns.length < MOST_MONTHS; key = monthBefore(key))
    columns.unshift({ label: formatMonth(key), count: of.get(key) ?? 0 });
  return columns;
}

function monthBefore(key: string): string {
  const [year = 0, month = 1] = key.split("-").map(Number);
  return new Date(Date.UTC(year, month - 2)).toISOString().slice(0, 7);
}

function eachOf(labels: string[], counts: Count<number>[], from: number): Column[] {
  const of = new Map(counts.map(({ key, count: number }) => [key, number]));
  return labels.map((label, at) => ({ label, count: of.get(at + from) ?? 0 }));
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);
