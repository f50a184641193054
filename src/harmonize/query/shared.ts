import type { Cells } from "../../files/row/row.ts";
import { SHARED } from "../run/problems/slips.ts";
import type { Query } from "../run/rows.ts";
import { townOf } from "./to-query.ts";

/**
 * The query without its position, which is not the listing's own; still with it if the row names no town. A position that was
 * repaired before keeps what the file says.
 */
export function withoutPosition({ ll, ...query }: Query, given: Cells): Query {
  if (!ll) return query;
  const near = townOf(given);
  const repaired = { by: SHARED, was: query.repaired?.was ?? ll, ...(query.repaired && { put: ll }) };
  return { ...query, ...(near ? { near } : { ll }), repaired };
}

/** The query with the position that it was read with, of a directory that does not know the town. */
export const withPosition = ({ near: _, ...query }: Query): Query =>
  query.repaired ? { ...query, ll: query.repaired.put ?? query.repaired.was } : query;
