import type { Pool } from "pg";
import type { ExtendQuery } from "../../contract/reconcile/queries.ts";
import type { Cell } from "../../contract/reconcile/reconcile.ts";
import { findVenues, VENUE_ID } from "../venues/find.ts";
import { findProperty } from "./properties.ts";

export interface Extension {
  meta: { id: string; name: string }[];
  rows: { id: string; properties: { id: string; values: Cell[] }[] }[];
}

export async function extend(pool: Pool, query: ExtendQuery): Promise<Extension> {
  const ids = [...new Set(query.ids)];
  const properties = [...new Set(query.properties.map(({ id }) => id))];
  const venues = await findVenues(
    pool,
    ids.filter((id) => VENUE_ID.test(id)),
  );
  return {
    meta: properties.map((id) => ({ id, name: findProperty(id)?.name ?? (id || "?") })),
    rows: ids.map((id) => {
      const venue = venues.get(id);
      const valuesOf = (property: string) => (venue && findProperty(property)?.values(venue)) ?? [];
      return { id, properties: properties.map((property) => ({ id: property, values: valuesOf(property) })) };
    }),
  };
}
