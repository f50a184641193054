import { inStretches } from "../../db/bulk/stretches.ts";
import type { Harmonizer } from "../run/deps.ts";
import { type Harmonization, mayGoOn } from "../run/harmonizations.ts";
import { sendNext } from "../run/next-tasks.ts";
import { cutting, nextNumber, withPortionsLocked } from "../run/portions.ts";

const STRETCH = 5000;

/** The task `retry`: makes failed listings pending, a stretch at a time, while others match them. Safe to repeat. */
export async function retryListings(
  deps: Harmonizer,
  { id, listingCount }: Pick<Harmonization, "id" | "listingCount">,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  let goesOn = true;
  await inStretches(listingCount, STRETCH, async (after, upTo) => {
    signal.throwIfAborted();
    goesOn &&= await mayGoOn(deps, id, "matching");
    if (!goesOn) return;
    const { rowCount } = await withPortionsLocked(deps.pool, id, (client) =>
      client.query({ name: "retry-listings", text: AGAIN, values: [id, after, upTo] }),
    );
    if (rowCount) await sendNext(deps, id, "matching");
  });
  const over = "UPDATE app.harmonization SET is_retrying = false WHERE id = $1 AND state = 'matching'";
  if (goesOn) await deps.pool.query(over, [id]);
}

const AGAIN = `WITH again AS (
    UPDATE app.listing AS l SET status = 'pending', problem = NULL FROM app.harmonization AS h
     WHERE h.id = $1 AND h.state = 'matching' AND h.is_retrying AND l.harmonization_id = $1 AND l.number > $2 AND l.number <= $3
       AND l.status = 'failed' AND l.query IS NOT NULL AND l.decision IS NULL
    RETURNING l.number, l.place)
  ${cutting("$1", "again", nextNumber("$1"))}`;
