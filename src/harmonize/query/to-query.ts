import { hash } from "node:crypto";
import type { z } from "zod";
import { type LatLng, listingName, soughtAttributes } from "../../contract/parameters.ts";
import { text } from "../../contract/text.ts";
import { type Columns, type Field, PLACED_BY } from "../../files/columns.ts";
import { isLink } from "../../files/row/map-link.ts";
import { type Cells, givenIn, isPlaced, positionOf, takenApart, type Wrong, wrongIn } from "../../files/row/row.ts";
import type { Repair } from "../run/positions.ts";
import type { Problem, ProblemOf } from "../run/problems/problems.ts";
import { TWICE } from "../run/problems/slips.ts";
import type { Query } from "../run/rows.ts";
import { type HowAsked, type RepairedRow, repairedBy, repairedRow } from "./repaired-row.ts";

export interface Asked {
  query?: Query;
  problem?: Problem;
  ownId: string | null;
  /** 16 bytes. */
  print: Buffer;
}

const TELLING: Field[] = ["name", ...PLACED_BY, "address", "city", "state", "zip", "country", "phone", "twitter"];
/** Characters; a longer id does not fit into the index. */
const LONGEST_ID = 255;
const placeName = text("near", 200);

/**
 * Builds a query (interface, venues/search with intent=match). Drops unusable attributes other than name and place.
 *
 * @param elsewhere the town of rows that name no place
 */
export function toQuery(
  cells: readonly string[],
  header: readonly string[],
  columns: Columns,
  repair?: Repair | undefined,
  elsewhere?: string,
): Asked {
  return asked({ given: givenIn(cells, columns), put: repairedBy(repair) }, { header, columns, elsewhere });
}

/** toQuery() of a row of a file. */
export const queryInFile = (cells: readonly string[], h: HowAsked): Asked => queryOf(repairedRow(cells, h), h);

export const queryOf = (row: RepairedRow, { header, columns, format }: HowAsked): Asked =>
  asked(row, { header, columns, elsewhere: format.town });

interface Read extends Pick<HowAsked, "columns"> {
  header: readonly string[];
  elsewhere: string | undefined;
}

function asked({ given, put }: RepairedRow, { header, columns, elsewhere }: Read): Asked {
  const wrong = wrongIn(given, header, columns);
  const position = positionOf(given, wrong, put);
  const own = makeQuery(given, wrong, position, undefined);
  const made = elsewhere === undefined ? own : makeQuery(given, wrong, position, elsewhere);
  // A repaired listing is the same as one whose position was right in the file, and the town that its owner has said is not its own.
  const telling = "query" in own ? { ...own.query, repaired: undefined } : TELLING.map((field) => given[field] ?? "");
  const print = hash("sha256", JSON.stringify(telling), "buffer").subarray(0, 16);
  const { id } = given;
  return { ...made, print, ownId: id !== undefined && id.length <= LONGEST_ID ? id : null };
}

/** Where a row puts its listing, also if its name is missing or cannot be used. */
export function pointIn({ given, put }: RepairedRow): LatLng | undefined {
  const found = positionOf(given, (_, problem) => ({ problem }), put);
  return found && "ll" in found ? found.ll : undefined;
}

/**
 * @param position positionOf() the same cells, or the corrected one
 * @param elsewhere the town of rows that name none
 */
export function makeQuery(
  cells: Cells,
  wrong: Wrong,
  position: Position,
  elsewhere: string | undefined,
): { query: Query } | { problem: Problem } {
  const given = takenApart(cells);
  const { data: name, error } = listingName.safeParse(given.name ?? "");
  if (!given.name) return wrong("name", { code: "no_name" });
  if (!name) return wrong("name", { code: "bad_name", rule: brokenRule(error) });
  const where = whereIs(cells, wrong, position, elsewhere);
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
type Where = Placed | ({ near: string } & Pick<Query, "repaired">) | { problem: Problem };

function whereIs(given: Cells, wrong: Wrong, position: Position, elsewhere: string | undefined): Where {
  if (position && "ll" in position) return position;
  const near = townOf(given, elsewhere);
  if (near && position && position.problem.code === "one_coordinate")
    return { near, repaired: { by: TWICE, was: position.problem.ll } };
  if (position && isAttempt(position.problem)) return position;
  if (near) return { near };
  return position ?? wrong("lat", { code: "no_place" });
}

/** Whether a position was written, which would otherwise be dropped without a word. “n/a” and a shortened link are none. */
const isAttempt = (problem: Problem): boolean =>
  problem.code === "position_out_of_range" ||
  problem.code === "one_coordinate" ||
  (problem.code === "no_position" && /[\d+]/.test(problem.value ?? "") && !isLink(problem.value ?? ""));

/**
 * Returns the town, with its state or country, or the postal code, as a value for `near`. Of a row with nothing but an address it is
 * this, as the directory may know a town in it.
 *
 * @param elsewhere of a row without a town
 */
export function townOf(cells: Cells, elsewhere?: string): string | undefined {
  const { city, state, country, zip, address = "" } = takenApart(cells);
  // Nothing else of a whole address may tell which of several towns it is.
  const code = cells.zip === undefined && state === undefined && country === undefined ? zip : undefined;
  const town = city && code ? `${code} ${city}` : (city ?? zip);
  if (town === undefined && elsewhere !== undefined) return elsewhere;
  const isAddress = town === undefined && !isPlaced(cells) && /\d/.test(address) && /\p{L}.*\s.*\p{L}/su.test(address);
  const parts = isAddress ? [address] : [town, city && (state ?? country)];
  const near = placeName.safeParse(parts.filter(Boolean).join(", "));
  return town !== undefined || isAddress ? near.data : undefined;
}
