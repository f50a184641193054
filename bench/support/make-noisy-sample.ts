// node bench/support/make-noisy-sample.ts: writes bench/data/retrieval/sample_noisy, always the same: listings made from the
// sample venues with common errors, and listings without a venue, for which it removes venues.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { distanceBetween } from "../../src/matching/distance.ts";
import { trigramSimilarity } from "../../src/matching/text/similarity.ts";
import type { Placed } from "./candidates.ts";
import { imperfect, pick, type Roll } from "./imperfections.ts";
import { chance, readSample } from "./venues.ts";

/** Listings of each kind. */
const SAME = 600;
const COUNTS = { "taken out": 150, "same house": 60, "part of": 50, "other branch": 40 };
/** Fictional telephone numbers (401-555-0100 to 0199): shared by venue and listing, different in both, or only in the listing. */
const [SAME_PHONE, OTHER_PHONE, NEW_PHONE] = [70, 12, 6];

const PARTS = ["ATM", "Parking", "Bus Stop", "Gift Shop", "Parking Garage", "Car Wash", "Playground", "Taxi Stand"];

const FOLDER = path.resolve(import.meta.dirname, "../data/retrieval/sample_noisy");
const COLUMNS = ["id", "name", "lat", "lng", "address", "city", "state", "zip", "phone"] as const;

interface Listing extends Placed {
  kind: string;
  /** The right venue. */
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

/** Whether another venue may be the same place, so that the right one is unclear. */
function hasDouble(venue: Placed): boolean {
  const name = plainName(venue.name);
  return venues.some((other) => {
    if (other === venue || Math.abs(other.lat - venue.lat) > 0.005 || distanceBetween(other, venue) > 300) return false;
    const theirs = plainName(other.name);
    return name.startsWith(theirs) || theirs.startsWith(name) || trigramSimilarity(name, theirs) > 0.45;
  });
}

/** Not the directory's normalization, because these files must not change with it. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}

function isInSharedHouse({ address, city }: Placed): boolean {
  return /^\d/.test(address ?? "") && (byHouse.get(`${address}|${city}`)?.length ?? 0) > 1;
}

function split<T>(list: T[], isSo: (each: T) => boolean, count: number): [T[], T[]] {
  const found = new Set(list.filter(isSo).slice(0, count));
  return [[...found], list.filter((each) => !found.has(each))];
}

/** A separate thing at a venue, which does not match the venue. */
function partOf(venue: Placed): Listing {
  const { name, ...where } = imperfect(venue, roll);
  return { ...where, name: `${venue.name} ${pick(PARTS, roll)}`, kind: "part of" };
}

/** Invents branches of chains at addresses of other venues, with the nearest real branch 700 to 4,000 m away. */
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
    if (!place) throw new Error(`No place was found for ${name}.`);
    return { ...imperfect({ ...place, name }, roll), address: place.address, kind: "other branch" };
  });
}

function phone(last: number, style = 0): string {
  return [`4015550${last}`, `401-555-0${last}`, `(401) 555-0${last}`, `+1 401 555 0${last}`][style] ?? "";
}

/** The first listings have the number of their venue, the next ones another. */
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
