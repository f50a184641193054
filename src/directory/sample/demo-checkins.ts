import { hash } from "node:crypto";
import type { PrismaClient } from "../../db/generated/client.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { randomId } from "../../shared/crypto.ts";
import { allCategories, descendantIds } from "../categories/tree.ts";
import { offsetIn } from "../time-zones.ts";
import demo from "./demo-habits.json" with { type: "json" };

/** Categories by the kind of a visit. */
export const VISIT_KINDS = demo.visitKinds;

/** Centres with a radius in metres. Home is the East Side of Providence. */
export const AREAS = demo.areas;

interface Habit {
  kind: keyof typeof VISIT_KINDS;
  area: keyof typeof AREAS;
  chance: number;
  /** Local, from and until. */
  hours: readonly [number, number];
}

type Habits = readonly Habit[];

/** From Sunday. */
const WEEK = demo.week as unknown as readonly Habits[];
const TRIPS = demo.trips as unknown as Record<keyof typeof demo.trips, Habits>;
/** By month-day. */
const HOLIDAYS = demo.holidays as unknown as Record<string, Habits>;
const SHOUTS: Partial<Record<Habit["kind"], readonly string[]>> = demo.shouts;

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
    const luck = random();
    const time = random();
    const choice = random();
    const talk = random();
    const word = random();
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
