import { degreesOf, distanceBetween, radians } from "../../src/matching/distance.ts";
import { normalizeName } from "../../src/matching/normalize/normalize.ts";
import { pick, type Roll } from "./imperfections.ts";
import { chance, type MadeVenue } from "./venues.ts";

/** A venue beside another of the directory, and whether both are one place. */
export interface Planted {
  kind: string;
  isSame: boolean;
  /** Id of the other. */
  of: string;
  venue: MadeVenue;
}

/** Returns `each` planted venues of every kind, each beside a venue of its own. Always the same ones for a seed. */
export function plantDuplicates(venues: readonly MadeVenue[], each: number, seed = 2026): Planted[] {
  let rolled = 0;
  const roll: Roll = (below) => chance(below, seed, rolled++);
  const bases = basesOf(venues);
  const step = Math.floor(bases.length / (each * KINDS.length));
  if (step === 0) throw new Error(`There are only ${bases.length} venues to plant others beside.`);
  const first = roll(step);
  return KINDS.flatMap(([kind, isSame, make], at) =>
    Array.from({ length: each }, (_, index) => {
      const base = bases[(index * KINDS.length + at) * step + first] as MadeVenue;
      const stranger = bases[roll(bases.length)] as MadeVenue;
      const changes = make(base, roll, stranger);
      return { kind, isSame, of: base.id, venue: { ...base, ...changes, id: `${kind.replaceAll(" ", "-")}.${index}` } };
    }),
  );
}

