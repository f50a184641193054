import { degreesOf, radians } from "../../src/matching/distance.ts";
import type { Placed } from "./candidates.ts";

/** Returns a pseudorandom whole number from 0 to `below`, exclusive; the sequence is fixed. */
export type Roll = (below: number) => number;

const FARTHEST = 150;

/** Returns the spot as another list has it: misspelt, abbreviated, up to 150 m off, with less of the address. */
export function imperfect(spot: Placed, roll: Roll): Placed {
  let { name } = spot;
  for (let left = pick([0, 0, 1, 1, 1, 2, 2, 3], roll); left > 0; left--)
    name = pick(CHANGES, roll)(name, roll, spot) || name;
  return {
    ...spot,
    ...moved(spot, roll),
    name,
    address: spot.address && addressOtherwise(spot.address, roll),
    city: pick([spot.city, spot.city, spot.city, spot.city?.toUpperCase(), undefined], roll),
    state: pick([spot.state, "Rhode Island", undefined], roll),
    zip: pick([spot.zip, spot.zip, spot.zip && `${spot.zip}-${1000 + roll(9000)}`, undefined], roll),
  };
}

export const pick = <T>(list: readonly T[], roll: Roll): T => list[roll(list.length)] as T;

/** Moves the spot by up to 150 m, with all distances equally likely. */
function moved({ lat, lng }: Placed, roll: Roll) {
  const off = degreesOf((FARTHEST * roll(1000)) / 1000);
  const direction = (2 * Math.PI * roll(1000)) / 1000;
  return {
    lat: round(lat + off * Math.cos(direction)),
    lng: round(lng + (off * Math.sin(direction)) / Math.cos(radians(lat))),
  };
}

const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

type Change = (name: string, roll: Roll, spot: Placed) => string;

const CHANGES: Change[] = [misspelt, misspelt, wordLost, wordAdded, abbreviated, abbreviated, otherCase, otherSigns];

function misspelt(name: string, roll: Roll): string {
  const words = name.split(" ");
  const long = words.filter((word) => /^[A-Za-z']{4,}$/.test(word));
  if (long.length === 0) return name;
  const word = pick(long, roll);
  const at = 1 + roll(word.length - 2);
  const [before, letter, after] = [word.slice(0, at), word[at] ?? "", word.slice(at + 1)];
  const other = pick(["", letter + letter, pick([..."aeiourstn"], roll)], roll);
  const swapped = before + (after[0] ?? "") + letter + after.slice(1);
  words[words.indexOf(word)] = roll(4) === 0 ? swapped : before + other + after;
  return words.join(" ");
}

/** Keeps the first word, which identifies the place. */
function wordLost(name: string, roll: Roll): string {
  const words = name.split(" ");
  return words.length < 3 ? name : words.toSpliced(1 + roll(words.length - 1), 1).join(" ");
}

function wordAdded(name: string, roll: Roll, { city = "" }: Placed): string {
  const added = [`${name} ${city}`, `${name} - ${city}`, `${name} (${city})`, `${name} Inc`, `${name}, LLC`];
  return pick(/^the /i.test(name) ? added : [...added, `The ${name}`], roll);
}

const SHORT_FORMS: [long: string, short: string][] = [
  ["Restaurant", "Rest."],
  ["Center", "Ctr"],
  ["Company", "Co"],
  ["Association", "Assn"],
  ["Services?", "Svc"],
  ["School", "Schl"],
  ["University", "Univ"],
  ["Saint", "St."],
  ["Mount", "Mt."],
  ["Brothers", "Bros"],
  ["International", "Intl"],
  ["Department", "Dept"],
  ["Rhode Island", "RI"],
  ["and", "&"],
  ["Doctor", "Dr."],
  ["Pizzeria", "Pizza"],
];

function abbreviated(name: string, roll: Roll): string {
  const fitting = SHORT_FORMS.map((forms) => swappedForms(name, forms)).filter((other) => other !== name);
  return fitting.length > 0 ? pick(fitting, roll) : name;
}

function swappedForms(text: string, [long, short]: [string, string]): string {
  const shorter = text.replace(new RegExp(`\\b${long}\\b`, "i"), short);
  if (shorter !== text) return shorter;
  const bare = short.replace(".", "");
  return text.replace(new RegExp(`(?<!\\S)${bare}\\.?(?!\\S)`), long.replace(/.\?$/, ""));
}

function otherCase(name: string, roll: Roll): string {
  return roll(2) === 0 ? name.toLowerCase() : name.toUpperCase();
}

function otherSigns(name: string, roll: Roll): string {
  const bare = name.replace(/['.]/g, "").replace(/[-/]/g, " ");
  return bare !== name ? bare : name.replace(" ", pick(["-", ""], roll));
}

const STREET_FORMS: [long: string, short: string][] = [
  ["Street", "St"],
  ["Avenue", "Ave"],
  ["Road", "Rd"],
  ["Highway", "Hwy"],
  ["Boulevard", "Blvd"],
  ["Drive", "Dr"],
  ["Lane", "Ln"],
  ["Square", "Sq"],
  ["Place", "Pl"],
  ["Turnpike", "Tpke"],
  ["Suite", "Ste"],
  ["Court", "Ct"],
  ["North", "N"],
  ["South", "S"],
  ["East", "E"],
  ["West", "W"],
];

function addressOtherwise(address: string, roll: Roll): string | undefined {
  const [, number = "", street = address] = /^(\d+) (.*)$/.exec(address) ?? [];
  const written = STREET_FORMS.reduce(
    (text, forms) => (roll(2) === 0 ? swappedForms(text, forms) : text),
    roll(8) === 0 ? misspelt(street, roll) : street,
  );
  const given = `${number} ${written}`.trim();
  const others = [
    `${written}, ${number}`,
    `${number}-${Number(number) + 2} ${written}`,
    `${given}, Unit ${1 + roll(9)}`,
  ];
  return pick([address, given, given, given, number ? pick(others, roll) : given, written, undefined, undefined], roll);
}
