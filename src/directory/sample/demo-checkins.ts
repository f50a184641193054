import { hash } from "node:crypto";
import type { PrismaClient } from "../../db/generated/client.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { randomId } from "../../shared/crypto.ts";
import { allCategories, descendantIds } from "../categories/tree.ts";
import { offsetIn } from "../time-zones.ts";

export const VISIT_KINDS = {
  coffee: ["Coffee Shop", "Donut Shop", "Bakery", "Café"],
  lunch: ["Sandwich Place", "Deli", "Pizza Place", "Diner", "Burger Place", "Mexican Restaurant"],
  dinner: ["Italian Restaurant", "Seafood Restaurant", "American Restaurant", "Steakhouse", "Japanese Restaurant"],
  brunch: ["Breakfast & Brunch Place", "Diner", "Bagel Shop", "Café"],
  bar: ["Bar", "Pub"],
  gym: ["Gym", "Yoga Studio"],
  groceries: ["Supermarket", "Convenience Store"],
  errand: ["Hardware Store", "Pharmacy", "Bookstore", "Pet Store", "Music Store"],
  cinema: ["Movie Theater"],
  beach: ["Beach"],
  sights: ["Museum", "Historic Site", "Art Gallery"],
  sweets: ["Ice Cream Shop"],
  shops: ["Gift Shop", "Bookstore", "Clothing Store"],
  bed: ["Inn", "Hotel", "Bed & Breakfast"],
} satisfies Record<string, string[]>;

/** Centres with a radius in metres. Home is the East Side of Providence. */
export const AREAS = {
  home: { lat: 41.829, lng: -71.402, radius: 1800 },
  downtown: { lat: 41.824, lng: -71.413, radius: 1200 },
  city: { lat: 41.824, lng: -71.413, radius: 6000 },
  newport: { lat: 41.487, lng: -71.312, radius: 3500 },
  coast: { lat: 41.43, lng: -71.45, radius: 25000 },
  blockIsland: { lat: 41.173, lng: -71.566, radius: 6000 },
  bristol: { lat: 41.677, lng: -71.267, radius: 5000 },
};

/** `hours` are local. */
interface Habit {
  kind: keyof typeof VISIT_KINDS;
  area: keyof typeof AREAS;
  chance: number;
  hours: readonly [number, number];
}

const habit = (kind: Habit["kind"], area: Habit["area"], chance: number, from: number, to: number): Habit => ({
  kind,
  area,
  chance,
  hours: [from, to],
});

const WORKDAY = [
  habit("coffee", "home", 0.45, 7.4, 8.8),
  habit("lunch", "downtown", 0.2, 12, 13.4),
  habit("errand", "city", 0.06, 17, 18),
];
const WITH_GYM = [...WORKDAY, habit("gym", "city", 0.3, 17.6, 18.8)];

/** From Sunday. */
const WEEK: readonly (readonly Habit[])[] = [
  [habit("brunch", "home", 0.3, 9.5, 11.5), habit("groceries", "city", 0.45, 14, 17)],
  WITH_GYM,
  WORKDAY,
  [...WITH_GYM, habit("groceries", "city", 0.2, 19, 20)],
  [...WORKDAY, habit("cinema", "city", 0.08, 18.8, 19.5)],
  [...WITH_GYM, habit("dinner", "downtown", 0.25, 19, 20), habit("bar", "downtown", 0.45, 21, 23.7)],
  [
    habit("coffee", "home", 0.4, 9, 10.5),
    habit("errand", "city", 0.25, 11, 15),
    habit("dinner", "city", 0.3, 18.5, 20),
    habit("bar", "downtown", 0.45, 21, 23.7),
  ],
];

const TRIPS = {
  beach: [
    habit("coffee", "home", 0.4, 8, 9),
    habit("beach", "coast", 1, 10.5, 13),
    habit("sweets", "coast", 0.6, 15, 16.5),
    habit("dinner", "newport", 0.4, 18, 19.8),
  ],
  newport: [
    habit("sights", "newport", 0.9, 10.5, 12.5),
    habit("lunch", "newport", 0.5, 12.8, 14),
    habit("shops", "newport", 0.5, 14.3, 16),
    habit("bar", "newport", 0.5, 19, 22.5),
  ],
  blockIsland: [habit("bar", "blockIsland", 0.8, 13, 17), habit("bed", "blockIsland", 1, 18, 20)],
} satisfies Record<string, readonly Habit[]>;

