import { formatLl, type LatLng, listingName } from "../../contract/parameters.ts";
import { type Cells, positionOf, visibleIn, writtenPosition, wrongIn } from "../../files/row/row.ts";
import { t } from "../../language/translate.ts";
import type { Problem } from "../run/problems/problems.ts";
import { wordsOf } from "../run/problems/words.ts";
import { isShared, type Mended, type Query, TEXT_FIELDS, type TextField } from "../run/rows.ts";
import { corrected, correctTexts, type TypedTexts } from "./corrected.ts";
import { type HowAsked, type RepairedRow, repairedRow } from "./repaired-row.ts";
import { withoutPosition } from "./shared.ts";
import { type Asked, makeQuery, pointIn, queryOf } from "./to-query.ts";

/** What a person typed for a listing. Without latitude and longitude it stays where its file puts it. */
export interface Mend extends TypedTexts {
  name: string;
  lat: string;
  lng: string;
}
export type MendErrors = Partial<Record<keyof Mend, string>>;

/** Where the file of a listing puts it, also if its name is missing or cannot be used. */
export const pointInFile = (cells: readonly string[], h: HowAsked): LatLng | undefined =>
  pointIn(repairedRow(cells, h));

/** The query of a listing as its file and the repairs have it, without corrections of its own. */
export function asInFile(
  { cells, query: asked }: { cells: readonly string[]; query: Query | null },
  h: HowAsked,
): { query: Query; mended: undefined } | { problem: Problem } {
  const row = repairedRow(cells, h);
  return unmended(row, queryOf(row, h), asked);
}

/** asInFile() of a row that is read already. */
export function unmended(
  { given }: Pick<RepairedRow, "given">,
  { query, problem }: Pick<Asked, "query" | "problem">,
  asked: Query | null,
): { query: Query; mended: undefined } | { problem: Problem } {
  const own = query && isShared(asked) ? withoutPosition(query, given) : query;
  return own ? { query: own, mended: undefined } : { problem: problem ?? { code: "no_place" } };
}

/**
 * Builds the query of a listing as mended, with what its file says of each corrected part; or words what cannot be used.
 *
 * @param asked its query so far
 */
export function mendQuery(
  cells: readonly string[],
  h: HowAsked,
  { name, lat, lng, ...texts }: Mend,
  asked: Query | null,
): { query: Query; mended: Pick<Mended, "was" | "now"> | undefined } | { errors: MendErrors } {
  const { given, put } = repairedRow(cells, h);
  const inFile = positionOf(given, wrongIn(given, h.header, h.columns), put);
  const before = inFile && "ll" in inFile ? inFile.ll : undefined;
  const moved = movedTo(
    corrected({}, { lat: visibleIn(lat), lng: visibleIn(lng) }),
    isShared(asked) ? undefined : before,
  );
  const { now, was, errors } = correctTexts(given, texts);
  const typed = corrected(given, { ...now, name: visibleIn(name) });
  const made = makeQuery(typed, wrongIn(typed, [], {}), moved ?? inFile, h.format.town);
  const wrong = { ...errors, ...errorOf(moved), ...errorOf(made) };
  if ("problem" in made || Object.keys(wrong).length > 0) return { errors: wrong };
  const nameBefore = listingName.safeParse(given.name ?? "").data ?? given.name;
  const all: Mended["was"] = {
    ...(made.query.name !== nameBefore && { name: nameBefore ?? null }),
    ...(moved && { ll: before ?? null }),
    ...was,
  };
  const mended = { was: all, ...(Object.keys(now).length > 0 && { now }) };
  const query = isShared(asked) && !moved ? withoutPosition(made.query, typed) : made.query;
  return { query, mended: Object.keys(all).length > 0 ? mended : undefined };
}

export interface Corrected {
  cells: string[];
  /** With the corrections, which may be of another edition. */
  query: Query;
  /** As read now. */
  asked: Query | null;
}

/**
 * Builds the query of a listing with the corrections that it has, read with the columns of the file, and moved if a place is given.
 * Returns undefined if that corrects nothing, or leaves it without a name or place.
 */
export function mendedAgain(
  { cells, query: { name, ll, mended }, asked }: Corrected,
  h: HowAsked,
  moved?: LatLng,
): { query: Query; mended: Pick<Mended, "was" | "now"> } | undefined {
  const { was = {} } = mended ?? {};
  const to = moved ?? ("ll" in was ? ll : undefined);
  const mend = {
    name: "name" in was ? name : (repairedRow(cells, h).given.name ?? ""),
    ...(to ? { lat: String(to.lat), lng: String(to.lng) } : { lat: "", lng: "" }),
    ...mended?.now,
  };
  const made = mendQuery(cells, h, mend, asked);
  return "query" in made && made.mended ? { query: made.query, mended: made.mended } : undefined;
}

/** Returns undefined if nothing was typed, or the place where the listing is already. */
function movedTo(typed: Cells, before: LatLng | undefined): { ll: LatLng } | { problem: Problem } | undefined {
  const { lat, lng } = typed;
  const written = writtenPosition(typed);
  if ((!lat && !lng) || ("ll" in written && isAt(before, written.ll))) return undefined;
  const unplaced: Problem = { code: "no_position", value: [lat, lng].filter(Boolean).join(", ") };
  return positionOf(typed, wrongIn(typed, [], {})) ?? { problem: unplaced };
}

const errorOf = (made: object | undefined): MendErrors => {
  const { problem } = (made ?? {}) as { problem?: Problem };
  if (!problem) return {};
  return { [problem.code === "no_name" || problem.code === "bad_name" ? "name" : "lat"]: wordsOf(problem) };
};

const isAt = (place: LatLng | undefined, ll: LatLng): boolean => place !== undefined && written(place) === written(ll);

/** A position as the form shows it. */
const written = ({ lat, lng }: LatLng): string => `${lat.toFixed(6)},${lng.toFixed(6)}`;

export const textNames = (): Record<TextField, string> => ({
  address: t("address"),
  city: t("city"),
  state: t("state"),
  zip: t("postal code"),
  country: t("country"),
  phone: t("phone"),
  url: t("website"),
  twitter: t("Twitter name"),
  category: t("category"),
  description: t("description"),
});

/** Words what a person has corrected, for pages and exports. */
export function mendInWords(mended: Mended | null | undefined): string | undefined {
  if (!mended) return undefined;
  const { was, now = {} } = mended;
  const { name, ll } = was;
  const names = textNames();
  const parts = [
    name === null && t("name corrected (none in the file)"),
    typeof name === "string" && t("name corrected (“{name}” in the file)", { name }),
    ll === null && t("position corrected (none in the file)"),
    ll && t("position corrected ({position} in the file)", { position: formatLl(ll) }),
    ...TEXT_FIELDS.map((field) => textInWords(names[field], now[field], was[field])),
  ];
  return parts.filter(Boolean).join("; ") || undefined;
}

function textInWords(field: string, now: string | undefined, was: string | null | undefined): string | undefined {
  if (now === undefined) return undefined;
  if (!now) return t("{field} removed (“{was}” in the file)", { field, was: was ?? "" });
  return was
    ? t("{field} corrected to “{now}” (“{was}” in the file)", { field, now, was })
    : t("{field} corrected to “{now}” (none in the file)", { field, now });
}
