import { createHash } from "node:crypto";
import { type LatLng, listingAttributes, text, venueName, withoutInvisible } from "../../contract/parameters.ts";
import type { Repair } from "../run/positions.ts";
import type { Columns, Field, Problem, Query } from "../run/rows.ts";
import { isOnEarth, parseDegrees, splitPosition } from "./position.ts";
import { repairPosition } from "./repairs.ts";

interface Asked {
  /** Missing where the cells do not say enough; `problem` then says what. */
  query?: Query;
  problem?: Problem;
  /** The owner's own id; null where there is none. */
  ownId: string | null;
  /** The same for two listings that are asked about in the same way: 16 bytes. */
  print: Buffer;
}

/** What the cells of a listing hold, by field. */
export type Cells = Partial<Record<Field, string>>;

/** What of a listing a match depends on. */
const TELLING: Field[] = ["name", "lat", "lng", "ll", "address", "city", "state", "zip", "country", "phone", "twitter"];
/** Characters of an owner's own id: more would not fit into the index. */
const LONGEST_ID = 255;
const placeName = text("near", 200);

/**
 * What the directory is asked about a listing (interface, venues/search with intent=match). A name and a place are
 * needed; any other attribute that cannot be used is left out.
 *
 * @param repair how its position is put right; undefined where it is taken as it stands
 */
export function toQuery(
  cells: readonly string[],
  header: readonly string[],
  columns: Columns,
  repair?: Repair | undefined,
): Asked {
  const given = givenIn(cells, columns);
  const wrong = (field: Field, code: string, message: string): { problem: Problem } => {
    const column = header[columns[field] ?? -1];
    const value = clip(given[field], 1000);
    return { problem: { code, message, ...(column !== undefined && { column }), ...(value && { value }) } };
  };
  const made = makeQuery(given, wrong, repair);
  // The same place is the same listing, whether the file had it right or it was put right.
  const telling = "query" in made ? { ...made.query, repaired: undefined } : TELLING.map((field) => given[field] ?? "");
  const print = createHash("sha256").update(JSON.stringify(telling)).digest().subarray(0, 16);
  const { id } = given;
  return { ...made, print, ownId: id !== undefined && id.length <= LONGEST_ID ? id : null };
}

/** Characters of a cell that are looked at, so that no cell costs much time. No attribute may have as many. */
const LOOKED_AT = 5000;

/** A cell without invisible characters, such as the marks of direction that are copied along with phone numbers; ␀ was a NUL. */
export const visibleIn = (cell: string): string =>
  withoutInvisible(cell.slice(0, LOOKED_AT)).replaceAll("␀", "").trim();

/** The visible text of a row's cells, by field; empty ones are left out. */
export function givenIn(cells: readonly string[], columns: Columns): Cells {
  const given: Cells = {};
  for (const [field, index] of Object.entries(columns)) {
    const value = visibleIn(cells[index] ?? "");
    if (value) given[field as Field] = value;
  }
  return given;
}

/** The position of a row; undefined where it has none, or an impossible one. */
export function pointIn(cells: readonly string[], columns: Columns): LatLng | undefined {
  const found = positionOf(givenIn(cells, columns), (_, code, message) => ({ problem: { code, message } }), undefined);
  return found && "ll" in found ? found.ll : undefined;
}

type Wrong = (field: Field, code: string, message: string) => { problem: Problem };

function makeQuery(given: Cells, wrong: Wrong, repair: Repair | undefined): { query: Query } | { problem: Problem } {
  const { data: name, error } = venueName.safeParse(given.name ?? "");
  if (!given.name) return wrong("name", "no_name", "This listing has no name.");
  if (!name) return wrong("name", "bad_name", `${error?.issues[0]?.message}.`);
  const where = whereIs(given, wrong, repair);
  if ("problem" in where) return where;
  const query: Query = { name, ...where };
  for (const [field, schema] of ATTRIBUTES) {
    const { data } = schema.safeParse(given[field]);
    if (data) query[field] = data;
  }
  return { query };
}

const ATTRIBUTES = Object.entries(listingAttributes) as [
  keyof typeof listingAttributes,
  (typeof listingAttributes)["address"],
][];

type Placed = { ll: LatLng } & Pick<Query, "repaired">;
type Where = Placed | { near: string } | { problem: Problem };

function whereIs(given: Cells, wrong: Wrong, repair: Repair | undefined): Where {
  const position = positionOf(given, wrong, repair);
  if (position && "ll" in position) return position;
  if (position?.problem.code === "position_out_of_range") return position;
  const near = townOf(given);
  if (near) return { near };
  return position ?? wrong("lat", "no_place", "This listing has neither a position nor a town.");
}

/** The town that the cells name, or else their postal code, in words that the directory may understand. */
export function townOf(given: Cells): string | undefined {
  const town = given.city ?? given.zip;
  const near = placeName.safeParse([town, given.city && (given.state ?? given.country)].filter(Boolean).join(", "));
  return town ? near.data : undefined;
}

/** Undefined where none is given; 0, 0 is what programs write for that. */
function positionOf(given: Cells, wrong: Wrong, repair: Repair | undefined): Placed | { problem: Problem } | undefined {
  const written = writtenPosition(given);
  if ("unread" in written) {
    const { unread } = written;
    return given[unread] ? wrong(unread, "no_position", `“${clip(given[unread], 100)}” is no position.`) : undefined;
  }
  const { ll, isTurned } = written;
  if (ll.lat === 0 && ll.lng === 0) return undefined;
  const repaired = repair && repairPosition(repair, ll);
  if (repaired) return { ll: repaired.ll, repaired: { by: repaired.by, was: ll } };
  if (isOnEarth(ll) && !isTurned) return { ll };
  const isApart = given.lat !== undefined && given.lng !== undefined;
  const isSwapped = isTurned || isOnEarth({ lat: ll.lng, lng: ll.lat });
  const at = isApart ? (Math.abs(ll.lat) <= 90 && !isTurned ? "lng" : "lat") : "ll";
  const range = "Latitude goes from -90 to 90, longitude from -180 to 180.";
  const hint = isSwapped ? `Latitude ${ll.lat}, longitude ${ll.lng}: are they swapped?` : range;
  return wrong(at, "position_out_of_range", `There is no such position. ${hint}`);
}

/**
 * The degrees in the cells, even impossible ones; `isTurned` where their letters put the longitude first. Otherwise the field
 * that cannot be read.
 */
export function writtenPosition(given: Cells): { ll: LatLng; isTurned: boolean } | { unread: Field } {
  const isApart = given.lat !== undefined && given.lng !== undefined;
  const [first, second] = isApart ? [given.lat, given.lng] : (splitPosition(given.ll ?? "") ?? []);
  const [one, other] = [parseDegrees(first ?? ""), parseDegrees(second ?? "")];
  if (!one || !other) return { unread: isApart ? (one ? "lng" : "lat") : "ll" };
  return { ll: { lat: one.value, lng: other.value }, isTurned: one.axis === "lng" || other.axis === "lat" };
}

/** Not through the middle of a character: PostgreSQL's JSON takes no halves. */
const clip = (value: string | undefined, most: number) => value?.slice(0, most).toWellFormed();
