import { hash } from "node:crypto";
import type { z } from "zod";
import { type LatLng, listingName, soughtAttributes } from "../../contract/parameters.ts";
import { text, withoutInvisible } from "../../contract/text.ts";
import type { Repair } from "../run/positions.ts";
import type { Problem, ProblemOf } from "../run/problems/problems.ts";
import { type Columns, type Field, indexesOf, PLACED_BY, type Query } from "../run/rows.ts";
import { fromGeohash, fromPlusCode } from "./codes.ts";
import { joinedText } from "./joined.ts";
import { fromMercator, parseMetres } from "./mercator.ts";
import { isOnEarth, parseDegrees, splitPosition } from "./position.ts";
import { repairPosition } from "./repairs.ts";
import { partsOfPacked, unpacked } from "./unpacked.ts";
import { wholeAddressOf } from "./whole-address.ts";

interface Asked {
  query?: Query;
  problem?: Problem;
  ownId: string | null;
  /** 16 bytes. */
  print: Buffer;
}

export type Cells = Partial<Record<Field, string>>;

const TELLING: Field[] = ["name", ...PLACED_BY, "address", "city", "state", "zip", "country", "phone", "twitter"];
/** Characters; a longer id does not fit into the index. */
const LONGEST_ID = 255;
const placeName = text("near", 200);

/** Builds a query (interface, venues/search with intent=match). Drops unusable attributes other than name and place. */
export function toQuery(
  cells: readonly string[],
  header: readonly string[],
  columns: Columns,
  repair?: Repair | undefined,
): Asked {
  const given = givenIn(cells, columns);
  const wrong = wrongIn(given, header, columns);
  const made = makeQuery(given, wrong, positionOf(given, wrong, repair));
  // A repaired listing is the same as one whose position was right in the file.
  const telling = "query" in made ? { ...made.query, repaired: undefined } : TELLING.map((field) => given[field] ?? "");
  const print = hash("sha256", JSON.stringify(telling), "buffer").subarray(0, 16);
  const { id } = given;
  return { ...made, print, ownId: id !== undefined && id.length <= LONGEST_ID ? id : null };
}

/** Returns what words a problem with a field: its column and what it says. */
export const wrongIn =
  (given: Cells, header: readonly string[], columns: Columns): Wrong =>
  (field, problem) => {
    const column = columnInWords(header, columns, field);
    const value = clip(given[field], 1000);
    return { problem: { ...problem, ...(column !== undefined && { column }), ...(value && { value }) } as Problem };
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
  withoutInvisible(cell.slice(0, LOOKED_AT)).replaceAll("␀", "").trim();

/** What a spreadsheet shows in place of a value that it could not find or calculate. */
export const isError = (cell: string): boolean =>
  /^#(?:N\/A|N\/V|NV|REF!|BEZUG!|VALUE!|WERT!|VALEUR!|NAME\?|DIV\/0!|NUM!|ZAHL!|NULL!|SPILL!|CALC!|GETTING_DATA)$/i.test(
    cell,
  );

/** What programs write where there is no value. */
export const isNothing = (cell: string): boolean => /^(?:n\/a|\(?null\)?|-+|\?+|\.+)$/i.test(cell);

export function givenIn(cells: readonly string[], columns: Columns): Cells {
  const given: Cells = {};
  for (const field of Object.keys(columns) as Field[]) {
    const value = valueIn(cells, columns, field);
    if (value) given[field] = value;
  }
  return given.wholeAddress === undefined ? given : { ...takeApart(given.wholeAddress), ...given };
}

/** What a row says in a field, also within its whole address; "" for nothing. */
export const textIn = (cells: readonly string[], columns: Columns, field: Field): string =>
  valueIn(cells, columns, field) ??
  takeApart(columns.wholeAddress === undefined ? undefined : valueIn(cells, columns, "wholeAddress"))[field] ??
  "";

function valueIn(cells: readonly string[], columns: Columns, field: Field): string | undefined {
  const parts = indexesOf(columns, field).flatMap((index) => {
    const value = unpacked(visibleIn(cells[index] ?? ""), field);
    return value && !isError(value) && (field === "name" || !isNothing(value)) ? [value] : [];
  });
  return joinedText(field, parts);
}

const takeApart = (text: string | undefined): Cells =>
  text === undefined ? {} : (partsOfPacked(text) ?? wholeAddressOf(text));

