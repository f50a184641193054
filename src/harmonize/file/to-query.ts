import { createHash } from "node:crypto";
import { type LatLng, listingAttributes, text, venueName, withoutInvisible } from "../../contract/parameters.ts";
import type { Columns, Field, Problem, Query } from "../rows.ts";
import { isOnEarth, parseDegrees, splitPosition } from "./position.ts";

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
type Cells = Partial<Record<Field, string>>;

/** What of a listing a match depends on. */
const TELLING: Field[] = ["name", "lat", "lng", "ll", "address", "city", "state", "zip", "country", "phone", "twitter"];
/** Characters of an owner's own id: more would not fit into the index. */
const LONGEST_ID = 255;
const place = text("near", 200);

/**
 * What the directory is asked about a listing (interface, venues/search with intent=match). A name and a place are
 * needed; any other attribute that cannot be used is left out.
 */
export function toQuery(cells: readonly string[], header: readonly string[], columns: Columns): Asked {
  const given = givenIn(cells, columns);
  const wrong = (field: Field, code: string, message: string): { problem: Problem } => {
    const column = header[columns[field] ?? -1];
    const value = clip(given[field], 1000);
    return { problem: { code, message, ...(column !== undefined && { column }), ...(value && { value }) } };
  };
  const made = makeQuery(given, wrong);
  const telling = "query" in made ? made.query : TELLING.map((field) => given[field] ?? "");
  const print = createHash("sha256").update(JSON.stringify(telling)).digest().subarray(0, 16);
  const { id } = given;
  return { ...made, print, ownId: id !== undefined && id.length <= LONGEST_ID ? id : null };
}

/** Characters of a cell that are looked at: more than any attribute may have, so that no cell costs much time. */
const LOOKED_AT = 5000;

/** A cell without what nobody sees, such as the marks of direction that phone numbers are copied with; ␀ was a NUL. */
export const visibleIn = (cell: string): string =>
  withoutInvisible(cell.slice(0, LOOKED_AT)).replaceAll("␀", "").trim();

/** What stands in the cells of a row, by field: only what is there and can be seen. */
export function givenIn(cells: readonly string[], columns: Columns): Cells {
  const given: Cells = {};
  for (const [field, index] of Object.entries(columns)) {
    const value = visibleIn(cells[index] ?? "");
    if (value) given[field as Field] = value;
  }
  return given;
}

/** Where a row says that it is; undefined where it says so by no position, or by a wrong one. */
export function pointIn(cells: readonly string[], columns: Columns): LatLng | undefined {
  const found = positionOf(givenIn(cells, columns), (_, code, message) => ({ problem: { code, message } }));
  return found && "ll" in found ? found.ll : undefined;
}

type Wrong = (field: Field, code: string, message: string) => { problem: Problem };

function makeQuery(given: Cells, wrong: Wrong): { query: Query } | { problem: Problem } {
  const { data: name, error } = venueName.safeParse(given.name ?? "");
  if (!given.name) return wrong("name", "no_name", "This listing has no name.");
  if (!name) return wrong("name", "bad_name", `${error?.issues[0]?.message}.`);
  const where = whereIs(given, wrong);
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

function whereIs(given: Cells, wrong: Wrong): { ll: LatLng } | { near: string } | { problem: Problem } {
  const position = positionOf(given, wrong);
  if (position && "ll" in position) return position;
  if (position?.problem.code === "position_out_of_range") return position;
  const town = given.city ?? given.zip;
  const near = place.safeParse([town, given.city && (given.state ?? given.country)].filter(Boolean).join(", "));
  if (town && near.data) return { near: near.data };
  return position ?? wrong("lat", "no_place", "This listing has neither a position nor a town.");
}

/** Undefined where none is given; 0, 0 is what programs write for that. */
function positionOf(given: Cells, wrong: Wrong): { ll: LatLng } | { problem: Problem } | undefined {
  const isApart = given.lat !== undefined && given.lng !== undefined;
  const field = isApart ? "lat" : "ll";
  const [first, second] = isApart ? [given.lat, given.lng] : (splitPosition(given.ll ?? "") ?? []);
  const [one, other] = [parseDegrees(first ?? ""), parseDegrees(second ?? "")];
  if (!one || !other) {
    const unread = isApart ? (one ? "lng" : "lat") : "ll";
    return given[unread] ? wrong(unread, "no_position", `“${clip(given[unread], 100)}” is no position.`) : undefined;
  }
  const ll = { lat: one.value, lng: other.value };
  const isTurned = one.axis === "lng" || other.axis === "lat";
  if (isOnEarth(ll) && !isTurned) return ll.lat === 0 && ll.lng === 0 ? undefined : { ll };
  const isSwapped = isTurned || isOnEarth({ lat: ll.lng, lng: ll.lat });
  const at = isApart && Math.abs(ll.lat) <= 90 && !isTurned ? "lng" : field;
  const range = "Latitude goes from -90 to 90, longitude from -180 to 180.";
  const hint = isSwapped ? `Latitude ${ll.lat}, longitude ${ll.lng}: are they swapped?` : range;
  return wrong(at, "position_out_of_range", `There is no such position. ${hint}`);
}

/** Not through the middle of a character: PostgreSQL's JSON takes no halves. */
const clip = (value: string | undefined, most: number) => value?.slice(0, most).toWellFormed();
