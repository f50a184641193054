import { addressWords } from "../../matching/normalize/address.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { countryCode, stateCodes } from "../../matching/normalize/regions.ts";
import { isStreetType } from "../../matching/normalize/street-words.ts";
import { isLink } from "./map-link.ts";
import { isOnEarth, parseDegrees, splitPosition } from "./position.ts";

interface WholeAddress {
  name: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  country: string;
  lat: number;
  lng: number;
}

/** Characters that are read. */
const LONGEST = 500;

/**
 * Takes a text apart that says everything of a place, in the orders of many countries: "14 Mill St, Lowport, ME 04098",
 * "Larkspur, Hauptstr. 5, 10115 Berlin, Germany", over several lines, with a position in brackets. Says nothing of what it cannot
 * tell, so the parts may lack a town; an address without town and postal code is all in `address`.
 */
export function wholeAddressOf(text: string): Partial<WholeAddress> {
  if (text !== last.text) last = { text, found: takeApart(text) };
  return { ...last.found };
}

/** Its position, its town and its query each ask for the address of a row. */
let last: { text: string; found: Partial<WholeAddress> } = { text: "", found: {} };

function takeApart(text: string): Partial<WholeAddress> {
  const { position, rest } = takePosition(text.slice(0, LONGEST));
  const parts = rest
    .split(SEPARATORS)
    .map((part) => part.replace(/^[\s.]+|\s+$/g, "").replace(/\s+/g, " "))
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
  const found: Partial<WholeAddress> = { ...position };
  takeTail(parts, found);
  if (!found.country) takeCountry(parts, found);
  if (!found.zip) takeFirstZip(parts, found);
  if (!found.zip) takeZip(parts, found);
  if (!found.state) takeState(parts, found);
  if (!found.city) takeCity(parts, found);
  takeName(parts, found);
  if (parts.length > 0) found.address = parts.join(", ");
  return found;
}

/** Whether wholeAddressOf() may find a postal code, at a tenth of its cost: in "120 Main St" it does not. */
export const mayHaveZip = (text: string): boolean => MAY_BE_ZIP.test(text) && !ONLY_STREET.test(text);

