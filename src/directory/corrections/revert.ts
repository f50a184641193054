import type { PoolClient } from "pg";
import { takeLocks } from "../../db/locks.ts";
import { execute, type PoolDb, sql } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import { t } from "../../language/translate.ts";
import type { OtherName } from "../../matching/prepare.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { countCheckins, lockVenues, takeNames } from "./merged-names.ts";
import type { RowsBefore } from "./record.ts";
import { type Row, readRow, writeColumns } from "./values.ts";

interface Change {
  kind: "deleted" | "merged" | "edited";
  id: string;
  into: string | null;
  before: RowsBefore;
  after: Row | null;
  isReverted: boolean;
}

/**
 * Restores a deleted or merged venue with its links, and with the check-ins and redirects that a merge moved; what the other venue
 * got since stays there. Of an edited venue restores what was edited. Returns the id of the venue. Throws KnownError 404, or 409 with the reason if it was reverted or a later change is in the way.
 * @param changeId of a `venue_change`
 */
export const revertChange = (db: PoolDb, changeId: string, { userId }: { userId: string }): Promise<string> =>
  inTransaction(db, async (client) => {
    const change = await lockChange(client, changeId);
    const { id, into, kind, isReverted } = change;
    if (isReverted) throw inTheWay(t("This change has already been reverted."));
    const there = await lockVenues(client, into === null ? [id] : [id, into]);
    if (kind === "edited") await takeBack(client, { ...change, changeId });
    else await restore(client, change, there);
    await execute(client)`
      UPDATE directory.venue_change SET reverted_at = now(), reverted_by = ${userId} WHERE id = ${changeId}`;
    return id;
  });

async function restore(client: PoolClient, { id, into, before }: Change, there: ReadonlySet<string>): Promise<void> {
  if (there.has(id)) throw inTheWay(t("The directory has a venue with this id again."));
  if (into !== null) await takeRedirect(client, { id, into }, there);
  await execute(client)`
    INSERT INTO directory.venue SELECT (jsonb_populate_record(NULL::directory.venue, ${JSON.stringify(before.venue)})).*`;
  if ((before.venue as Row).closed_at === "infinity") await holdAgain(client, id);
  if (into === null) await addLinks(client, before);
  else await moveBack(client, { id, into }, before);
}

/** Puts a venue that was held before it was rejected or merged into the operators' queue again. */
async function holdAgain(client: PoolClient, id: string): Promise<void> {
  await execute(client)`
    UPDATE directory.venue_proposal
       SET state = 'open', decided_at = NULL, decided_by = NULL, answer = NULL, into_id = NULL, change_id = NULL
     WHERE venue_id = ${id} AND is_new`;
}

/** Restores what was edited, unless a later edit has changed the same. */
async function takeBack(
  client: PoolClient,
  { id, before, after, changeId }: Change & { changeId: string },
): Promise<void> {
  const columns = Object.keys(after ?? {});
  const row = await readRow(client, id);
  if (!row) throw inTheWay(t("The venue has since been merged or deleted. Revert that first."));
  const later = await execute(client)`
    SELECT FROM directory.venue_change
     WHERE venue_id = ${id} AND id > ${changeId} AND kind = 'edited' AND reverted_at IS NULL AND after ?| ${columns} LIMIT 1`;
  if (later > 0) throw inTheWay(t("The venue has since been edited again. Revert that edit first."));
  const former = before.venue as Row;
  await writeColumns(client, row, Object.fromEntries(columns.map((name) => [name, former[name]])));
}

async function lockChange(client: PoolClient, changeId: string): Promise<Change> {
  const { rows } = await takeLocks<Change>(
    client,
    sql`SELECT kind, venue_id AS id, into_id AS "into", before, after, reverted_at IS NOT NULL AS "isReverted"
          FROM directory.venue_change WHERE id = ${changeId} FOR UPDATE`,
  );
  if (rows[0]) return rows[0];
  throw notFound(t("There is no such change."));
}

const inTheWay = (message: string) => new KnownError(409, "conflict", message);

type Merged = { id: string; into: string };

/** Ends the redirect of a venue that was merged, if it still leads where the merge led it. */
async function takeRedirect(client: PoolClient, { id, into }: Merged, there: ReadonlySet<string>): Promise<void> {
  const ended = there.has(into)
    ? await execute(client)`DELETE FROM directory.moved_venue WHERE id = ${id} AND venue_id = ${into}`
    : 0;
  if (ended === 0) throw inTheWay(t("The other venue has since been merged or deleted. Revert that first."));
}

/** Leaves out links of provider ids that were removed since, and listings that were linked to another venue. */
async function addLinks(client: PoolClient, { links }: RowsBefore): Promise<void> {
  await execute(client)`
    INSERT INTO directory.link SELECT l.* FROM jsonb_populate_recordset(NULL::directory.link, ${JSON.stringify(links)}) l
      JOIN directory.provider p ON p.id = l.provider_id ON CONFLICT DO NOTHING`;
}

async function moveBack(client: PoolClient, { id, into }: Merged, before: RowsBefore): Promise<void> {
  const { venue, links, checkins = [], moved = [], names: had = [] } = before;
  await takeNames(client, { into, merged: venue as { name: string; other_names: OtherName[] | null }, had });
  await execute(client)`
    UPDATE directory.link l SET venue_id = ${id} FROM jsonb_populate_recordset(NULL::directory.link, ${JSON.stringify(links)}) b
     WHERE l.venue_id = ${into} AND l.provider_id = b.provider_id AND l.linked_id = b.linked_id`;
  await execute(
    client,
  )`UPDATE directory.moved_venue SET venue_id = ${id} WHERE venue_id = ${into} AND id = ANY (${moved})`;
  if (checkins.length === 0) return;
  await execute(
    client,
  )`UPDATE directory.checkin SET venue_id = ${id} WHERE venue_id = ${into} AND id = ANY (${checkins})`;
  await countCheckins(client, [id, into]);
}
