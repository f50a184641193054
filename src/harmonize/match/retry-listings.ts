import { inStretches } from "../../db/bulk/stretches.ts";
import { type HowAsked, queryInFile } from "../query/to-query.ts";
import type { Harmonizer } from "../run/deps.ts";
import { type Harmonization, mayGoOn, NAMES_NO_PLACE } from "../run/harmonizations.ts";
import { sendNext } from "../run/next-tasks.ts";
import { cutting, nextNumber, withPortionsLocked } from "../run/portions.ts";

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
    const { rowCount } = await withPortionsLocked(deps.pool, id, (client) =>
      client.query({ name: "retry-listings", text: AGAIN, values: [id, after, upTo] }),
    );
    if (rowCount) await sendNext(deps, id, "matching");
  });
  const over = "UPDATE app.harmonization SET is_retrying = false WHERE id = $1 AND state = 'matching'";
  if (goesOn) await deps.pool.query(over, [id]);
}

/** Gives the listings that name no place a query in the town that their owner has said. */
async function askInTown(
  { pool }: Pick<Harmonizer, "pool">,
  h: HowAsked & Pick<Harmonization, "id">,
  after: number,
  upTo: number,
): Promise<void> {
  const { rows } = await pool.query<{ number: number; cells: string[] }>({
    name: "listings-without-place",
    text: `SELECT number, cells FROM app.listing
            WHERE harmonization_id = $1 AND number > $2 AND number <= $3 AND status = 'failed' AND decision IS NULL AND ${NAMES_NO_PLACE}`,
    values: [h.id, after, upTo],
  });
  const asked = rows.flatMap(({ number, cells }) => {
    const { query } = queryInFile(cells, h);
    return query ? [{ number, query: JSON.stringify(query) }] : [];
  });
  if (asked.length === 0) return;
  await pool.query({
    name: "ask-in-town",
    text: `UPDATE app.listing AS l SET query = asked.query FROM unnest($2::int[], $3::jsonb[]) AS asked (number, query)
            WHERE l.harmonization_id = $1 AND l.number = asked.number AND l.status = 'failed' AND l.decision IS NULL AND l.query IS NULL`,
    values: [h.id, asked.map(({ number }) => number), asked.map(({ query }) => query)],
  });
}

const AGAIN = `WITH again AS (
    UPDATE app.listing AS l SET status = 'pending', problem = NULL FROM app.harmonization AS h
     WHERE h.id = $1 AND h.state = 'matching' AND h.is_retrying AND l.harmonization_id = $1 AND l.number > $2 AND l.number <= $3
       AND l.status = 'failed' AND l.query IS NOT NULL AND l.decision IS NULL
    RETURNING l.number, l.place)
  ${cutting("$1", "again", nextNumber("$1"))}`;