const MAY_BE_ZIP = /\d{4}|[A-Z]\d|\d-\d{3}|\d{3}\s+\d{2}/;
const ONLY_STREET = /^\d{1,6}[a-z]?(?: [A-Za-z'.]+)+$/;

/** A hyphen with blanks around it separates in Brazil: "Av. Brasil 123 - Centro, Campinas - SP". */
const SEPARATORS = /[,;|\n\r，、،·•]| [-–—] /;

/** A position in brackets, on a line of its own, or in a link. */
function takePosition(text: string): { position: Partial<WholeAddress>; rest: string } {
  if (!MAY_BE_POSITION.test(text)) return { position: {}, rest: text };
  for (const [whole, inside = ""] of text.matchAll(POSITIONS)) {
    if (!isLink(inside) && !FINE.test(inside)) continue;
    const [lat, lng] = (splitPosition(inside) ?? []).map((half) => parseDegrees(half)?.value);
    if (lat === undefined || lng === undefined || !isOnEarth({ lat, lng })) continue;
    return { position: { lat, lng }, rest: text.replace(whole, "\n") };
  }
  return { position: {}, rest: text };
}

const POSITIONS =
  /[([]([^()[\]\n]{3,60})[)\]]|((?<=^|[\s,;])[+-]?\d{1,3}\.\d{3,10}\s*[,;]\s*[+-]?\d{1,3}\.\d{3,10}(?=$|[\s,;]))|((?<=^|\s)(?:https?:\/\/|geo:)\S+)/g;
/** Finds whatever POSITIONS finds, and more, at a tenth of its cost. */
const MAY_BE_POSITION = /[([:]|\.\d{3}/;
const FINE = /\d[.,]\d{2}|°/;

/**
 * Takes country, postal code and state from the end of a text without commas, if a street and a town stand before:
 * "14 Mill St Lowport Maine 04098 USA", but not "12 Avenue de France".
 */
function takeTail(parts: string[], found: Partial<WholeAddress>): void {
  const last = parts.at(-1) ?? "";
  // "Rhode Island" is no country, though Iceland is an Island in German.
  const isCountry = (tail: string) => regionsOf(tail).isCountry && !isState(tail);
  const country = tailOf(last, isState) ? undefined : tailOf(last, isCountry);
  const rest = country?.rest ?? last;
  const zip = splitZip(rest);
  const placed = zip && !zip.isFirst ? zip : { zip: undefined, rest };
  const state = tailOf(placed.rest, isState);
  const isStateBehindTown = state !== undefined && behindStreet(state.rest) !== undefined;
  if (isStateBehindTown || behindStreet(placed.rest)) {
    if (isStateBehindTown) found.state = state.tail;
    if (placed.zip) found.zip = placed.zip;
    parts.splice(-1, 1, isStateBehindTown ? state.rest : placed.rest);
  } else if (country && IN_MIDDLE.test(rest)) parts.splice(-1, 1, rest);
  else return;
  if (country) found.country = country.tail;
}

/** The longest end of a text, of whole words, that is known. */
function tailOf(text: string, isKnown: (tail: string) => boolean): { rest: string; tail: string } | undefined {
  const words = text.split(" ");
  for (let count = Math.min(LONGEST_TAIL, words.length - 1); count > 0; count--) {
    const tail = words.slice(-count).join(" ");
    if ((count > 1 ? /^\D/ : /^\p{Lu}/u).test(tail) && isKnown(tail))
      return { rest: words.slice(0, -count).join(" "), tail };
  }
  return undefined;
}

/** Words: "Saint Vincent and the Grenadines". */
const LONGEST_TAIL = 5;

function takeCountry(parts: string[], found: Partial<WholeAddress>): void {
  const last = parts.at(-1) ?? "";
  const before = parts.at(-2);
  if (before === undefined || !regionsOf(last).isCountry) return;
  // "CA" is Canada behind "ON M5V 2T6", but otherwise California.
  if (isState(last) && !isState(before) && splitZip(before) === undefined) return;
  found.country = last;
  parts.pop();
}

/** Postal codes as countries write them, the clearest first. A number of four digits may be that of a house. */
const ZIP = [
  "\\d{5}-\\d{3,4}",
  "〒?\\d{3}-\\d{4}",
  "\\d{4}-\\d{3}",
  "\\d{2}-\\d{3}",
  "[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}",
  "[A-Z]\\d[A-Z] ?\\d[A-Z]\\d",
  "\\d{4} ?[A-Z]{2}(?![A-Z])",
  "(?:[A-Z]{1,2}-)?\\d{5,6}",
  "\\d{3} \\d{2}",
  "(?:[A-Z]{1,2}-)?\\d{4}",
].join("|");
const AT_END = new RegExp(`^(?:(.*?[\\s/-]))?(${ZIP})$`);
const AT_START = new RegExp(`^(${ZIP})(?:(?:\\s+|(?<=^〒.*)(?=\\p{L}))(.*))?$`, "u");
/** Without a comma between: "Hauptstr. 5 10115 Berlin". */
const IN_MIDDLE = /^(.*\p{L}.*\s\S*\d\S*|\S*\d\S*\s.*\p{L}.*?)\s+((?:[A-Z]{1,2}-)?\d{4,6})\s+(\p{L}[^\d]*)$/u;

function splitZip(part: string): { zip: string; rest: string; isFirst: boolean } | undefined {
  const [, zip, behind = ""] = AT_START.exec(part) ?? [];
  if (zip && !hasStreetType(behind)) return { zip, rest: behind, isFirst: true };
  const [, before = "", last] = AT_END.exec(part) ?? [];
  const isOfPart = UNIT_WORD.test(before);
  return last && !isOfPart ? { zip: last, rest: before.replace(/[\s/-]+$/, ""), isFirst: false } : undefined;
}

/** The number behind it is none of a town. */
const UNIT_WORD =
  /(?:^|\s)(?:suite|ste|unit|apt|no|nr|km|box|postfach|room|shop|route|rte|hwy|highway|lot|casilla|apartado)\W*$/i;

/** "1051 Budapest, Váci utca 12"; "117218, Москва, ул. Кржижановского, 20". */
function takeFirstZip(parts: string[], found: Partial<WholeAddress>): void {
  const first = splitZip(parts[0] ?? "");
  if (!first?.isFirst || parts.length < 2 || /\d/.test(first.rest) || !/\d/.test(parts.slice(1).join())) return;
  if (first.rest === "" && parts.length < 3) return;
  if (/^\d{4}$/.test(first.zip) && first.rest === "") return; // a house number
  found.zip = first.zip.replace("〒", "");
  found.city = first.rest || (parts[1] ?? "");
  parts.splice(0, first.rest ? 1 : 2);
}

function takeZip(parts: string[], found: Partial<WholeAddress>): void {
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at] ?? "";
    const [, address, zip, city] = IN_MIDDLE.exec(part) ?? [];
    if (address && zip && city && !hasStreetType(city)) {
      Object.assign(found, { zip }, withState(city));
      parts.splice(at, parts.length - at, address, ...parts.slice(at + 1));
      return;
    }
    const split = splitZip(part);
    const isStreet = at === 0 && (split?.isFirst ? !part.startsWith("〒") : stateIn(split?.rest ?? "") === undefined);
    if (!split || isStreet) continue;
    if (/^\d{4}$/.test(split.zip) && split.rest === "" && !/\d/.test(parts.slice(0, at).join())) continue; // a house number
    found.zip = split.zip.replace("〒", "");
    parts.splice(at, 1, ...(split.rest && !split.isFirst ? [split.rest] : []));
    if (part.startsWith("〒")) parts.splice(at, 0, split.rest);
    else if (split.isFirst && split.rest) Object.assign(found, withState(split.rest));
    return;
  }
}

function takeState(parts: string[], found: Partial<WholeAddress>): void {
  const last = parts.at(-1) ?? "";
  // "350 5th Ave, New York" names the town.
  const isBehindTown = found.city !== undefined || parts.length > 2 || (parts.length === 2 && isCode(last));
  if (isBehindTown && isState(last)) {
    found.state = last;
    parts.pop();
    return;
  }
  const within = found.city === undefined ? stateIn(last) : undefined;
  if (!within || (parts.length < 2 && !/\d/.test(last) && !found.zip)) return;
  found.state = within.state;
  parts.splice(-1, 1, within.rest);
}

const isState = (text: string): boolean => regionsOf(text).isState;

interface Regions {
  isState: boolean;
  isCountry: boolean;
}

/** Caches, because ends of addresses, such as "Main St", return in row after row. */
function regionsOf(text: string): Regions {
  const known = REGIONS.get(text);
  if (known) return known;
  const words = normalizeName(text);
  const regions = { isState: stateCodes(words).length > 0, isCountry: countryCode(words) !== undefined };
  if (REGIONS.size >= MOST_REGIONS) REGIONS.clear();
  REGIONS.set(text, regions);
  return regions;
}

const REGIONS = new Map<string, Regions>();
const MOST_REGIONS = 5000;

const isCode = (text: string): boolean => /^\p{Lu}{2,3}$/u.test(text);

/** A code of a state behind a town: "Lowport ME", "Campinas/SP", "Campinas (SP)". */
function stateIn(text: string): { rest: string; state: string } | undefined {
  const [, rest, state] = /^(.*\p{L})\s*[\s/(]\s*(\p{Lu}{2,3})\)?$/u.exec(text) ?? [];
  return rest && state && isState(state) ? { rest, state } : undefined;
}

/** Reads what stands behind a postal code, with any state: "Milano (MI)". */
function withState(town: string): Pick<Partial<WholeAddress>, "city" | "state"> {
  const [, city, state] = /^(.*\p{Ll}{2})\s*[\s/(]\s*(\p{Lu}{2,3})\)?$/u.exec(town) ?? [];
  return city && state ? { city, state } : { city: town };
}

/** The last part is the town, unless it is the street; without commas, what stands behind the street. */
function takeCity(parts: string[], found: Partial<WholeAddress>): void {
  const last = parts.at(-1) ?? "";
  const isTold = (found.zip ?? found.state ?? found.country) !== undefined;
  const isTown = !/\d/.test(last) && (isTold || (parts.length > 1 && !hasStreetType(last)));
  const behind = isTown ? undefined : behindStreet(last);
  if (last && isTown) {
    found.city = last;
    parts.pop();
  } else if (behind) {
    found.city = behind.city;
    parts.splice(-1, 1, behind.street);
  }
}

/** "14 Mill St Lowport": a number, the street up to its type with any direction and unit, and a town. */
function behindStreet(text: string): { street: string; city: string } | undefined {
  const words = text.split(" ");
  if (!/^\d/.test(words[0] ?? "")) return undefined;
  const type = typeAt(words);
  if (type < 0) return undefined;
  let to = type + 1;
  if (DIRECTION.test(words[to] ?? "")) to += 1;
  if (UNIT.test(words[to] ?? "")) to += words[to] === "#" || !words[to]?.startsWith("#") ? 2 : 1;
  const city = words.slice(to).join(" ");
  // "1276 Bald Hill Road": the street goes on.
  const isTown = city !== "" && !/\d/.test(city) && !MAIN_TYPE.test(city);
  return isTown ? { street: words.slice(0, to).join(" "), city } : undefined;
}

/** Where the type of a street stands, which no town may begin before; -1 for none. */
function typeAt(words: string[]): number {
  if (/^broadway$/i.test(words[1] ?? "")) return 1;
  const inside = words.flatMap((_, at) => (at > 1 && at < words.length - 1 ? [at] : []));
  const main = inside.filter((at) => MAIN_TYPE.test(words[at] ?? ""));
  // "Market St St Louis": the second is a saint.
  const last = main.findLast((at, order) => order === 0 || !/^st\.?$/i.test(words[at] ?? ""));
  return last ?? inside.findLast((at) => hasStreetType(words[at] ?? "")) ?? -1;
}

/** Types that hardly any town has in its name, unlike "Central Falls", "Park City" and "Lake Forest". */
const MAIN_TYPE =
  /^(?:st|street|str|rd|road|ave|av|avenue|blvd|boulevard|ln|lane|dr|drive|pl|place|pkwy|parkway|ter|terrace|way|hwy|highway|tpke|turnpike|pike|cir|circle|ext|extension)\.?$/i;

const DIRECTION = /^(?:[NSEW]|[NS][EW])\.?$/i;

const hasStreetType = (text: string): boolean => addressWords(text).some(isStreetType);

/** The first part is a name if the second is a street with a house number, and it is none. */
function takeName(parts: string[], found: Partial<WholeAddress>): void {
  const [first = "", second = ""] = parts;
  const isStreet = (part: string) => /\d/.test(part) && /\p{L}{2}/u.test(part);
  if (parts.length < 2 || !isStreet(second) || isStreet(first) || !/\p{L}/u.test(first) || UNIT.test(second)) return;
  if (hasStreetType(first) && !hasStreetType(second)) return;
  found.name = first;
  parts.shift();
}

/** "Tampines Mall, Level 2" is an address. */
const UNIT = /^(?:#|(?:suite|ste|unit|apt|level|floor|fl|room|shop|flat|bldg|building|edificio|piso|local)\b)/i;
