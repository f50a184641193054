import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { COLUMNS, type VenueRow } from "./venue-row.ts";

const ALL = COLUMNS.join(", ");
const CHANGING = COLUMNS.filter((name) => name !== "id");
/** `point` has no equality; it is made of lat and lng. */
const COMPARED = CHANGING.filter((name) => name !== "point");
const of = (table: string, names: readonly string[]) => names.map((name) => `${table}.${name}`).join(", ");

const UPDATE = `UPDATE directory.venue v SET (${CHANGING.join(", ")}) = ROW(${of("i", CHANGING)}) FROM incoming i
  WHERE v.id = i.id AND (${of("v", COMPARED)}) IS DISTINCT FROM (${of("i", COMPARED)})`;

/** Makes what `storeVenues` needs on this connection. */
export const prepareStore = (client: PoolClient) =>
  client.query("CREATE TEMP TABLE incoming (LIKE directory.venue INCLUDING DEFAULTS)");

/**
 * Writes one batch of venues and adds to the counts. New ones go straight into the table by COPY, which knows no
 * conflicts: so the caller makes sure that nobody else imports. Those that are there already are brought up to date by
 * way of a temporary table, where they differ. Each statement is a transaction: what is cut short between them is made
 * up for by storing the batch again.
 */
export async function storeVenues(
  client: PoolClient,
  batch: ReadonlyMap<string, VenueRow>,
  counts: { imported: number; updated: number; unchanged: number },
): Promise<void> {
  const text = "SELECT id FROM directory.venue WHERE id = ANY($1)";
  const { rows } = await client.query<{ id: string }>(text, [[...batch.keys()]]);
  const known = new Set(rows.map(({ id }) => id));
  const fresh = [...batch.values()].filter(([id]) => !known.has(id));
  if (fresh.length > 0) await copyRows(client, "directory.venue", fresh);
  counts.imported += fresh.length;
  if (known.size === 0) return;
  await client.query("TRUNCATE incoming");
  const again = [...batch.values()].filter(([id]) => known.has(id));
  await copyRows(client, "incoming", again);
  const { rowCount } = await client.query(UPDATE);
  counts.updated += rowCount ?? 0;
  counts.unchanged += again.length - (rowCount ?? 0);
}

async function copyRows(client: PoolClient, table: string, rows: VenueRow[]): Promise<void> {
  const copy = client.query(copyFrom(`COPY ${table} (${ALL}) FROM STDIN`));
  await pipeline(Readable.from([Buffer.from(rows.map(copyLine).join(""))]), copy);
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** A line of COPY's text format. */
export function copyLine(values: VenueRow): string {
  const cells = values.map((value) =>
    value === null ? "\\N" : String(value).replace(/[\\\t\n\r]/g, (char) => ESCAPES[char] ?? char),
  );
  return `${cells.join("\t")}\n`;
}
