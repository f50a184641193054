import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { type Db, execute, queryRows, rawSql } from "../../db/sql.ts";
import { keepMergedNames } from "../corrections/merged-names.ts";
import { mergedByOperators } from "../corrections/record.ts";
import { derivedFrom, type Row } from "../corrections/values.ts";
import { moveVenues } from "./move-venues.ts";
import { COLUMNS, type VenueRow } from "./venue-row.ts";

const ALL = COLUMNS.join(", ");
const CHANGING = COLUMNS.filter((name) => name !== "id" && name !== "tile");
/** `point` has no equality operator; it derives from lat and lng. */
const COMPARED = CHANGING.filter((name) => name !== "point");
const DERIVED = ["name_norm", "other_names_norm", "phone_norm"];
const of = (table: string, names: readonly string[]) => names.map((name) => `${table}.${name}`).join(", ");

const changed = COMPARED.filter((name) => !DERIVED.includes(name)).map(
  (name) => `CASE WHEN v.${name} IS DISTINCT FROM i.${name} THEN '${name}' END`,
);

/** Venues that users added stay as they are. An imported venue that had closed opens again, unless it was edited to be closed. */
const DIFFERS = `v.creator_id IS NULL
  AND ((${of("v", COMPARED)}) IS DISTINCT FROM (${of("i", COMPARED)}) OR v.closed_at IS DISTINCT FROM i.closed_at)`;
const DIFFERING = `
  SELECT v.id, i.name, v.lat AS "fromLat", v.lng AS "fromLng", i.lat, i.lng,
         v.closed_at IS NOT NULL AND i.closed_at IS NULL AS "wasClosed",
         array_remove(ARRAY[${changed.join(", ")}], NULL) AS columns
    FROM incoming i JOIN directory.venue v ON v.id = i.id WHERE ${DIFFERS}`;
const UPDATE = `UPDATE directory.venue v SET (${CHANGING.join(", ")}, closed_at) = ROW(${of("i", CHANGING)}, i.closed_at)
  FROM incoming i WHERE v.id = i.id AND ${DIFFERS}`;

/** A venue that the directory had otherwise. */
interface Update {
  id: string;
  name: string;
  fromLat: number;
  fromLng: number;
  lat: number;
  lng: number;
  wasClosed: boolean;
  /** Columns with another value, except those that derive from others. */
  columns: string[];
}

export interface Stored {
  /** Ids of new venues. */
  added: string[];
  updated: Update[];
  /** With those that an operator merged into another venue. */
  unchanged: number;
}

/**
 * Do not use the connection for anything else: if the role allows it, this turns off foreign key checks, a third of the
 * work. All categories come from our tree.
 */
export async function prepareStore(client: PoolClient): Promise<void> {
  await client.query("CREATE TEMP TABLE incoming (LIKE directory.venue INCLUDING DEFAULTS)");
  await client.query("SET session_replication_role = replica").catch((error) => {
    if (error.code !== INSUFFICIENT_PRIVILEGE) throw error;
  });
}

const INSUFFICIENT_PRIVILEGE = "42501";

/**
 * Copies new venues directly into the table; COPY cannot handle conflicts, so no other import may run. Each statement
 * is a transaction; storing the batch again completes an interrupted one.
 *
 * @param announce told what each statement is about to store
 */
export async function storeVenues(
  client: PoolClient,
  batch: ReadonlyMap<string, string>,
  announce: (some: Pick<Stored, "added" | "updated">) => void = () => {},
): Promise<Stored> {
  const rows = await queryRows<{ id: string; tile: number | null }>(client)`
    SELECT id, tile FROM directory.venue WHERE id = ANY (${[...batch.keys()]})`;
  const known = new Map(rows.map(({ id, tile }) => [id, tile]));
  const unknown = [...batch].filter(([id]) => !known.has(id));
  const merged = await mergedByOperators(
    client,
    unknown.map(([id]) => id),
  );
  const fresh = unknown.filter(([id]) => !merged.has(id));
  const lines = fresh.map(([, line]) => line);
  const added = fresh.map(([id]) => id);
  announce({ added, updated: [] });
  if (fresh.length > 0) await copyLines(client, `directory.venue (${ALL})`, lines);
  if (known.size === 0) return { added, updated: [], unchanged: merged.size };
  await client.query("TRUNCATE incoming");
  const again = [...batch].filter(([id]) => known.has(id)).map(([, line]) => line);
  await copyLines(client, `incoming (${ALL})`, again);
  await keepEdits(client, [...known.keys()]);
  await keepMergedNames(client, [...known.keys()]);
  const { rows: updated } = await client.query<Update>(DIFFERING);
  announce({ added: [], updated });
  const moved = [...known].filter(([id, tile]) => tile !== tileIn(batch.get(id) ?? ""));
  const ids = moved.map(([id]) => id);
  if (moved.length > 0) await moveVenues(client, ids);
  if (updated.length > 0) await client.query(UPDATE);
  return { added, updated, unchanged: merged.size + again.length - updated.length };
}

/** Reads the tile, which is the last column, from a line of copyLine(). */
const tileIn = (line: string): number => Number(line.slice(line.lastIndexOf("\t")));

/** `table` names its columns too. */
export async function copyLines(client: PoolClient, table: string, lines: readonly string[]): Promise<void> {
  const copy = client.query(copyFrom(`COPY ${table} FROM STDIN`));
  await pipeline(Readable.from([Buffer.from(lines.join(""))]), copy);
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

export function copyLine(values: VenueRow): string {
  const cells = values.map((value) =>
    value === null ? "\\N" : String(value).replace(/[\\\t\n\r]/g, (char) => ESCAPES[char] ?? char),
  );
  return `${cells.join("\t")}\n`;
}

const KEPT = [...COLUMNS.filter((name) => name !== "id"), "closed_at"];

/** Gives venues of the table `incoming` the values that people edited, unless that was reverted, so that no import undoes them. */
async function keepEdits(db: Db, ids: readonly string[]): Promise<void> {
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