/** By month-day. */
const HOLIDAYS: Record<string, readonly Habit[]> = {
  "01-01": [habit("brunch", "home", 0.9, 11, 13)],
  "07-04": [habit("coffee", "bristol", 0.8, 8, 9.5), habit("sweets", "bristol", 0.8, 14, 16)],
  thanksgiving: [],
  "12-24": [habit("groceries", "city", 1, 9, 11), habit("shops", "city", 0.7, 13, 16)],
  "12-25": [],
  "12-31": [habit("dinner", "downtown", 1, 19, 20), habit("bar", "downtown", 1, 22, 23.8)],
};

const SHOUTS: Partial<Record<Habit["kind"], readonly string[]>> = {
  coffee: [
    "First one today.",
    "Line out the door, still worth it.",
    "Iced, even in January.",
    "Trying the dark roast.",
  ],
  lunch: ["Working lunch.", "Best seat by the window.", "Extra pickles, please."],
  dinner: ["Somebody's birthday!", "Finally got a table.", "The chowder is as good as they say."],
  brunch: ["Pancakes for everyone.", "Slow Sunday."],
  bar: ["Trivia night!", "Live band tonight.", "One drink, I promise.", "Go Sox!"],
  gym: ["Back at it.", "Leg day."],
  groceries: ["Forgot the list. Again."],
  cinema: ["Popcorn for dinner."],
  beach: ["Water is warmer than it looks.", "Perfect waves today.", "Found parking before ten!"],
  sights: ["Rainy day plan.", "Only took me ten years to visit."],
  sweets: ["Coffee milk cone. Obviously.", "Two scoops."],
  bed: ["Staying the night."],
};

interface DemoVenue {
  id: string;
  name: string;
  lat: number;
  lng: number;
  categoryId: string | null;
}

export interface DemoCheckin {
  id: string;
  venueId: string;
  createdAt: Date;
  /** Minutes east of UTC. */
  timeZoneOffset: number;
  shout: string | null;
}

const ZONE = "America/New_York";
const DAY_MS = 24 * 60 * 60 * 1000;
const HAUNTS = 8;
const TALKATIVE = 0.15;
/** Names from the trade register, which nobody visits. */
const COMPANY = /\b(inc|llc|ltd|corp|co|assn|assoc|dept|equipment|supply|distributors?)\b/i;

/** Creates the user with a year of check-ins before `now`. Leaves an existing user of the handle unchanged. */
export async function createDemo(deps: {
  prisma: PrismaClient;
  handle: string;
  passwordHash: string;
  now: Date;
}): Promise<void> {
  const { prisma, handle, passwordHash, now } = deps;
  const from = new Date(now.getTime() - 365 * DAY_MS);
  const name = { firstName: "Demo", lastName: "Visitor", homeCity: "Providence, RI" };
  const user = { id: randomId(), handle, passwordHash, createdAt: from, ...name };
  await prisma.$transaction(async (tx) => {
    const { count } = await tx.user.createMany({ data: [user], skipDuplicates: true });
    if (count === 0) return;
    const venues = await tx.venue.findMany({
      select: { id: true, name: true, lat: true, lng: true, categoryId: true },
      where: { creatorId: null, categoryId: { in: Object.values(categoriesOf).flatMap((ids) => [...ids]) } },
    });
    const checkins = demoCheckins({ venues, from, to: now, seed: handle });
    await tx.checkin.createMany({ data: checkins.map((checkin) => ({ ...checkin, userId: user.id })) });
    await tx.$executeRaw`
        UPDATE directory.venue SET checkins_count = checkins_count + visits.count, users_count = users_count + 1
        FROM (SELECT venue_id, count(*)::int FROM directory.checkin WHERE user_id = ${user.id} GROUP BY venue_id) visits
        WHERE venue.id = visits.venue_id`;
  });
}

