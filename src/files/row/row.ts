import type { LatLng } from "../../contract/parameters.ts";
import { withoutInvisible } from "../../contract/text.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { countryCode } from "../../matching/normalize/regions.ts";
import { type Columns, type Field, indexesOf, PLACED_BY } from "../columns.ts";
import type { RowProblem } from "../problems.ts";
import { fromGeohash, fromPlusCode } from "./codes.ts";
import { joinedText } from "./joined.ts";
import { fromMercator, parseMetres } from "./mercator.ts";
import { fromE7, isOnEarth, parseDegrees, splitPosition } from "./position.ts";
import { partsOfPacked, unpacked } from "./unpacked.ts";
import { mayHaveZip, wholeAddressOf } from "./whole-address.ts";

export type Cells = Partial<Record<Field, string>>;

/** Returns what words a problem with a field: its column and what it says. */
export const wrongIn =
  (given: Cells, header: readonly string[], columns: Columns): Wrong =>
  (field, problem) => {
    const column = columnInWords(header, columns, field);
    const value = clip(given[field], 1000);
    return { problem: { ...problem, ...(column !== undefined && { column }), ...(value && { value }) } as RowProblem };
  };

/** Names the columns of a field: `Straße + Hausnr.`; undefined for none. */
export const columnInWords = (header: readonly string[], columns: Columns, field: Field): string | undefined =>
  indexesOf(columns, field)
    .flatMap((index) => header[index] ?? [])
    .join(" + ") || undefined;

/** Characters of a cell that are read. Bounds the time per cell; no attribute may be as long. */
const LOOKED_AT = 5000;

// Drops direction marks that are copied with phone numbers. ␀ stands for NUL.
export const visibleIn = (cell: string): string =>
  PLAIN.test(cell) ? cell.trim() : withoutInvisible(cell.slice(0, LOOKED_AT)).replaceAll("␀", "").trim();

/** Most cells. */
const PLAIN = /^[\x20-\x7e]{0,200}$/;

/** What a spreadsheet shows in place of a value that it could not find or calculate. */
export const isError = (cell: string): boolean =>
  /^#(?:N\/A|N\/V|NV|REF!|BEZUG!|VALUE!|WERT!|VALEUR!|NAME\?|DIV\/0!|NUM!|ZAHL!|NULL!|SPILL!|CALC!|GETTING_DATA)$/i.test(
    cell,
  );

/** What programs write where there is no value. */
export const isNothing = (cell: string): boolean => /^(?:n\/a|\(?null\)?|-+|\?+|\.+)$/i.test(cell);

export function givenIn(cells: readonly string[], columns: Columns): Cells {
  const given: Cells = {};
  for (const [field, indexes] of listed(columns)) {
    const value = valueIn(cells, indexes, field);
    if (value) given[field] = value;
  }
  return given.wholeAddress === undefined ? given : { ...takeApart(given.wholeAddress, given), ...given };
}

/** What a row says in a field, also within its whole address; "" for nothing. */
export const textIn = (cells: readonly string[], columns: Columns, field: Field): string =>
  givenIn(cells, columns)[field] ?? "";

/** Kept for as long as the columns are, because every row of a file asks. */
function listed(columns: Columns): [Field, number[]][] {
  const kept = lists.get(columns);
  if (kept) return kept;
  const list = (Object.keys(columns) as Field[]).map((field): [Field, number[]] => [field, indexesOf(columns, field)]);
  lists.set(columns, list);
  return list;
}

const lists = new WeakMap<Columns, [Field, number[]][]>();

function valueIn(cells: readonly string[], indexes: number[], field: Field): string | undefined {
  const [first = -1] = indexes;
  if (indexes.length === 1 && field !== "lat" && field !== "lng") return partIn(cells[first], field);
  return joinedText(
    field,
    indexes.flatMap((index) => partIn(cells[index], field) ?? []),
  );
}

function partIn(cell: string | undefined, field: Field): string | undefined {
  if (!cell) return undefined;
  const visible = visibleIn(cell);
  if (!UNUSUAL.test(visible)) return visible;
  const value = unpacked(visible, field);
  return value && !isError(value) && (field === "name" || !isNothing(value)) ? value : undefined;
}

