import { type Db, execute, queryRows, rawSql } from "../../db/sql.ts";
import { derivedFrom, type Row } from "../corrections/values.ts";
import { COLUMNS } from "./venue-row.ts";

const KEPT = [...COLUMNS.filter((name) => name !== "id"), "closed_at"];

/** Gives venues of the table `incoming` the values that people edited, unless that was reverted, so that no import undoes them. */
export async function keepEdits(db: Db, ids: readonly string[]): Promise<void> {
  const edited = await queryRows<{ id: string; columns: string[] }>(db)`
    SELECT venue_id AS id, array_agg(DISTINCT key) AS columns
      FROM directory.venue_change c, jsonb_object_keys(c.after) AS key
     WHERE venue_id = ANY (${ids}) AND kind = 'edited' AND reverted_at IS NULL GROUP BY venue_id`;
  if (edited.length === 0) return;
  const rows = await queryRows<{ id: string; row: Row }>(db)`
    SELECT id, to_jsonb(v) AS row FROM directory.venue v WHERE id = ANY (${edited.map(({ id }) => id)})`;
  const venues = new Map(rows.map(({ id, row }) => [id, row]));
  const kept = edited.map(({ id, columns }) => {
    const names = [...columns, ...derivedFrom(columns)];
    return { id, kept: Object.fromEntries(names.map((name) => [name, venues.get(id)?.[name]])) };
  });
  await execute(db)`
    UPDATE incoming i SET (${rawSql(KEPT.join(", "))}) =
      (SELECT ${rawSql(KEPT.map((name) => `r.${name}`).join(", "))} FROM jsonb_populate_record(i, k.kept) r)
      FROM jsonb_to_recordset(${JSON.stringify(kept)}) AS k (id text, kept jsonb) WHERE i.id = k.id`;
}
