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

/**
 * Makes what `storeVenues` needs on this connection, which must not be used for anything else afterwards: where the role
 * may say so, PostgreSQL no longer looks up each venue's category, a third of its work. They are all of our tree.
 */
export async function prepareStore(client: PoolClient): Promise<void> {
  await client.query("CREATE TEMP TABLE incoming (LIKE directory.venue INCLUDING DEFAULTS)");
  await client.query("SET session_replication_role = replica").catch((error) => {
    if (error.code !== INSUFFICIENT_PRIVILEGE) throw error;
  });
}

const INSUFFICIENT_PRIVILEGE = "42501";

/**
 * Writes one batch of venues, each a line of `copyLine` by its id, and adds to the counts. New ones go straight into the table by COPY, which knows no
 * conflicts: so the caller makes sure that nobody else imports. Those that are there already are brought up to date by
 * way of a temporary table, where they differ. Each statement is a transaction: what is cut short between them is made
 * up for by storing the batch again.
 */
export async function storeVenues(
  client: PoolClient,
  batch: ReadonlyMap<string, string>,
  counts: { imported: number; updated: number; unchanged: number },
): Promise<void> {
  const text = "SELECT id FROM directory.venue WHERE id = ANY($1)";
  const { rows } = await client.query<{ id: string }>(text, [[...batch.keys()]]);
  const known = new Set(rows.map(({ id }) => id));
  const fresh = [...batch].filter(([id]) => !known.has(id)).map(([, line]) => line);
  if (fresh.length > 0) await copyLines(client, "directory.venue", fresh);
  counts.imported += fresh.length;
  if (known.size === 0) return;
  await client.query("TRUNCATE incoming");
  const again = [...batch].filter(([id]) => known.has(id)).map(([, line]) => line);
  await copyLines(client, "incoming", again);
  const { rowCount } = await client.query(UPDATE);
  counts.updated += rowCount ?? 0;
  counts.unchanged += again.length - (rowCount ?? 0);
}

async function copyLines(client: PoolClient, table: string, lines: string[]): Promise<void> {
  const copy = client.query(copyFrom(`COPY ${table} (${ALL}) FROM STDIN`));
  await pipeline(Readable.from([Buffer.from(lines.join(""))]), copy);
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** A line of COPY's text format. */
export function copyLine(values: VenueRow): string {
  const cells = values.map((value) =>
    value === null ? "\\N" : String(value).replace(/[\\\t\n\r]/g, (char) => ESCAPES[char] ?? char),
  );
  return `${cells.join("\t")}\n`;
}