/** How a packed cell, an error and what stands for nothing begin; and an empty one. */
const UNUSUAL = /^(?:[[{#(n?.-]|$)/i;

/** @param given what other columns of the row say: their position counts instead of one in the text */
function takeApart(text: string, given: Cells): Cells {
  const { lat, lng, ...parts } = partsOfPacked(text) ?? wholeAddressOf(text);
  if (isPlaced(given)) return parts;
  if (given.city === undefined) takeTownInFront(parts, given.name);
  return lat === undefined || lng === undefined ? parts : { ...parts, lat: String(lat), lng: String(lng) };
}

/** "Berlin, Hauptstr. 5" of a row with a name of its own, unless that is what stands in front. */
function takeTownInFront(parts: Cells, name: string | undefined): void {
  if (parts.name === undefined || name === undefined || parts.city !== undefined) return;
  if (normalizeName(parts.name) !== normalizeName(name)) parts.city = parts.name;
}

type OfCell = Exclude<RowProblem, { code: "unreadable_line" | "too_many_cells" | "undecodable" }>;
/** Adds to a problem with a field where it is. */
export type Wrong = (field: Field, problem: OfCell) => { problem: RowProblem };

/**
 * The cells with what an address that says everything has of the row's other fields: "14 Mill St, Lowport, ME 04098". Cells that
 * are filled stay, and so does an address if the row has a town, or a position and no postal code in it.
 */
export function takenApart(given: Cells): Cells {
  const { address, city, zip, name } = given;
  const cells = zip === undefined ? given : { ...given, zip: tidyZip(zip, given) };
  if (zip !== undefined) return cells;
  const isTown = address === undefined && city !== undefined;
  const town = partsOfTown(given);
  if (town || (city !== undefined && !isTown)) return { ...cells, ...town };
  if (isPlaced(given) && !mayHaveZip(address ?? city ?? "")) return cells;
  const { lat: _lat, lng: _lng, ...parts } = wholeAddressOf(address ?? city ?? "");
  takeTownInFront(parts, name);
  const isTold = parts.city !== undefined || parts.zip !== undefined;
  if (!isTold || (isTown && parts.address === undefined) || (isPlaced(given) && parts.zip === undefined)) return cells;
  return {
    ...given,
    ...parts,
    name: name ?? parts.name,
    ...(parts.zip && { zip: tidyZip(parts.zip, parts) }),
  } as Cells;
}

/** "Lowport, ME 04098" under City/State/Zip. Undefined for a cell with a street, or without a postal code. */
function partsOfTown({ city = "", state, country }: Cells): Cells | undefined {
  if (!/\d/.test(city)) return undefined;
  const { city: town, zip, ...rest } = wholeAddressOf(city);
  if (!town || !zip || rest.address || rest.name || rest.lat !== undefined) return undefined;
  const placed = { state: state ?? rest.state, country: country ?? rest.country };
  return { ...placed, city: town, zip: tidyZip(zip, { ...rest, ...placed }) } as Cells;
}

export const isPlaced = (given: Cells): boolean => PLACED_BY.some((field) => given[field] !== undefined);

/**
 * Where a row is; undefined if it does not say. Programs write 0, 0 for a missing position.
 * @param repaired returns the position in place of one that needs a repair
 */
export function positionOf<Repaired extends { ll: LatLng }>(
  given: Cells,
  wrong: Wrong,
  repaired?: (ll: LatLng) => Repaired | undefined,
): { ll: LatLng } | Repaired | { problem: RowProblem } | undefined {
  const written = writtenPosition(given);
  if ("unread" in written) {
    const { unread } = written;
    return given[unread] ? wrong(unread, { code: "no_position" }) : undefined;
  }
  const { ll, isTurned } = written;
  if (ll.lat === 0 && ll.lng === 0) return undefined;
  if (ll.lat === ll.lng && isOneCoordinate(given)) return wrong("lng", { code: "one_coordinate", ll });
  const put = repaired?.(ll);
  if (put) return put;
  if (isOnEarth(ll) && !isTurned) return { ll };
  const isApart = given.lat !== undefined && given.lng !== undefined;
  const isSwapped = isTurned || isOnEarth({ lat: ll.lng, lng: ll.lat });
  const at = isApart ? (Math.abs(ll.lat) <= 90 && !isTurned ? "lng" : "lat") : pairFieldIn(given);
  return wrong(at, { code: "position_out_of_range", ...(isSwapped && { swapped: ll }) });
}

/** Whether a latitude was copied into the longitude's cell. Whole degrees may be equal. */
export function isOneCoordinate({ lat, lng }: Cells): boolean {
  const one = parseDegrees(lat ?? "")?.value;
  const other = parseDegrees(lng ?? "")?.value;
  return one !== undefined && one === other && !Number.isInteger(one);
}

/** `isTurned`: compass letters put the longitude first. `unread`: the field that is not a position. */
export function writtenPosition(given: Cells): { ll: LatLng; isTurned: boolean } | { unread: Field } {
  const isApart = given.lat !== undefined && given.lng !== undefined;
  const pair = pairFieldIn(given);
  const coded = isApart || given[pair] !== undefined ? undefined : codedPosition(given);
  if (coded) return "unread" in coded ? coded : { ll: coded, isTurned: false };
  if (!isPlaced(given)) {
    const { lat, lng } = wholeAddressOf(given.address ?? given.city ?? "");
    return lat === undefined || lng === undefined ? { unread: "ll" } : { ll: { lat, lng }, isTurned: false };
  }
  const [first, second] = isApart ? [given.lat, given.lng] : (splitPosition(given[pair] ?? "", pair) ?? []);
  const one = parseDegrees(first ?? "");
  const other = parseDegrees(second ?? "");
  if (!one || !other) return { unread: isApart ? (one ? "lng" : "lat") : pair };
  const ll = fromE7({ lat: one.value, lng: other.value });
  return { ll, isTurned: one.axis === "lng" || other.axis === "lat" };
}

/** The field that has both coordinates in one cell. */
const pairFieldIn = ({ ll, lngLat }: Cells) => (ll === undefined && lngLat !== undefined ? "lngLat" : "ll");

function codedPosition({ plusCode, geohash, x, y }: Cells): LatLng | { unread: Field } | undefined {
  if (plusCode !== undefined) return fromPlusCode(plusCode) ?? { unread: "plusCode" };
  if (geohash !== undefined) return fromGeohash(geohash) ?? { unread: "geohash" };
  if (x === undefined || y === undefined) return undefined;
  const metres = { x: parseMetres(x), y: parseMetres(y) };
  if (metres.x === undefined || metres.y === undefined) return { unread: metres.x === undefined ? "x" : "y" };
  // These are degrees, which would come close to the equator.
  if (Math.abs(metres.x) <= 180 && Math.abs(metres.y) <= 90) return { unread: "x" };
  return fromMercator(metres.x, metres.y);
}

// toWellFormed: PostgreSQL's JSON rejects half a surrogate pair.
const clip = (value: string | undefined, most: number) => value?.slice(0, most).toWellFormed();

/** Digits of a postal code, in countries where it may begin with zero. */
const DIGITS = new Map(
  Object.entries({
    4: "AT AU BE BG CH DK HU LU NL NO NZ SI ZA",
    5: "DE DZ EE ES FI FR GR HR IT KR LT MA MX MY SA SE TH TR UA US",
    6: "CN CO KZ RO SG",
    7: "IL JP",
    8: "BR",
  }).flatMap(([digits, countries]) => countries.split(" ").map((cc): [string, number] => [cc, Number(digits)])),
);

/** Rows of one country mostly follow each other. */
let last: { country: string; digits: number | undefined } = { country: "", digits: undefined };

/** Undoes what spreadsheets and data frames do to a postal code: 04098 may arrive as 4098 or 4098.0. */
export function tidyZip(zip: string, { country = "" }: { country?: string | undefined }): string {
  const plain = zip.trim().replace(/^(\d{3,8})[.,]0+$/, "$1");
  if (plain.length < 3 || plain.length > 7 || !/^\d+$/.test(plain)) return plain;
  if (country !== last.country) last = { country, digits: DIGITS.get(countryCode(normalizeName(country)) ?? "") };
  const { digits } = last;
  return digits !== undefined ? plain.padStart(digits, "0") : plain;
}
