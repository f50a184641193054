import { inStretches } from "../../db/bulk.ts";
import { type Db, execute, queryRows, sql } from "../../db/sql.ts";
import type { HowAsked } from "../query/repaired-row.ts";
import { queryInFile } from "../query/to-query.ts";
import type { Harmonizer } from "../run/deps.ts";
import { type Harmonization, mayGoOn, NAMES_NO_PLACE } from "../run/harmonizations.ts";
import { sendNext } from "../run/next-tasks.ts";
import { cutIntoPortions, nextNumber, withPortionsLocked } from "../run/portions.ts";

const STRETCH = 5000;

/** The task `retry`: makes failed listings pending, a stretch at a time, while others match them. Safe to repeat. */
export async function retryListings(
  deps: Harmonizer,
  h: HowAsked & Pick<Harmonization, "id" | "listingCount">,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const { id, listingCount } = h;
  let goesOn = true;
  await inStretches(listingCount, STRETCH, async (after, upTo) => {
    signal.throwIfAborted();
    goesOn &&= await mayGoOn(deps, id, "matching");
    if (!goesOn) return;
    if (h.format.town !== undefined) await askInTown(deps, h, after, upTo);
    const isAgain = await withPortionsLocked(deps.pool, id, (client) => matchAgain(client, id, after, upTo));
    if (isAgain) await sendNext(deps, id, "matching");
  });
  // A repair under way is a later one, or the undo: this worker was frozen, and that one has still to write its rows (attacks F174).
  if (goesOn)
    await execute(deps)`
      UPDATE app.harmonization SET is_retrying = false
       WHERE id = ${id} AND state = 'matching' AND NOT repairs @> '[{"isUnderWay": true}]'`;
}

/** Gives the listings that name no place a query in the town that their owner has said. */
async function askInTown(
  db: Pick<Harmonizer, "pool">,
  h: HowAsked & Pick<Harmonization, "id">,
  after: number,
  upTo: number,
): Promise<void> {
  const rows = await queryRows<{ number: number; cells: string[] }>(db)`
    SELECT number, cells FROM app.listing
     WHERE harmonization_id = ${h.id} AND number > ${after} AND number <= ${upTo} AND status = 'failed' AND decision IS NULL
       AND ${NAMES_NO_PLACE}`;
  const asked = rows.flatMap(({ number, cells }) => {
    const { query } = queryInFile(cells, h);
    return query ? [{ number, query }] : [];
  });
  if (asked.length === 0) return;
  await execute(db)`
    UPDATE app.listing AS l SET query = asked.query
      FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS asked(number int, query jsonb)
     WHERE l.harmonization_id = ${h.id} AND l.number = asked.number AND l.status = 'failed' AND l.decision IS NULL AND l.query IS NULL`;
}

/** Returns whether there were any. */
const matchAgain = async (db: Db, id: string, after: number, upTo: number): Promise<boolean> =>
  (await execute(db)`
    WITH again AS (
      UPDATE app.listing AS l SET status = 'pending', problem = NULL FROM app.harmonization AS h
       WHERE h.id = ${id} AND h.state = 'matching' AND h.is_retrying AND l.harmonization_id = ${id}
         AND l.number > ${after} AND l.number <= ${upTo}
         AND l.status = 'failed' AND l.query IS NOT NULL AND l.decision IS NULL
      RETURNING l.number, l.place)
    ${cutIntoPortions(id, sql`again`, nextNumber(id))}`) > 0;
