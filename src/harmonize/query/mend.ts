import { formatLl, type LatLng } from "../../contract/parameters.ts";
import { t } from "../../language/translate.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { repairOf } from "../run/positions.ts";
import type { Problem } from "../run/problems.ts";
import { type Columns, type Mended, PLACED_BY, type Query } from "../run/rows.ts";
import { givenIn, pointIn, toQuery, writtenPosition } from "./to-query.ts";

/** What a person typed for a listing. Without latitude and longitude it stays where its file puts it. */
export interface Mend {
  name: string;
  lat: string;
  lng: string;
}

type Of = Pick<Harmonization, "header" | "columns" | "positions">;

/** Where the file of a listing puts it, also if its name is missing or cannot be used. */
export function pointInFile(cells: readonly string[], { header, columns, positions }: Of): LatLng | undefined {
  const named = { ...columns, name: cells.length };
  return toQuery([...cells, "Any name"], header, named, repairOf(positions)).query?.ll;
}

/** Builds the query of a listing as mended; `was` has what its file says of each corrected part. */
export function mendQuery(
  cells: readonly string[],
  of: Of,
  { name, lat, lng }: Mend,
): { query: Query; was: Mended["was"] } | { problem: Problem } {
  const { header, columns } = of;
  const repair = repairOf(of.positions);
  const before = { name: toQuery(cells, header, columns, repair).query?.name, ll: pointInFile(cells, of) };
  const written = writtenPosition({ ...(lat && { lat }), ...(lng && { lng }) });
  const isMoved = Boolean(lat || lng) && !("ll" in written && isAt(before.ll, written.ll));
  const at = cells.length;
  const places = isMoved
    ? { ...Object.fromEntries(PLACED_BY.map((field) => [field, undefined])), lat: at + 1, lng: at + 2 }
    : {};
  const made = toQuery(
    [...cells, name, lat, lng],
    header,
    known({ ...columns, name: at, ...places }),
    isMoved ? undefined : repair,
  );
  const unplaced: Problem = { code: "no_position", value: [lat, lng].filter(Boolean).join(", ") };
  // toQuery() passes over half a position, and over 0, 0.
  if (isMoved && (made.query ? !made.query.ll : made.problem?.code === "no_place")) return { problem: unplaced };
  if (!made.query) return { problem: made.problem ?? unplaced };
  const nameBefore = before.name ?? givenIn(cells, columns).name;
  const was: Mended["was"] = {
    ...(made.query.name !== nameBefore && { name: nameBefore ?? null }),
    ...(isMoved && { ll: before.ll ?? pointIn(cells, columns) ?? null }),
  };
  return { query: made.query, was };
}

const known = (columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([, index]) => index !== undefined));

const isAt = (place: LatLng | undefined, ll: LatLng): boolean => place !== undefined && written(place) === written(ll);

/** A position as the form shows it. */
const written = ({ lat, lng }: LatLng): string => `${lat.toFixed(6)},${lng.toFixed(6)}`;

/** Words what a person has corrected, for pages and exports. */
export function mendInWords(mended: Mended | null | undefined): string | undefined {
  const { name, ll } = mended?.was ?? {};
  const parts = [
    name === null && t("name corrected, in the file there is none"),
    typeof name === "string" && t("name corrected, in the file “{name}”", { name }),
    ll === null && t("position corrected, in the file there is none"),
    ll && t("position corrected, in the file {position}", { position: formatLl(ll) }),
  ];
  return parts.filter(Boolean).join("; ") || undefined;
}