/** Where a row puts its listing, also if its name is missing or cannot be used. */
export function pointIn(cells: readonly string[], columns: Columns, repair?: Repair): LatLng | undefined {
  const found = positionOf(givenIn(cells, columns), (_, problem) => ({ problem }), repair);
  return found && "ll" in found ? found.ll : undefined;
}

type OfCell = ProblemOf<"no_name" | "bad_name" | "no_position" | "position_out_of_range" | "no_place">;
type Wrong = (field: Field, problem: OfCell) => { problem: Problem };

/** @param position positionOf() the same cells, or the corrected one */
export function makeQuery(given: Cells, wrong: Wrong, position: Position): { query: Query } | { problem: Problem } {
  const { data: name, error } = listingName.safeParse(given.name ?? "");
  if (!given.name) return wrong("name", { code: "no_name" });
  if (!name) return wrong("name", { code: "bad_name", rule: brokenRule(error) });
  const where = whereIs(given, wrong, position);
  if ("problem" in where) return where;
  const query: Query = { name, ...where };
  for (const [field, schema] of ATTRIBUTES) {
    const { data } = given[field] ? schema.safeParse(given[field]) : {};
    if (data) query[field] = data;
  }
  return { query };
}

function brokenRule(error: z.ZodError | undefined): ProblemOf<"bad_name">["rule"] {
  const [issue] = error?.issues ?? [];
  return (issue?.code === "custom" && issue.params?.rule) || "letters";
}

const ATTRIBUTES = Object.entries(soughtAttributes) as [
  keyof typeof soughtAttributes,
  (typeof soughtAttributes)["address"],
][];

type Placed = { ll: LatLng } & Pick<Query, "repaired">;
type Position = Placed | { problem: Problem } | undefined;
type Where = Placed | { near: string } | { problem: Problem };

function whereIs(given: Cells, wrong: Wrong, position: Position): Where {
  if (position && "ll" in position) return position;
  if (position && isAttempt(position.problem)) return position;
  const near = townOf(given);
  if (near) return { near };
  return position ?? wrong("lat", { code: "no_place" });
}

/** Whether a position was written, which would otherwise be dropped without a word. “n/a” is none. */
const isAttempt = (problem: Problem): boolean =>
  problem.code === "position_out_of_range" || (problem.code === "no_position" && /[\d+]/.test(problem.value ?? ""));

/** Returns the town, with its state or country, or the postal code, as a value for `near`. */
export function townOf(given: Cells): string | undefined {
  const town = given.city ?? given.zip;
  const near = placeName.safeParse([town, given.city && (given.state ?? given.country)].filter(Boolean).join(", "));
  return town ? near.data : undefined;
}

// Programs write 0, 0 for a missing position.
export function positionOf(given: Cells, wrong: Wrong, repair: Repair | undefined): Position {
  const written = writtenPosition(given);
  if ("unread" in written) {
    const { unread } = written;
    return given[unread] ? wrong(unread, { code: "no_position" }) : undefined;
  }
  const { ll, isTurned } = written;
  if (ll.lat === 0 && ll.lng === 0) return undefined;
  const repaired = repair && repairPosition(repair, ll);
  if (repaired) return { ll: repaired.ll, repaired: { by: repaired.by, was: ll } };
  if (isOnEarth(ll) && !isTurned) return { ll };
  const isApart = given.lat !== undefined && given.lng !== undefined;
  const isSwapped = isTurned || isOnEarth({ lat: ll.lng, lng: ll.lat });
  const at = isApart ? (Math.abs(ll.lat) <= 90 && !isTurned ? "lng" : "lat") : "ll";
  return wrong(at, { code: "position_out_of_range", ...(isSwapped && { swapped: ll }) });
}

/** `isTurned`: compass letters put the longitude first. `unread`: the field that is not a position. */
export function writtenPosition(given: Cells): { ll: LatLng; isTurned: boolean } | { unread: Field } {
  const isApart = given.lat !== undefined && given.lng !== undefined;
  const coded = isApart || given.ll !== undefined ? undefined : codedPosition(given);
  if (coded) return "unread" in coded ? coded : { ll: coded, isTurned: false };
  const [first, second] = isApart ? [given.lat, given.lng] : (splitPosition(given.ll ?? "") ?? []);
  const [one, other] = [parseDegrees(first ?? ""), parseDegrees(second ?? "")];
  if (!one || !other) return { unread: isApart ? (one ? "lng" : "lat") : "ll" };
  return { ll: { lat: one.value, lng: other.value }, isTurned: one.axis === "lng" || other.axis === "lat" };
}

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