/** Named by two words or more, with a house number, and without another that begins with the same word within 500 metres. */
function basesOf(venues: readonly MadeVenue[]): MadeVenue[] {
  const first = (venue: MadeVenue) =>
    normalizeName(venue.name)
      .split(" ")
      .find((word) => word.length > 3) ?? "";
  const called = Map.groupBy(venues, first);
  return venues.filter((venue) => {
    if (!/^\d+ \w+/.test(venue.address) || !/^\p{L}[\p{L}'’&.]{3,} .*\p{L}{4,}/u.test(venue.name)) return false;
    if (/\batm\b|bank|parking|pharmacy/i.test(venue.name)) return false;
    return !called.get(first(venue))?.some((other) => other !== venue && distanceBetween(other, venue) < 500);
  });
}

type Make = (base: MadeVenue, roll: Roll, stranger: MadeVenue) => Partial<MadeVenue>;

/** The ways in which people add a venue again, and those in which two places are nearly alike. */
const KINDS: [kind: string, isSame: boolean, make: Make][] = [
  ["spelling", true, (base, roll) => ({ name: misspelt(base.name, roll), ...moved(base, roll, 3, 25) })],
  ["abbreviation", true, (base, roll) => ({ ...abbreviated(base), ...moved(base, roll, 0, 15) })],
  ["missing phone", true, (base, roll) => ({ phone: "", url: "", ...moved(base, roll, 0, 20) })],
  ["moved", true, (base, roll) => ({ ...moved(base, roll, 5, 80), ...pick([{}, { address: "" }], roll) })],
  ["other category", true, (base, roll, { category }) => ({ category, phone: "", ...moved(base, roll, 0, 20) })],
  ["other order", true, (base, roll) => ({ name: reordered(base.name), ...moved(base, roll, 0, 20) })],
  ["reopened", true, (base, roll) => ({ name: renamed(base.name, roll), phone: phoneOf(roll), url: "" })],
  [
    "renamed in part",
    true,
    (base, roll) => ({ name: renamedInPart(base, roll), ...kept(roll), ...moved(base, roll, 0, 25) }),
  ],
  ["other address", true, (base, roll) => ({ ...otherwise(base, roll), phone: "", ...moved(base, roll, 0, 40) })],
  [
    "phone alone",
    true,
    (base, roll) => ({
      name: shortened(base.name),
      ...(base.phone ? WITHOUT_ADDRESS : {}),
      ...moved(base, roll, 30, 250),
    }),
  ],
  ["added words", true, (base, roll) => ({ name: `${base.name} ${pick(["Inc", "LLC", base.city], roll)}`, url: "" })],
  ["name and position", true, (base, roll) => ({ ...NOTHING, ...moved(base, roll, 3, 40) })],
  ["signs and case", true, (base, roll) => ({ name: otherSigns(base.name), phone: "", ...moved(base, roll, 0, 20) })],
  [
    "branch in the street",
    false,
    (base, roll) => ({ ...nextDoor(base, 20), ...moved(base, roll, 60, 140), ...own(roll) }),
  ],
  ["branch without address", false, (base, roll) => ({ ...NOTHING, ...moved(base, roll, 200, 400) })],
  [
    "other unit",
    false,
    (base, roll, { name }) => ({ name, address: `${base.address} Unit ${2 + roll(9)}`, ...own(roll) }),
  ],
  [
    "department",
    false,
    (base, roll) => ({
      name: `${base.name} ${/cafe/i.test(base.name) ? "Pharmacy" : pick(["Pharmacy", "Cafe"], roll)}`,
      phone: phoneOf(roll),
    }),
  ],
  [
    "department of the same name",
    false,
    (base, roll) => ({ category: PHARMACY, ...own(roll), ...moved(base, roll, 0, 10) }),
  ],
  ["cash machine", false, (base, roll) => ({ name: pick(["ATM", `${base.name} ATM`], roll), phone: "", url: "" })],
  [
    "other house number",
    false,
    (base, roll) => ({ ...nextDoor(base, 4), ...moved(base, roll, 15, 60), phone: "", url: "" }),
  ],
  [
    "part of a place",
    false,
    (base, roll) => ({
      name: `${base.name} ${pick(["Parking Garage", "Ballroom"], roll)}`,
      phone: pick([base.phone, ""], roll),
    }),
  ],
  [
    "of the same family",
    false,
    (base, roll) => ({
      name: `${base.name} ${pick(["Foundation", "Realty", "Kids", "Annex", "II"], roll)}`,
      ...pick([own(roll), { phone: "", url: "" }], roll),
    }),
  ],
  ["same first word", false, (base, roll, other) => ({ name: crossed(base.name, other.name), ...own(roll) })],
  ["other firm at the desk", false, (_base, _roll, { name }) => ({ name, url: "" })],
];

const WITHOUT_ADDRESS = { address: "", zip: "", url: "" };
const NOTHING = { address: "", zip: "", phone: "", url: "", category: "" };
const PHARMACY = "Pharmacy";

const phoneOf = (roll: Roll): string => `+1401555${String(1000 + roll(9000))}`;
const own = (roll: Roll) => ({ phone: phoneOf(roll), url: "" });

function moved({ lat, lng }: MadeVenue, roll: Roll, least: number, most: number) {
  const off = degreesOf(least + ((most - least) * roll(1000)) / 1000);
  const direction = (2 * Math.PI * roll(1000)) / 1000;
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
  return {
    lat: round(lat + off * Math.cos(direction)),
    lng: round(lng + (off * Math.sin(direction)) / Math.cos(radians(lat))),
  };
}

function misspelt(name: string, roll: Roll): string {
  const at = 2 + roll(name.length - 3);
  const [before, letter, after] = [name.slice(0, at), name.charAt(at), name.slice(at + 1)];
  return pick(
    [before + after, before + letter + letter + after, `${before}${after.charAt(0)}${letter}${after.slice(1)}`],
    roll,
  );
}

const SHORT: [RegExp, string][] = [
  [/\bRestaurant\b/, "Rest."],
  [/\bCenter\b/, "Ctr"],
  [/\b(and)\b/, "&"],
  [/\bSaint\b/, "St."],
  [/\bCompany\b/, "Co"],
  [/\bAssociates\b/, "Assoc"],
  [/\bStreet\b/, "St"],
  [/\bAvenue\b/, "Ave"],
  [/\bRoad\b/, "Rd"],
  [/\bBoulevard\b/, "Blvd"],
];
const shortened = (text: string) => SHORT.reduce((result, [long, short]) => result.replace(long, short), text);

/** The first word by its initial if nothing else is shortened. */
function abbreviated({ name, address }: MadeVenue): Partial<MadeVenue> {
  const short = shortened(name);
  return { name: short === name ? name.replace(/(\p{L}{4})\p{L}{3,}$/u, "$1.") : short, address: shortened(address) };
}

function reordered(name: string): string {
  const [first = "", ...rest] = name.split(" ");
  return `${rest.join(" ")}, ${first}`;
}

const renamed = (name: string, roll: Roll): string =>
  pick([`The ${name}`, `${name} & Co`, name.replace(/s$|$/, "s"), `New ${name}`], roll);

/** Its phone, its address, or both. */
const kept = (roll: Roll): Partial<MadeVenue> => pick([{}, {}, { phone: "", url: "" }, WITHOUT_ADDRESS], roll);

function renamedInPart({ name, city, state }: MadeVenue, roll: Roll): string {
  const without = name.split(" ").slice(0, -1).join(" ");
  const where = pick([state, city, `- ${city}, ${state}`, `of ${city}`], roll);
  const ending = pick(["Group", "& Sons", "Services", "& Associates", "Partners", "Company", "International"], roll);
  return pick([`${name} ${where}`, `${name} ${ending}`, pick([`New ${name}`, `The New ${name}`], roll), without], roll);
}

/** The same address, written in another way. */
function otherwise({ address, city, state, zip }: MadeVenue, roll: Roll): Partial<MadeVenue> {
  const [, number = "", street = ""] = /^(\S+) (.*)$/.exec(address) ?? [];
  const short = shortened(address);
  return {
    address: pick(
      [short.toUpperCase(), `${street} ${number}`, `${short}, ${city}, ${state} ${zip}`, `${short}, 1st Floor`],
      roll,
    ),
  };
}

const otherSigns = (name: string): string =>
  name
    .toUpperCase()
    .replaceAll(/[.'’,-]/g, "")
    .replace("&", "AND");

const nextDoor = ({ address }: MadeVenue, by: number): Partial<MadeVenue> => ({
  address: address.replace(/^\d+/, (number) => String(Number(number) + by)),
});

function crossed(one: string, other: string): string {
  const [first, last] = [one.split(" ")[0], other.split(" ").at(-1) ?? ""];
  return `${first} ${one.endsWith(last) ? "Bowling" : last}`;
}
