import { fold, meaningOf } from "../../shared/csv/column-names.ts";
import { hasPosition } from "../columns.ts";
import { fromGeohash, fromPlusCode } from "../row/codes.ts";
import { positionInLink } from "../row/map-link.ts";
import { parseMetres } from "../row/mercator.ts";
import { type Guess, isLngLat, moreThan } from "./values.ts";

const USUAL = 0.8;

/** Plus codes and links of map services are unmistakable; others of the column may be short. Many ids look like a geohash, so its column must be called so. */
export function guessCodes({ header, values: all, take }: Guess): void {
  const areRead = (index: number, share: number, read: (value: string) => unknown) =>
    moreThan(share, all[index] ?? [], (value) => read(value) !== undefined);
  take(
    "ll",
    header.findIndex((_, index) => areRead(index, 0.5, positionInLink)),
  );
  take(
    "lngLat",
    header.findIndex((name, index) => LNG_FIRST.test(fold(name)) && moreThan(USUAL, all[index] ?? [], isLngLat)),
  );
  take(
    "plusCode",
    header.findIndex((_, index) => areRead(index, 0.5, fromPlusCode)),
  );
  take(
    "geohash",
    header.findIndex((name, index) => /geo[\s_-]*hash/i.test(name) && areRead(index, USUAL, fromGeohash)),
  );
}

/** The name of a column with both coordinates in one cell, the longitude first, such as “position (lon, lat)”. */
const LNG_FIRST = /(?:lng|lon|long|longitud[eo]?|la?e?nge(?:ngrad)?)(?:and|und|y|e|et)?(?:lat|breite)|xy$/;

/** Metres from the middle of the map beyond which no national grid counts, with the number of its zone in front. */
const WEST = -2_600_000;
const EAST = 5_800_000;

/** Takes metres for Web Mercator if their columns are called so, or no national grid goes as far. */
export function guessMetres({ header, values, columns, taken, take }: Guess): void {
  if (hasPosition(columns)) return;
  const { x, y } = metresIn(header, values, taken);
  if (x === undefined || y === undefined) return;
  const isCalled = /merc|3857|900913/i.test(`${header[x]} ${header[y]}`);
  const isFar = moreThan(USUAL, values[x] ?? [], (value) => isBeyond(parseMetres(value) ?? 0));
  if (!isCalled && !isFar) return;
  take("x", x);
  take("y", y);
}

const isBeyond = (metres: number): boolean => metres < WEST || metres > EAST;

/** Finds columns that are called x and y, or the like, and hold metres. */
export function metresIn(header: readonly string[], values: string[][], taken: ReadonlySet<number> = new Set()) {
  const isMetres = (value: string) => Math.abs(parseMetres(value) ?? 0) > MOST_DEGREES;
  const find = (axis: "x" | "y"): number | undefined => {
    const index = header.findIndex(
      (name, at) => !taken.has(at) && axisOf(name) === axis && moreThan(USUAL, values[at] ?? [], isMetres),
    );
    return index < 0 ? undefined : index;
  };
  return { x: find("x"), y: find("y") };
}

const MOST_DEGREES = 180;

function axisOf(name: string): "x" | "y" | undefined {
  const field = meaningOf(name)?.field;
  if (field === "lng" || /(?:^|[^a-z])(?:x|lon\w*|lng|east\w*)(?:[^a-z]|$)/i.test(name)) return "x";
  return field === "lat" || /(?:^|[^a-z])(?:y|lat\w*|north\w*)(?:[^a-z]|$)/i.test(name) ? "y" : undefined;
}
