import type { Values } from "../../contract/correction-parameters.ts";
import { type Db, queryRow, queryRows, rawSql, sql } from "../../db/sql.ts";

export interface Proposal {
  id: string;
  venueId: string;
  intoId: string | null;
  /** The venue is held until this is decided (venues/held.ts); with `intoId` it was merged. */
  isNew: boolean;
  wanted: Values;
  was: Values;
  comment: string | null;
  at: Date;
  state: "open" | "accepted" | "declined" | "withdrawn";
  decidedAt: Date | null;
  answer: string | null;
  changeId: string | null;
  /** Handles; null if the user was deleted, or if the proposal was carried out at once. */
  proposer: string | null;
  decider: string | null;
  /** Other users who propose the same. */
  others: number;
}

const SELECT = sql`SELECT p.id::text, p.venue_id AS "venueId", p.into_id AS "intoId", coalesce(p.is_new, false) AS "isNew", p.wanted, p.was, p.comment, p.at, p.state,
    p.decided_at AS "decidedAt", p.answer, p.change_id::text AS "changeId", u.handle AS proposer, d.handle AS decider,
    (SELECT count(*)::int - 1 FROM directory.venue_proposal o WHERE o.key = p.key AND o.state = 'open') AS others
  FROM directory.venue_proposal p
  LEFT JOIN directory."user" u ON u.id = p.user_id LEFT JOIN directory."user" d ON d.id = p.decided_by`;

/** Those to be decided, oldest first. What several users propose is one. */
export async function openProposals(db: Db, { skip, take }: { skip: number; take: number }): Promise<Proposal[]> {
  return queryRows<Proposal>(db)`
    ${SELECT} WHERE p.state = 'open' AND NOT EXISTS (
      SELECT FROM directory.venue_proposal o WHERE o.key = p.key AND o.state = 'open' AND o.id < p.id)
    ORDER BY p.id OFFSET ${skip} LIMIT ${take}`;
}

/** How many there are to be decided, and how many of them are new venues. */
export async function countOpen(db: Db): Promise<{ proposals: number; newVenues: number }> {
  const row = await queryRow<{ proposals: number; newVenues: number }>(db)`
    SELECT count(DISTINCT key)::int AS proposals, (count(DISTINCT key) FILTER (WHERE is_new))::int AS "newVenues"
      FROM directory.venue_proposal WHERE state = 'open'`;
  return row ?? { proposals: 0, newVenues: 0 };
}

const MOST_DECIDED = 50;

/** Those that operators decided, the last first. */
export async function decidedProposals(db: Db): Promise<Proposal[]> {
  return queryRows<Proposal>(db)`
    ${SELECT} WHERE p.state <> 'open' AND p.decided_by IS NOT NULL ORDER BY p.decided_at DESC, p.id LIMIT ${rawSql(MOST_DECIDED)}`;
}

interface Own {
  userId: string;
  venueId?: string | undefined;
  limit: number;
  offset: number;
}

/** Those of a user, the newest first, and how many there are. */
export async function ownProposals(
  db: Db,
  { userId, venueId, limit, offset }: Own,
): Promise<{ count: number; items: Proposal[] }> {
  const rows = await queryRows<Proposal & { count: number }>(db)`
    SELECT own.*, (count(*) OVER ())::int AS count FROM (
      ${SELECT} WHERE p.user_id = ${userId} AND (${venueId ?? null}::text IS NULL OR p.venue_id = ${venueId ?? null})) own
     ORDER BY own.id::bigint DESC OFFSET ${offset} LIMIT ${limit}`;
  return { count: rows[0]?.count ?? 0, items: rows };
}

export async function findProposal(db: Db, id: string): Promise<Proposal | undefined> {
  return queryRow<Proposal>(db)`${SELECT} WHERE p.id = ${id}`;
}
