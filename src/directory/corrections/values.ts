import type { PoolClient } from "pg";
import {
  REQUIRED_VALUES,
  VALUE_NAMES,
  type ValueName,
  type Values,
  venueChanges,
} from "../../contract/correction-parameters.ts";
import { formatLl, ll as point } from "../../contract/parameters.ts";
import { isDistributed, ON_ONE_SERVER } from "../../db/citus/distributed.ts";
import { execute, queryRow, rawSql } from "../../db/sql.ts";
import { checkParameters } from "../../http/parameters.ts";
import { t } from "../../language/translate.ts";
import { findCategory } from "../categories/tree.ts";
import { storedHandle, venueColumns } from "../venues/columns.ts";
import type { VenueRow } from "../venues/rows.ts";

/** All values of a venue, "" for those that it lacks. */
export const valuesOf = (venue: VenueRow): Record<ValueName, string> => ({
  name: venue.name,
  ll: formatLl(venue),
  primaryCategoryId: venue.categoryId ?? "",
  address: venue.address ?? "",
  crossStreet: venue.crossStreet ?? "",
  city: venue.city ?? "",
  state: venue.state ?? "",
  zip: venue.zip ?? "",
  phone: venue.phone ?? "",
  twitter: venue.twitter ?? "",
  url: venue.url ?? "",
  description: venue.description ?? "",
  closed: String(venue.isClosed),
});

/** Checks values by the rules of venues/add. Returns them as they are stored, or one message per value. */
export function checkValues(
  values: Values,
): { values: Values; errors?: never } | { values?: never; errors: Record<string, string> } {
  const missing = REQUIRED_VALUES.filter((name) => values[name] === "");
  const { value, errors = {} } = checkParameters(venueChanges, values);
  for (const name of missing) errors[name] = t("{name} is required", { name });
  if (value?.primaryCategoryId !== undefined && !findCategory(value.primaryCategoryId))
    errors.primaryCategoryId = t("primaryCategoryId is not a category id. See venues/categories.");
  if (!value || Object.keys(errors).length > 0) return { errors };
  const { ll, twitter, ...rest } = value;
  const stored: { [Name in ValueName]?: string | undefined } = {
    ...rest,
    ll: ll && formatLl(ll),
    twitter: twitter && storedHandle(twitter),
  };
  return {
    values: Object.fromEntries(VALUE_NAMES.flatMap((name) => (name in values ? [[name, stored[name] ?? ""]] : []))),
  };
}

/** A row of the table `venue`, by the names of the columns. */
export type Row = Record<string, unknown>;

/** Columns that an edit changes. Others derive from them. */
export const EDITED = [
  "name",
  "lat",
  "lng",
  "address",
  "cross_street",
  "city",
  "state",
  "zip",
  "cc",
  "phone",
  "twitter",
  "url",
  "description",
  "category_id",
  "closed_at",
  "position_by_address",
];
const DERIVED = ["name_norm", "phone_norm", "point"];
const WRITTEN = [...EDITED, ...DERIVED];

/** Columns that derive from these. */
export function derivedFrom(columns: readonly string[]): string[] {
  const from: Record<string, string[]> = { name: ["name_norm"], phone: ["phone_norm"], lat: ["point", "tile"] };
  return columns.flatMap((column) => from[column === "lng" ? "lat" : column] ?? []);
}

/** Returns the columns of the values; `cc` is the country at a new position. */
export function columnsOf({ ll, primaryCategoryId, crossStreet, closed, ...rest }: Values, cc: string | null): Row {
  const place = ll === undefined ? {} : { ...point.parse(ll), position_by_address: null, ...(cc && { cc }) };
  const given: Row = {
    ...rest,
    ...place,
    cross_street: crossStreet,
    category_id: primaryCategoryId,
    closed_at: closed === undefined ? undefined : closed === "true" ? new Date().toISOString() : null,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value === "" ? null : value]],
    ),
  );
}

export async function readRow(client: PoolClient, id: string): Promise<Row | undefined> {
  const row = await queryRow<{ row: Row }>(client)`
    SELECT to_jsonb(v) AS row FROM directory.venue v WHERE id = ${id}`;
  return row?.row;
}

/** Changes columns of a venue, and those that derive from them. */
export async function writeColumns(client: PoolClient, before: Row, columns: Row): Promise<void> {
  const next = { ...before, ...columns };
  const { id, name, lat, lng, phone } = next as {
    id: string;
    name: string;
    lat: number;
    lng: number;
    phone: string | null;
  };
  const { nameNorm, phoneNorm, point, tile } = venueColumns({ name, lat, lng, phone });
  const row = { ...next, name_norm: nameNorm, phone_norm: phoneNorm, point, tile };
  if (tile !== before.tile && isDistributed(client)) {
    await execute(client)`DELETE FROM directory.venue WHERE id = ${id}`;
    await execute(client)`
      INSERT INTO directory.venue SELECT (jsonb_populate_record(NULL::directory.venue, ${JSON.stringify(row)})).*`;
    return;
  }
  await execute(client)`
    UPDATE directory.venue v SET (${rawSql(WRITTEN.join(", "))}) = ROW(${rawSql(WRITTEN.map((each) => `r.${each}`).join(", "))})
      FROM jsonb_populate_record(NULL::directory.venue, ${JSON.stringify(row)}) r WHERE v.id = ${id}`;
  if (tile !== before.tile)
    await execute(client)`
      UPDATE directory.venue ${rawSql(ON_ONE_SERVER)} SET tile = ${tile} WHERE id = ${id}`;
}
