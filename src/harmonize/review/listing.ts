import type { DecidedHow, ListingDecision, ListingStatus } from "../../db/generated/enums.ts";
import { prepared, queryRows, rawSql, sql } from "../../db/sql.ts";
import type { Harmonizer } from "../run/deps.ts";
import { type Harmonization, isVisibleTo, type Person } from "../run/harmonizations.ts";
import { NAME_OF } from "../run/lists.ts";
import type { Problem } from "../run/problems/problems.ts";
import type { Reason } from "../run/problems/reasons.ts";
import { type Candidate, OUTCOME, type Outcome, type Query, type Was } from "../run/rows.ts";

export interface Reviewed {
  h: Harmonization;
  person: Person;
  number: number;
}

export interface ReviewListing {
  number: number;
  line: number;
  cells: string[];
  query: Query | null;
  status: ListingStatus;
  problem: Problem | null;
  /** Who corrected it. */
  mendedBy: string | null;
  /** Why its id could not be written to the venue it has now. */
  annotationProblem: Problem | null;
  outcome: Outcome;
  candidates: Candidate[];
  pattern: string | null;
  isAdding: boolean;
  /** Chosen by a person for the venue to be added. */
  categoryId: string | null;
  isSkipped: boolean;
  decision: ListingDecision | null;
  venueId: string | null;
  venueName: string | null;
  why: Reason | null;
  decidedHow: DecidedHow | null;
  decidedBy: string | null;
  /** When it was last decided, skipped or matched. */
  changedAt: Date | null;
  lockedBy: string | null;
  /** What it was in an earlier edition, if it has changed since. */
  was: Was | null;
  before: { decision: ListingDecision; venueName: string | null; decidedBy: string | null } | null;
}

export const ANNOTATION_PROBLEM = sql`CASE WHEN l.annotated_at >= greatest(l.decided_at, l.matched_at, '-infinity') THEN l.annotation_problem END`;

export const CHANGED_AT = sql`greatest(l.decided_at, l.matched_at, l.skipped_at)`;

export async function reviewListing(
  { pool }: Pick<Harmonizer, "pool">,
  { h: { id, previousId }, person, number }: Reviewed,
): Promise<ReviewListing | undefined> {
  const rows = await queryRows<ReviewListing>(prepared(pool))`
    SELECT l.number, l.line, l.cells, l.query, l.status, l.problem, ${OUTCOME} AS outcome, l.candidates, l.pattern,
       ${ANNOTATION_PROBLEM} AS "annotationProblem",
       (SELECT ${NAME_OF} FROM app.account a WHERE a.id = (l.query->'mended'->>'by')::uuid) AS "mendedBy",
       l.edition->'was' AS was, l.adding IS NOT NULL AS "isAdding", l.category_id AS "categoryId", l.skipped_at IS NOT NULL AS "isSkipped",
       l.decision, l.venue_id AS "venueId", l.venue_name AS "venueName", l.why,
       l.decided_how AS "decidedHow", ${CHANGED_AT} AS "changedAt",
       (SELECT ${NAME_OF} FROM app.account a WHERE a.id = l.decided_by) AS "decidedBy",
       CASE WHEN l.locked_by <> ${person.id} AND l.locked_until > now()
         THEN coalesce((SELECT ${NAME_OF} FROM app.account a WHERE a.id = l.locked_by), 'Somebody') END AS "lockedBy",
       (SELECT jsonb_build_object('decision', p.decision, 'venueName', p.venue_name, 'decidedBy',
            (SELECT ${NAME_OF} FROM app.account a WHERE a.id = p.decided_by))
          FROM app.listing p JOIN app.harmonization e ON e.id = p.harmonization_id
         WHERE e.id = ${previousId} AND p.own_id = l.own_id AND p.decision IS NOT NULL AND e.state NOT IN ('uploading', 'deleting')
           AND ${isVisibleTo(person, rawSql("e"))}
         ORDER BY p.number LIMIT 1) AS before
     FROM app.listing l JOIN app.harmonization h ON h.id = l.harmonization_id
     WHERE l.harmonization_id = ${id} AND l.number = ${number}`;
  return rows[0];
}
