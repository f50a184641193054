import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { moveVenues } from "./move-venues.ts";
import { COLUMNS, type VenueRow } from "./venue-row.ts";

const ALL = COLUMNS.join(", ");
const CHANGING = COLUMNS.filter((name) => name !== "id" && name !== "tile");
/** `point` has no equality operator; it derives from lat and lng. */
const COMPARED = CHANGING.filter((name) => name !== "point");
const of = (table: string, names: readonly string[]) => names.map((name) => `${table}.${name}`).join(", ");

const UPDATE = `UPDATE directory.venue v SET (${CHANGING.join(", ")}) = ROW(${of("i", CHANGING)}) FROM incoming i
  WHERE v.id = i.id AND (${of("v", COMPARED)}) IS DISTINCT FROM (${of("i", COMPARED)})`;

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
 */
export async function storeVenues(
  client: PoolClient,
  batch: ReadonlyMap<string, string>,
  counts: { imported: number; updated: number; unchanged: number },
): Promise<void> {
  const text = "SELECT id, tile FROM directory.venue WHERE id = ANY($1)";
  const { rows } = await client.query<{ id: string; tile: number | null }>(text, [[...batch.keys()]]);
  const known = new Map(rows.map(({ id, tile }) => [id, tile]));
  const fresh = [...batch].filter(([id]) => !known.has(id)).map(([, line]) => line);
  if (fresh.length > 0) await copyLines(client, "directory.venue", fresh);
  counts.imported += fresh.length;
  if (known.size === 0) return;
  await client.query("TRUNCATE incoming");
  const again = [...batch].filter(([id]) => known.has(id)).map(([, line]) => line);
  await copyLines(client, "incoming", again);
  const moved = [...known].filter(([id, tile]) => tile !== tileIn(batch.get(id) ?? ""));
  const ids = moved.map(([id]) => id);
  const written = moved.length > 0 ? await moveVenues(client, ids) : 0;
  const { rowCount } = await client.query(UPDATE);
  const updated = written + (rowCount ?? 0);
  counts.updated += updated;
  counts.unchanged += again.length - updated;
}

/** Of a line of copyLine(), in which it is the last. */
const tileIn = (line: string): number => Number(line.slice(line.lastIndexOf("\t")));

async function copyLines(client: PoolClient, table: string, lines: string[]): Promise<void> {
  const copy = client.query(copyFrom(`COPY ${table} (${ALL}) FROM STDIN`));
  await pipeline(Readable.from([Buffer.from(lines.join(""))]), copy);
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

export function copyLine(values: VenueRow): string {
  const cells = values.map((value) =>
    value === null ? "\\N" : String(value).replace(/[\\\t\n\r]/g, (char) => ESCAPES[char] ?? char),
  );
  return `${cells.join("\t")}\n`;
}
