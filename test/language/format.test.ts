import { expect, it } from "vitest";
import * as format from "../../src/language/format.ts";
import { inLanguage } from "../../src/language/translate.ts";

const AT = new Date("2026-03-04T08:41:00Z");

const all = () => ({
  number: format.formatNumber(1_234_567),
  list: format.formatList(["a", "b", "c"]),
  dates: (["medium", "long", "full"] as const).map((style) => format.formatDate(AT, style)),
  time: format.formatTime(AT),
  dateTime: format.formatDateTime(AT),
  month: format.formatMonth("2026-03"),
  weekdays: [format.formatWeekday(1, "long"), format.formatWeekday(7, "short")],
  durations: [format.formatDuration(1, "hour"), format.formatDuration(40, "minute"), format.formatDuration(3, "day")],
});

const ENGLISH = {
  number: "1,234,567",
  list: "a, b and c",
  dates: ["4 Mar 2026", "4 March 2026", "Wednesday, 4 March 2026"],
  time: "08:41",
  dateTime: "4 Mar 2026, 08:41",
  month: "March 2026",
  weekdays: ["Monday", "Sun"],
  durations: ["1 hour", "40 minutes", "3 days"],
};

it("numbers, lists and dates are formatted in British English outside a request", () => {
  expect(all()).toEqual(ENGLISH);
});

it("numbers, lists and dates are formatted in the language of the request", () => {
  expect(inLanguage("en-XA", all)).toEqual(ENGLISH);
  expect(inLanguage("es", all)).toEqual({
    number: "1.234.567",
    list: "a, b y c",
    dates: ["4 mar 2026", "4 de marzo de 2026", "miércoles, 4 de marzo de 2026"],
    time: "8:41",
    dateTime: "4 mar 2026, 8:41",
    month: "marzo de 2026",
    weekdays: ["lunes", "dom"],
    durations: ["1 hora", "40 minutos", "3 días"],
  });
});
