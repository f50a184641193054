import { localeOf } from "./languages.ts";
import { currentLanguage, currentLocale } from "./translate.ts";

/** Returns a function that makes the formatter of the request's language at its first use; British English and Spanish of Spain. */
const byLanguage = <Formatter>(make: (locale: string) => Formatter) =>
  once(currentLanguage, (language) => make(localeOf(language)));

/** Like byLanguage() for dates and the clock, which differ by region; there are as many as LOCALES. */
const byLocale = <Formatter>(make: (locale: string) => Formatter) => once(currentLocale, make);

function once<Key extends string, Formatter>(keyNow: () => Key, make: (key: Key) => Formatter): () => Formatter {
  const made = new Map<Key, Formatter>();
  return () => {
    const key = keyNow();
    const formatter = made.get(key) ?? make(key);
    made.set(key, formatter);
    return formatter;
  };
}

const numbers = byLanguage((locale) => {
  const { format } = new Intl.NumberFormat(locale);
  // The rows of a file have the same percentages again and again.
  const known = new Map<number, string>();
  return (value: number): string => {
    const text = known.get(value) ?? format(value);
    if (known.size < MOST_KNOWN) known.set(value, text);
    return text;
  };
});
const MOST_KNOWN = 2000;
const tenths = byLanguage(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);
const lists = byLanguage((locale) => new Intl.ListFormat(locale));

/** All in UTC. */
const dates = (options: Intl.DateTimeFormatOptions) =>
  byLocale((locale) => new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }));
const DATES = {
  medium: dates({ dateStyle: "medium" }),
  full: dates({ dateStyle: "full" }),
  day: dates({ weekday: "short", day: "numeric", month: "short" }),
};
const TIME = dates({ timeStyle: "short" });
const DATE_TIME = dates({ dateStyle: "medium", timeStyle: "short" });
const MONTH = dates({ month: "long", year: "numeric" });
const WEEKDAYS = { long: dates({ weekday: "long" }), short: dates({ weekday: "short" }) };

/** "12,345". Within a text, use `{count, number}`. */
export const formatNumber = (value: number): string => numbers()(value);

/** "1.2", "12.0". */
export const formatTenths = (value: number): string => tenths().format(value);

/** Writes the first tenths in an English text as the language does: "1,2 km". */
export const withDecimalSign = (text: string): string =>
  text.replace(/\d+\.\d/, (tenths) => formatTenths(Number(tenths)));

/** "a, b and c". */
export const formatList = (items: string[]): string => lists().format(items);

/** The date in UTC: "4 Mar 2026", full "Wednesday, 4 March 2026", day "Wed 4 Mar". */
export const formatDate = (at: Date, style: keyof typeof DATES = "medium"): string => DATES[style]().format(at);

/** "08:41", in UTC. */
export const formatTime = (at: Date): string => TIME().format(at);

/** "4 Mar 2026, 08:41", in UTC. */
export const formatDateTime = (at: Date): string => DATE_TIME().format(at);

/** "March 2026" for `2026-03`. */
export const formatMonth = (month: string): string => MONTH().format(new Date(`${month}-01T00:00:00Z`));

/** @param day 1 (Monday) to 7 */
export const formatWeekday = (day: number, style: keyof typeof WEEKDAYS): string =>
  // The year 2024 began on a Monday.
  WEEKDAYS[style]().format(new Date(Date.UTC(2024, 0, day)));
