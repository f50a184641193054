import { SHARED } from "../run/problems/slips.ts";
import type { Query } from "../run/rows.ts";
import { type Cells, townOf } from "./to-query.ts";

/** The query without its position, which is not the listing's own; still with it if the row names no town. */
export function withoutPosition({ ll, ...query }: Query, given: Cells): Query {
  if (!ll) return query;
  const near = townOf(given);
  return { ...query, ...(near ? { near } : { ll }), repaired: { by: SHARED, was: ll } };
}

/** The query with the position that it was read with, of a directory that does not know the town. */
export const withPosition = ({ near: _, ...query }: Query): Query =>
  query.repaired ? { ...query, ll: query.repaired.was } : query;
