import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { moment, shownTime } from "../../../src/http/pages/times.ts";
import { inLanguage, tHtml } from "../../../src/language/translate.ts";

const NOW = new Date("2026-03-04T08:41:00Z");
const MIN = 60_000;
const HOUR = 60 * MIN;
const DAY = 24 * HOUR;

test.each([
  [0, "just now"],
  [-59_000, "just now"],
  [59_000, "in less than a minute"],
  [-3 * MIN, "3 min ago"],
  [-5 * HOUR, "5 h ago"],
  [-47 * HOUR, "47 h ago"],
  [-2 * DAY, "2 days ago"],
  [23 * HOUR, "in 23 h"],
  [-29 * DAY, "29 days ago"],
  [-30 * DAY, "2 Feb 2026"],
  [31 * DAY, "4 Apr 2026"],
])("W93: a time %i ms from now reads “%s”", (ms, text) => {
  expect(shownTime(new Date(NOW.getTime() + ms), NOW).text).toBe(text);
});

describe("W93: a time in a page", () => {
  test("has the whole moment in its title, so that it is not lost without script", () => {
    expect(shownTime(new Date(NOW.getTime() - HOUR), NOW).html).toBe(
      '<time datetime="2026-03-04T07:41:00.000Z" title="4 Mar 2026, 07:41 UTC">1 h ago</time>',
    );
    expect(inLanguage("es", () => shownTime(new Date(0), NOW).html)).toBe(
      '<time datetime="1970-01-01T00:00:00.000Z" title="1 ene 1970, 0:00 UTC" data-day>1 ene 1970</time>',
    );
  });

  test("stands in a text as HTML, while strings beside it are escaped", () => {
    expect(tHtml("{who}, {time}", { who: "<b>", time: { html: "<time></time>" } })).toBe("&lt;b&gt;, <time></time>");
  });

  test("is written by shownTime() alone: no view builds one, but for check-ins, whose clock is that of the place", () => {
    const own = globSync("views/**/*.eta").filter((view) =>
      /<time\b|\bUTC\b|toISOString/.test(readFileSync(view, "utf8")),
    );
    expect(own.sort()).toEqual(["views/checkins/days.eta", "views/checkins/index.eta"]);
    const texts = readFileSync("src/language/es.json", "utf8");
    expect(texts).not.toMatch(/<time|\bUTC\b/);
  });
});

test("a moment with an absurd time or offset is none", () => {
  expect([moment(1e12), moment(Number.NaN), moment(0, 5000)]).toEqual([undefined, undefined, undefined]);
  expect(moment(0, -300)).toMatchObject({ date: "1969-12-31", time: "19:00" });
});
