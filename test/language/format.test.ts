import { expect, it } from "vitest";
import * as format from "../../src/language/format.ts";
import { localeOf } from "../../src/language/languages.ts";
import { inLanguage } from "../../src/language/translate.ts";

const AT = new Date("2026-03-04T08:41:00Z");

const all = () => ({
  number: format.formatNumber(1_234_567),
  list: format.formatList(["a", "b", "c"]),
  dates: (["medium", "full", "day"] as const).map((style) => format.formatDate(AT, style)),
  time: format.formatTime(AT),
  dateTime: format.formatDateTime(AT),
  month: format.formatMonth("2026-03"),
  weekdays: [format.formatWeekday(1, "long"), format.formatWeekday(7, "short")],
});

const ENGLISH = {
  number: "1,234,567",
  list: "a, b and c",
  dates: ["4 Mar 2026", "Wednesday, 4 March 2026", "Wed 4 Mar"],
  time: "08:41",
  dateTime: "4 Mar 2026, 08:41",
  month: "March 2026",
  weekdays: ["Monday", "Sun"],
};

it("numbers, lists and dates are formatted in British English outside a request", () => {
  expect(all()).toEqual(ENGLISH);
});

it("numbers, lists and dates are formatted in the language of the request", () => {
  expect(inLanguage("en-XA", all)).toEqual(ENGLISH);
  expect(inLanguage("es", all)).toEqual({
    number: "1.234.567",
    list: "a, b y c",
    dates: ["4 mar 2026", "miércoles, 4 de marzo de 2026", "mié, 4 mar"],
    time: "8:41",
    dateTime: "4 mar 2026, 8:41",
    month: "marzo de 2026",
    weekdays: ["lunes", "dom"],
  });
});

it("W93: order and clock of a date are those of the region that the browser names, in the language of the page", () => {
  const shown = (accepted: string, language: "en" | "es" = "en") =>
    inLanguage(language, () => format.formatDateTime(AT), localeOf(language, accepted)).replace(/[\u00a0\u202f]/g, " ");
  expect(shown("en-US,en;q=0.9")).toBe("Mar 4, 2026, 8:41 AM");
  expect(shown("de-DE, en-us;q=0.5")).toBe("Mar 4, 2026, 8:41 AM");
  expect(shown("en-IE")).toBe("4 Mar 2026, 08:41");
  for (const accepted of ["", "en", "en-XX", "en-u-ca-buddhist", "*", "fr", "es-MX", "\u0000"])
    expect(shown(accepted)).toBe("4 Mar 2026, 08:41");
  expect(shown("es-US, en-US", "es")).toBe("4 mar 2026, 8:41 a.m.");
  expect(shown("en-US", "es")).toBe("4 mar 2026, 8:41");
});
