// node bench/support/make-example-listings.ts: writes examples/listings.csv, always the same: places in Rhode Island as somebody
// might list them, made from the sample venues. Most rows are tidy; some need review.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { degreesOf, radians } from "../../src/matching/distance.ts";
import type { Placed } from "./candidates.ts";
import { imperfect, pick, type Roll } from "./imperfections.ts";
import { chance, type MadeVenue, readSample } from "./venues.ts";

/** Rows of each kind, not counting the odd ones. */
const [TIDY, UNTIDY, ROUGH, BARE] = [150, 45, 80, 8];

const FILE = path.resolve(import.meta.dirname, "../../examples/listings.csv");
const HEADER = ["Store ID", "Name", "Latitude", "Longitude", "Street", "City", "State", "ZIP", "Phone"];

/** Places missing from the sample. */
const NEW: Placed[] = [
  place("Blue Heron Bicycle Works", 41.8189, -71.4022, "61 Transit Street", "Providence", "02906"),
  place("Tidewrack Coffee Roasters", 41.4872, -71.3141, "9 Bowens Landing", "Newport", "02840"),
  place("The Paper Lantern Bookshop", 41.7003, -71.4571, "310 Main Street", "East Greenwich", "02818"),
  place("Quahog & Daughters Seafood", 41.3761, -71.5124, "44 Sand Hill Cove Road", "Narragansett", "02882"),
  place("Pärt Piano Workshop", 41.8301, -71.3897, "12 Elmgrove Avenue", "Providence", "02906"),
  place("Old Slater Climbing Hall", 41.8801, -71.3822, "175 Roosevelt Avenue", "Pawtucket", "02860"),
  place("Lighthouse Letterpress", 41.1729, -71.5781, "220 Spring Street", "New Shoreham", "02807"),
  place("Nine Muses Ceramics Studio", 41.5461, -71.3003, "1850 West Main Road", "Middletown", "02842"),
];

const INTEREST =
  /\b(cafe|coffee|bakery|pizza|pizzeria|restaurant|grille?|diner|deli|pub|tavern|bistro|kitchen|market|books?|gallery|hotel|inn|florist|salon|theat|museum|library|hardware|pharmacy|bagels?|donuts?|ice cream|creamery|sushi|thai|wine)/i;

/** Parts of a place rather than places. */
const PARTS = ["ATM", "Parking", "Gift Shop", "Takeout Window"];
const SHORT: Record<string, string> = { Street: "St.", Avenue: "Ave", Road: "Rd" };

let rolled = 0;
const roll: Roll = (below) => chance(below, 2026, rolled++);

const sample = await readSample();
// The few venues with a telephone number come first, in the tidy rows.
const withPhone = sample.filter(({ phone, address }) => phone !== "" && address !== "").slice(0, 10);
const venues = [...withPhone, ...shuffled(sample.filter(isOfInterest))];
const take = (count: number) => venues.splice(0, count).map(asPlaced);
const tidy = take(TIDY).map(slightlyOff);
const untidy = take(UNTIDY).map((venue) => imperfect(venue, roll));
const rough = take(ROUGH).map(roughly);
const bare = take(BARE).map(({ id, name, lat, lng }) => ({ id, name, lat, lng }));
const [first, second, swapped, nameless] = tidy as [Placed, Placed, Placed, Placed];
const rows: Placed[] = shuffled([
  ...tidy.filter((each) => each !== swapped && each !== nameless),
  ...untidy,
  ...rough,
  ...bare,
  ...NEW,
  // Duplicates: one in capitals, one without its street.
  { ...first, name: first.name.toUpperCase() },
  { ...second, address: undefined, zip: undefined },
  { ...swapped, lat: swapped.lng, lng: swapped.lat },
  { ...nameless, name: "" },
]);
write(rows);

function isOfInterest({ name, address, city }: MadeVenue): boolean {
  return /^\d+ \w/.test(address) && city !== "" && /^[A-Z][\w'&. -]{5,34}$/.test(name) && INTEREST.test(name);
}

function asPlaced({ id, name, lat, lng, address, city, state, zip, phone }: MadeVenue): Placed {
  return { id, name, lat, lng, address, city, state, zip, phone: phone || undefined };
}

/** Moves the venue a few metres, and sometimes changes a word. */
function slightlyOff(venue: Placed): Placed {
  const off = degreesOf(roll(35));
  const direction = (2 * Math.PI * roll(1000)) / 1000;
  return {
    ...venue,
    name: roll(4) === 0 ? otherwise(venue.name) : venue.name,
    lat: round(venue.lat + off * Math.cos(direction)),
    lng: round(venue.lng + (off * Math.sin(direction)) / Math.cos(radians(venue.lat))),
    address: venue.address?.replace(/\b(Street|Avenue|Road)$/, (word) => pick([word, SHORT[word] ?? word], roll)),
    zip: roll(6) === 0 ? undefined : venue.zip,
    phone: venue.phone && phoneOtherwise(venue.phone),
  };
}

/** As written from memory: a changed name, some streets away, without an address; or a part of the place. */
function roughly(venue: Placed): Placed {
  if (roll(4) === 0) return { ...venue, name: `${venue.name} ${pick(PARTS, roll)}` };
  const { id, name, lat, lng, city } = imperfect(imperfect(imperfect(venue, roll), roll), roll);
  return { id, name, city, lat: round(lat + (roll(300) - 150) * 1e-5), lng: round(lng + (roll(300) - 150) * 1e-5) };
}

function otherwise(name: string): string {
  const written = pick(
    [
      name.replace(/\bCafe\b/, "Café"),
      name.replace(/\bRestaurant\b/, "Rest."),
      name.replace(/ and /, " & "),
      name.replace(/'/, ""),
      `${name} Inc.`,
      name.toUpperCase(),
    ],
    roll,
  );
  return written === name ? `The ${name.replace(/^The /, "")}` : written;
}

function phoneOtherwise(phone: string): string {
  const [, area, office, line] = /(\d{3})\D*(\d{3})\D*(\d{4})$/.exec(phone) ?? [];
  return pick([`(${area}) ${office}-${line}`, `${area}.${office}.${line}`, `+1 ${area} ${office} ${line}`], roll);
}

function place(name: string, lat: number, lng: number, address: string, city: string, zip: string): Placed {
  return { id: "", name, lat, lng, address, city, state: "RI", zip };
}

function shuffled<T>(list: T[]): T[] {
  const keyed = list.map((each) => ({ each, key: roll(2 ** 31) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ each }) => each);
}

function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

function write(places: Placed[]): void {
  const rows = places.map(({ name, lat, lng, address, city, state, zip, phone }, at) => {
    // One id occurs twice.
    const id = `RI-${String(at === 40 ? 40 : at + 1).padStart(4, "0")}`;
    return [id, name, lat, lng, address, city, state, zip, phone];
  });
  const cell = (value: unknown) =>
    String(value ?? "").replace(/^.*[",].*$/, (text) => `"${text.replaceAll('"', '""')}"`);
  writeFileSync(FILE, [HEADER, ...rows].map((row) => `${row.map(cell).join(",")}\n`).join(""));
}
