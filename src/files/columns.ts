/**
 * Where a listing is; the first that a row has counts. `ll`: latitude and longitude in one cell; `lngLat`: the longitude first;
 * `x`, `y`: Web Mercator.
 */
export const PLACED_BY = ["lat", "lng", "ll", "lngLat", "plusCode", "geohash", "x", "y"] as const;

/** `id`: the owner's id; `wholeAddress`: street, town and what else stands in one cell. */
export const FIELDS = [
  "id",
  "name",
  ...PLACED_BY,
  "address",
  "wholeAddress",
  "city",
  "state",
  "zip",
  "country",
  "phone",
  "url",
  "twitter",
  "category",
  "description",
] as const;
export type Field = (typeof FIELDS)[number] & string;

/** Several columns make one field in this order: src/files/row/joined.ts. A single one is never a list. */
export type Columns = Partial<Record<Field, number | number[]>>;

export const indexesOf = (columns: Columns, field: Field): number[] => [columns[field] ?? []].flat();

/** A field of these columns, as Columns has it; undefined for none. */
export const columnsAre = (indexes: number[]): number | number[] | undefined =>
  indexes.length > 1 ? indexes : indexes[0];

/** Whether these columns say where a listing is, in one way or another. */
export const hasPosition = ({ lat, lng, ll, lngLat, plusCode, geohash, x, y }: Columns): boolean =>
  [ll, lngLat, plusCode, geohash].some((column) => column !== undefined) ||
  [
    [lat, lng],
    [x, y],
  ].some((pair) => pair.every((column) => column !== undefined));
