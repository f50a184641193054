import type { Harmonizer } from "./deps.ts";
import type { Harmonization } from "./harmonizations.ts";
import { NAME_OF } from "./review-listing.ts";

/** What one person has decided; `name` is null for somebody who is gone. */
export interface Reviewer {
  name: string | null;
  matched: number;
  added: number;
  rejected: number;
  lastAt: Date;
}

/** Who has decided what of a harmonization by hand, one by one or by family, most first. */
export async function reviewSummary({ pool }: Pick<Harmonizer, "pool">, { id }: Pick<Harmonization, "id">) {
  const { rows: reviewers } = await pool.query<Reviewer>({
    name: "review-summary",
    text: `SELECT (SELECT ${NAME_OF} FROM app.account a WHERE a.id = l.decided_by) AS name,
             count(*) FILTER (WHERE decision = 'matched')::int AS matched,
             count(*) FILTER (WHERE decision = 'added')::int AS added,
             count(*) FILTER (WHERE decision = 'rejected')::int AS rejected, max(decided_at) AS "lastAt"
           FROM app.listing l WHERE harmonization_id = $1 AND decision IS NOT NULL AND decided_how IN ('person', 'family')
           GROUP BY l.decided_by ORDER BY count(*) DESC LIMIT 50`,
    values: [id],
  });
  return reviewers;
}