/** Deterministic for the same input. Generates each day independently, so another time span gives the same days. */
export function demoCheckins(input: {
  venues: readonly DemoVenue[];
  from: Date;
  to: Date;
  seed: string;
}): DemoCheckin[] {
  const { venues, from, to, seed } = input;
  const findHaunts = hauntsAmong(venues, seed);
  const lastDay = localDay(to);
  const checkins: DemoCheckin[] = [];
  for (let day = localDay(from); day <= lastDay; day = new Date(day.getTime() + DAY_MS)) {
    checkins.push(...checkinsOn(day, seed, findHaunts));
  }
  return checkins
    .filter(({ createdAt }) => createdAt >= from && createdAt < to)
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/** `day` is a local date as midnight UTC. */
function checkinsOn(day: Date, seed: string, findHaunts: (habit: Habit) => readonly DemoVenue[]): DemoCheckin[] {
  const random = randomOf(`${seed} ${day.toISOString()}`);
  const timeZoneOffset = offsetOn(day);
  return planOf(day, random()).flatMap((habit) => {
    const [luck, time, choice, talk, word] = [random(), random(), random(), random(), random()];
    const venue = favourite(findHaunts(habit), choice);
    if (luck >= habit.chance || !venue) return [];
    const [opens, closes] = habit.hours;
    const localMinutes = (opens + time * (closes - opens)) * 60;
    const seconds = Math.floor((localMinutes - timeZoneOffset) * 60);
    const createdAt = new Date(day.getTime() + seconds * 1000);
    const shout = talk < TALKATIVE ? (favourite(SHOUTS[habit.kind] ?? [], word) ?? null) : null;
    return [
      { id: idOf(`${seed} ${createdAt.getTime()} ${venue.id}`), venueId: venue.id, createdAt, timeZoneOffset, shout },
    ];
  });
}

function planOf(day: Date, draw: number): readonly Habit[] {
  const holiday = HOLIDAYS[isThanksgiving(day) ? "thanksgiving" : day.toISOString().slice(5, 10)];
  if (holiday) return holiday;
  const weekday = day.getUTCDay();
  const month = day.getUTCMonth() + 1;
  const isSummer = month >= 6 && month <= 8;
  if (weekday === 6 && isSummer && draw < 0.2) return TRIPS.blockIsland;
  if ((weekday === 0 || weekday === 6) && draw < (isSummer ? 0.6 : 0.1)) return isSummer ? TRIPS.beach : TRIPS.newport;
  return WEEK[weekday] ?? [];
}

function isThanksgiving(day: Date): boolean {
  const date = day.getUTCDate();
  return day.getUTCMonth() === 10 && day.getUTCDay() === 4 && date >= 22 && date <= 28;
}

function hauntsAmong(venues: readonly DemoVenue[], seed: string): (habit: Habit) => readonly DemoVenue[] {
  const found = new Map<string, DemoVenue[]>();
  const candidates = venues.filter((venue) => !COMPANY.test(venue.name));
  return ({ kind, area }) => {
    const key = `${kind} ${area}`;
    const haunts =
      found.get(key) ??
      candidates
        .filter((venue) => venue.categoryId && categoriesOf[kind].has(venue.categoryId))
        .filter((venue) => distanceBetween(venue, AREAS[area]) < AREAS[area].radius)
        .map((venue) => ({ venue, rank: idOf(`${seed} ${venue.id}`) }))
        .sort((a, b) => (a.rank < b.rank ? -1 : 1))
        .slice(0, HAUNTS)
        .map(({ venue }) => venue);
    found.set(key, haunts);
    return haunts;
  };
}

const categoriesOf = Object.fromEntries(
  Object.entries(VISIT_KINDS).map(([kind, names]) => {
    const categories = allCategories.filter((category) => (names as string[]).includes(category.name));
    return [kind, new Set(categories.flatMap((category) => descendantIds(category.id)))];
  }),
) as Record<Habit["kind"], Set<string>>;

/** Earlier items are more likely. */
function favourite<Item>(items: readonly Item[], draw: number): Item | undefined {
  return items[Math.floor(draw ** 2 * items.length)];
}

/** Returns a random number generator (0 to 1) seeded with the text (mulberry32). */
function randomOf(text: string): () => number {
  let state = Number.parseInt(hash("sha256", text, "hex").slice(0, 8), 16);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const idOf = (text: string) => hash("sha256", text, "hex").slice(0, 24);

const localDate = new Intl.DateTimeFormat("en-CA", { timeZone: ZONE, dateStyle: "short" });

const localDay = (moment: Date) => new Date(`${localDate.format(moment)}T00:00:00Z`);

/** Clocks change at night, before any check-in. */
const offsetOn = (day: Date): number => offsetIn(ZONE, new Date(day.getTime() + DAY_MS / 2));
