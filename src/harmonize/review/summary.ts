import { inStretches } from "../../db/bulk.ts";
import { queryRows } from "../../db/sql.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { NAME_OF } from "../run/lists.ts";

export interface Reviewer {
  name: string | null;
  matched: number;
  added: number;
  rejected: number;
  lastAt: Date;
}

const STRETCH = 100_000;
const MOST = 50;

export async function reviewSummary(
  { pool }: Pick<Harmonizer, "pool">,
  { id, listingCount }: Pick<Harmonization, "id" | "listingCount">,
): Promise<Reviewer[]> {
  const reviewers = new Map<string, Reviewer>();
  await inStretches(listingCount, STRETCH, async (after, upTo) => {
    const rows = await queryRows<Reviewer & { id: string }>(pool)`
      SELECT l.decided_by AS id, (SELECT ${NAME_OF} FROM app.account a WHERE a.id = l.decided_by) AS name,
         count(*) FILTER (WHERE decision = 'matched')::int AS matched,
         count(*) FILTER (WHERE decision = 'added')::int AS added,
         count(*) FILTER (WHERE decision = 'rejected')::int AS rejected, max(decided_at) AS "lastAt"
       FROM app.listing l WHERE harmonization_id = ${id} AND number > ${after} AND number <= ${upTo}
        AND (decision IS NOT NULL AND decided_how IN ('person', 'family')) IS TRUE
       GROUP BY l.decided_by`;
    for (const { id: who, ...row } of rows) reviewers.set(who, sum(row, reviewers.get(who)));
  });
  return [...reviewers.values()].sort((a, b) => total(b) - total(a)).slice(0, MOST);
}

function sum(row: Reviewer, before: Reviewer | undefined): Reviewer {
  if (!before) return row;
  const [matched, added, rejected] = (["matched", "added", "rejected"] as const).map((key) => row[key] + before[key]);
  const lastAt = row.lastAt > before.lastAt ? row.lastAt : before.lastAt;
  return { name: row.name, matched, added, rejected, lastAt } as Reviewer;
}

const total = ({ matched, added, rejected }: Reviewer): number => matched + added + rejected;
