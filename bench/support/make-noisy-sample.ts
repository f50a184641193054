// node bench/support/make-noisy-sample.ts: writes bench/data/retrieval/sample_noisy, the same files every time: listings made
// from the sample venues with the imperfections of life, and some that have no venue, for which venues are taken out.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { distanceBetween } from "../../src/matching/distance.ts";
import { trigramSimilarity } from "../../src/matching/similarity.ts";
import type { Placed } from "./candidates.ts";
import { imperfect, pick, type Roll } from "./imperfections.ts";
import { chance, readSample } from "./venues.ts";

/** How many listings of each kind. */
const SAME = 600;
const COUNTS = { "taken out": 150, "same house": 60, "part of": 50, "other branch": 40 };
/** Of the fictional telephone numbers, 401-555-0100 to 0199, how many venues share theirs with their listing, or do not. */
const [SAME_PHONE, OTHER_PHONE, NEW_PHONE] = [70, 12, 6];

const PARTS = ["ATM", "Parking", "Bus Stop", "Gift Shop", "Parking Garage", "Car Wash", "Playground", "Taxi Stand"];

const FOLDER = path.resolve(import.meta.dirname, "../data/retrieval/sample_noisy");
const COLUMNS = ["id", "name", "lat", "lng", "address", "city", "state", "zip", "phone"] as const;

interface Listing extends Placed {
  kind: string;
  /** The venue that is right. */
  venue?: string;
}

let rolled = 0;
const roll: Roll = (below) => chance(below, 2010, rolled++);

const venues = shuffled((await readSample()).map(({ category, url, country, phone, ...venue }): Placed => venue));
const byHouse = Map.groupBy(venues, ({ address, city }) => `${address}|${city}`);
const byName = Map.groupBy(venues, ({ name }) => plainName(name));
const single = venues.filter((venue) => !hasDouble(venue));

const missing = single.slice(0, COUNTS["taken out"]);
const [neighbours, rest] = split(single.slice(missing.length), isInSharedHouse, COUNTS["same house"]);
const takenOut = new Set([...missing, ...neighbours]);
const directory = venues.filter((venue) => !takenOut.has(venue));
const same = rest.slice(0, SAME).map((venue) => ({ ...imperfect(venue, roll), kind: "same", venue: venue.id }));
const listings: Listing[] = shuffled([
  ...withPhones(same),
  ...missing.map((venue) => ({ ...imperfect(venue, roll), kind: "taken out" })).map(withNewPhone),
  ...neighbours.map((venue) => ({ ...imperfect(venue, roll), address: venue.address, kind: "same house" })),
  ...rest.slice(SAME, SAME + COUNTS["part of"]).map(partOf),
  ...otherBranches(rest.slice(SAME + COUNTS["part of"])),
]);
write();

function shuffled<T>(list: T[]): T[] {
  const keyed = list.map((each) => ({ each, key: roll(2 ** 31) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ each }) => each);
}

/** Whether another venue may be the same one once more: then nobody could say which is right. */
function hasDouble(venue: Placed): boolean {
  const name = plainName(venue.name);
  return venues.some((other) => {
    if (other === venue || Math.abs(other.lat - venue.lat) > 0.005 || distanceBetween(other, venue) > 300) return false;
    const theirs = plainName(other.name);
    return name.startsWith(theirs) || theirs.startsWith(name) || trigramSimilarity(name, theirs) > 0.45;
  });
}

/** Not as the directory has it: that may change, and these files should not. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}

function isInSharedHouse({ address, city }: Placed): boolean {
  return /^\d/.test(address ?? "") && (byHouse.get(`${address}|${city}`)?.length ?? 0) > 1;
}

/** The first `count` that are so, and all others. */
function split<T>(list: T[], isSo: (each: T) => boolean, count: number): [T[], T[]] {
  const found = new Set(list.filter(isSo).slice(0, count));
  return [[...found], list.filter((each) => !found.has(each))];
}

/** A thing of its own at a venue: that one is not meant. */
function partOf(venue: Placed): Listing {
  const { name, ...where } = imperfect(venue, roll);
  return { ...where, name: `${venue.name} ${pick(PARTS, roll)}`, kind: "part of" };
}

/** Branches of chains where there are none: at the address of another venue, the nearest branch 700 to 4,000 m away. */
function otherBranches(elsewhere: Placed[]): Listing[] {
  const chains = [...byName.values()].filter((branches) => branches.length >= 6);
  const places = elsewhere.filter(({ address }) => /^\d/.test(address ?? ""));
  return chains.slice(0, COUNTS["other branch"]).map(([branch]) => {
    const name = branch?.name ?? "";
    const branches = venues.filter((venue) => trigramSimilarity(plainName(venue.name), plainName(name)) > 0.4);
    const at = places.findIndex((each) => {
      const nearest = Math.min(...branches.map((other) => distanceBetween(each, other)));
      return nearest > 700 && nearest < 4000;
    });
    const [place] = places.splice(at, at < 0 ? 0 : 1);
    if (!place) throw new Error(`There is no place for ${name}.`);
    return { ...imperfect({ ...place, name }, roll), address: place.address, kind: "other branch" };
  });
}

/** Numbers as lists write them. */
function phone(last: number, style = 0): string {
  return [`4015550${last}`, `401-555-0${last}`, `(401) 555-0${last}`, `+1 401 555 0${last}`][style] ?? "";
}

/** The first listings have the number of their venue, the next another one. */
function withPhones(same: (Listing & { venue: string })[]): Listing[] {
  let next = 100;
  return same.map((listing, at) => {
    if (at >= SAME_PHONE + OTHER_PHONE) return listing;
    const venue = directory.find(({ id }) => id === listing.venue);
    if (venue) venue.phone = phone(next++);
    return { ...listing, phone: phone(at < SAME_PHONE ? next - 1 : next++, 1 + roll(3)) };
  });
}

function withNewPhone(listing: Listing, at: number): Listing {
  if (at >= NEW_PHONE) return listing;
  return { ...listing, phone: phone(100 + SAME_PHONE + 2 * OTHER_PHONE + at, 1 + roll(3)) };
}

function write(): void {
  mkdirSync(FOLDER, { recursive: true });
  const numbered = listings.map((listing, at) => ({ ...listing, id: `L${String(at + 1).padStart(3, "0")}` }));
  writeCsv(
    "directory",
    COLUMNS,
    directory.toSorted((a, b) => Number(a.id) - Number(b.id)),
  );
  writeCsv("listings", [...COLUMNS, "kind"], numbered);
  const truth = numbered.map(({ id, venue }) => ({ listing_id: id, venue_id: venue }));
  writeCsv("truth", ["listing_id", "venue_id"], truth);
}

function writeCsv<Column extends string>(
  name: string,
  columns: readonly Column[],
  rows: readonly Partial<Record<Column, string | number | undefined>>[],
): void {
  const cell = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  const lines = rows.map((row) => columns.map((column) => cell(String(row[column] ?? ""))).join(","));
  writeFileSync(
    path.join(FOLDER, `${name}.csv.gz`),
    gzipSync([columns.join(","), ...lines, ""].join("\n"), { level: 9 }),
  );
}
