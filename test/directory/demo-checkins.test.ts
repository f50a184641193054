import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { allCategories } from "../../src/directory/categories/tree.ts";
import { AREAS, type DemoCheckin, demoCheckins, VISIT_KINDS } from "../../src/directory/sample/demo-checkins.ts";
import { distanceBetween } from "../../src/matching/distance.ts";

const ANTIPODES = { lat: -41.8, lng: 108.6 };
const DAY_MS = 24 * 60 * 60 * 1000;
const now = new Date("2026-11-21T15:00:00Z");
const year = { from: new Date(now.getTime() - 365 * DAY_MS), to: now, seed: "demo" };
const venues = Object.keys(AREAS).flatMap((area) =>
  Object.values(VISIT_KINDS)
    .flat()
    .map((category) => venueIn(area, category)),
);
const checkins = demoCheckins({ venues, ...year });

test("every category of the demo habits exists in the tree", () => {
  const names = new Set(allCategories.map(({ name }) => name));
  expect(
    Object.values(VISIT_KINDS)
      .flat()
      .filter((name) => !names.has(name)),
  ).toEqual([]);
});

test("a demo year has 300 to 450 check-ins in order, none in the future, and the last a few days ago", () => {
  expect(checkins.length).toBeGreaterThan(300);
  expect(checkins.length).toBeLessThan(450);
  const times = checkins.map(({ createdAt }) => createdAt.getTime());
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times[0]).toBeGreaterThanOrEqual(year.from.getTime());
  expect(times.at(-1)).toBeLessThan(now.getTime());
  expect(times.at(-1)).toBeGreaterThan(now.getTime() - 4 * DAY_MS);
});

test("demo check-in ids are 24 hex digits and unique", () => {
  expect(checkins.filter(({ id }) => !/^[0-9a-f]{24}$/.test(id))).toEqual([]);
  expect(new Set(checkins.map(({ id }) => id)).size).toBe(checkins.length);
});

test("demo check-ins have the time zone of their place, in winter and in summer", () => {
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone: "America/New_York", timeStyle: "short" });
  const shifted = checkins.map((checkin) => local(checkin).toISOString().slice(11, 16));
  expect(shifted).toEqual(checkins.map(({ createdAt }) => clock.format(createdAt)));
  expect(new Set(checkins.map(({ timeZoneOffset }) => timeZoneOffset))).toEqual(new Set([-300, -240]));
});

test("demo workdays begin with coffee near home, and demo bars come on Friday and Saturday nights", () => {
  const workdayCoffee = of("coffee").filter((checkin) => weekday(checkin) >= 1 && weekday(checkin) <= 5);
  expect(workdayCoffee.length).toBeGreaterThan(80);
  expect(of("coffee").length - workdayCoffee.length).toBeLessThan(workdayCoffee.length / 2);
  const places = new Map(venues.map((venue) => [venue.id, venue]));
  const far = workdayCoffee.filter(
    ({ venueId }) => distanceBetween(places.get(venueId) ?? ANTIPODES, AREAS.home) > 2000,
  );
  expect(far).toEqual([]);
  const early = workdayCoffee.filter((checkin) => local(checkin).getUTCHours() < 10);
  expect(early.length).toBeGreaterThan(workdayCoffee.length * 0.95); // a holiday's brunch may be at a café

  const late = of("bar").filter((checkin) => local(checkin).getUTCHours() >= 20);
  const weekend = late.filter((checkin) => weekday(checkin) >= 5);
  expect(weekend.length).toBeGreaterThan(late.length * 0.9);
});

test("demo beaches come on summer weekends, and Christmas has no check-in", () => {
  expect(of("beach").length).toBeGreaterThan(5);
  expect(of("beach").filter((checkin) => ![5, 6, 7].includes(local(checkin).getUTCMonth()))).toEqual([]);
  expect(of("beach").filter((checkin) => ![0, 6].includes(weekday(checkin)))).toEqual([]);
  expect(checkins.filter((checkin) => local(checkin).toISOString().slice(5, 10) === "12-25")).toEqual([]);
});

test("most demo check-ins have no text, and a few have one", () => {
  const shouts = checkins.filter(({ shout }) => shout);
  expect(shouts.length).toBeGreaterThan(15);
  expect(shouts.length).toBeLessThan(checkins.length / 3);
});

test("the same demo seed yields the same days for any span, and another seed other days", () => {
  const from = new Date(now.getTime() - 30 * DAY_MS);
  expect(demoCheckins({ venues, ...year, from })).toEqual(checkins.filter(({ createdAt }) => createdAt >= from));
  expect(demoCheckins({ venues, ...year, seed: "other" })).not.toEqual(checkins);
});

test("demo check-ins avoid companies of the trade register, and are empty without venues", () => {
  const companies = venues.map((venue) => ({ ...venue, name: `${venue.name} Supply Co Inc` }));
  expect(demoCheckins({ venues: companies, ...year })).toEqual([]);
  expect(demoCheckins({ venues: [], ...year })).toEqual([]);
});

/** A venue of this category in the middle of the area, with both in its id. */
function venueIn(area: string, name: string) {
  const { lat, lng } = AREAS[area as keyof typeof AREAS];
  const categoryId = allCategories.find((category) => category.name === name)?.id ?? null;
  return { id: code(area, 8) + code(name, 16), name, lat, lng, categoryId };
}

function code(text: string, length: number): string {
  return hash("sha256", text, "hex").slice(0, length);
}

function of(kind: keyof typeof VISIT_KINDS): DemoCheckin[] {
  const codes = VISIT_KINDS[kind].map((name) => code(name, 16));
  return checkins.filter(({ venueId }) => codes.includes(venueId.slice(8)));
}

/** The local clock, to be read with the UTC getters. */
function local({ createdAt, timeZoneOffset }: DemoCheckin): Date {
  return new Date(createdAt.getTime() + timeZoneOffset * 60_000);
}

function weekday(checkin: DemoCheckin): number {
  return local(checkin).getUTCDay();
}
