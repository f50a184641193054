import type { ListingDecision } from "../../db/generated/enums.ts";
import { type Db, queryRows, type Sql, sql } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import type { Harmonizer } from "../run/deps.ts";
import { type Harmonization, isVisibleTo, type Person } from "../run/harmonizations.ts";
import { NAME_OF } from "../run/lists.ts";
import { holdEditions, undoKept } from "../run/undone.ts";
import { BEFORE, isMove, type Via } from "../run/write-decisions.ts";
import { undoSome } from "./undo.ts";

/** What a listing was before or after a step: `StepState` has some of the columns of BEFORE. */
export interface StepState {
  decision: ListingDecision | null;
  venueId: string | null;
  venueName: string | null;
  skippedAt: string | null;
}

/** A decision of somebody, in any edition of a list. */
export interface ListStep {
  /** The greater the later. */
  id: string;
  at: Date;
  accountId: string;
  /** Null if the account is deleted. */
  by: string | null;
  file: { id: string; name: string };
  number: number;
  line: number;
  ownId: string | null;
  name: string | null;
  before: StepState;
  after: StepState;
  via: Via | null;
  /** Its position was put right. */
  isMove: boolean;
  undoneAt: Date | null;
  undoneBy: string | null;
}

/** Steps by one person, or on one day in UTC. */
export interface StepFilter {
  by?: string | undefined;
  /** As 2026-11-24. */
  day?: string | undefined;
}

type Of = Pick<Harmonization, "listId">;

/** SQL: whether a step `s` fits. */
const fits = ({ by, day }: StepFilter): Sql => sql`(${by ?? null}::uuid IS NULL OR s.account_id = ${by ?? null}::uuid)
  AND (${day ?? null}::date IS NULL OR (s.created_at >= ${day ?? null}::date::timestamp AT TIME ZONE 'UTC'
       AND s.created_at < (${day ?? null}::date + 1)::timestamp AT TIME ZONE 'UTC'))`;

/**
 * Returns decisions of people in the editions of a list that a person may see, the latest first. What a listing was after a step is what the
 * next one found, or what it is now; of an undone one, what the undo took away.
 */
export const listSteps = (
  db: Db,
  { listId }: Of,
  person: Person,
  { before, most, ...filter }: StepFilter & { before?: string | undefined; most: number },
): Promise<ListStep[]> =>
  queryRows<ListStep>(db)`
    SELECT s.id::text, s.created_at AS at, s.account_id AS "accountId", (SELECT ${NAME_OF} FROM app.account a WHERE a.id = s.account_id) AS by,
           jsonb_build_object('id', h.id, 'name', h.name) AS file, s.number, l.line, l.own_id AS "ownId", l.query->>'name' AS name, s.before,
           coalesce(s.undone, (SELECT n.before FROM app.decision_step n WHERE n.harmonization_id = s.harmonization_id
                                  AND n.number = s.number AND n.id > s.id ORDER BY n.id LIMIT 1), ${BEFORE}) AS after,
           s.via, ${isMove(sql`s.before`)} AS "isMove", s.undone_at AS "undoneAt",
           (SELECT ${NAME_OF} FROM app.account a WHERE a.id = s.undone_by) AS "undoneBy"
      FROM app.harmonization h JOIN app.decision_step s ON s.harmonization_id = h.id
      JOIN app.listing l ON l.harmonization_id = h.id AND l.number = s.number
     WHERE h.list_id = ${listId} AND h.state NOT IN ('uploading', 'deleting') AND ${isVisibleTo(person)}
       AND (${before ?? null}::bigint IS NULL OR s.id < ${before ?? null}::bigint) AND ${fits(filter)}
     ORDER BY s.id DESC LIMIT ${most}`;

/** How many decisions that fit are not undone. */
export async function countSteps(db: Db, { listId }: Of, person: Person, filter: StepFilter): Promise<number> {
  const [row] = await queryRows<{ count: number }>(db)`
    SELECT count(*)::int AS count FROM app.harmonization h JOIN app.decision_step s ON s.harmonization_id = h.id
     WHERE h.list_id = ${listId} AND h.state NOT IN ('uploading', 'deleting') AND ${isVisibleTo(person)} AND s.undone_at IS NULL AND ${fits(filter)}`;
  return row?.count ?? 0;
}

/** Who has decided in a list, by name. */
export const decidersOf = (db: Db, { listId }: Of): Promise<{ id: string; name: string | null }[]> =>
  queryRows<{ id: string; name: string | null }>(db)`
    SELECT a.id, ${NAME_OF} AS name FROM app.account a
     WHERE EXISTS (SELECT FROM app.decision_step s JOIN app.harmonization h ON h.id = s.harmonization_id
                    WHERE h.list_id = ${listId} AND s.account_id = a.id)
     ORDER BY name, a.id`;

const editionsOf = (db: Db, { listId }: Of): Promise<{ id: string }[]> =>
  queryRows<{ id: string }>(db)`
    SELECT id FROM app.harmonization WHERE list_id = ${listId} AND state NOT IN ('uploading', 'deleting') ORDER BY created_at DESC, id`;

interface UndoneSteps {
  /** Decisions that were undone; of one listing several. */
  restored: number;
  /** Rows of later editions that had kept them. */
  kept: number;
  /** Decisions on listings that somebody has decided otherwise since, and whose former venue is gone. They stay. */
  left: number;
}

/**
 * Undoes all decisions that fit, in all editions of a list, and where later editions have kept them. Venues that were added stay in the
 * directory. Repeatable: what is undone already is left out (attacks W125).
 */
export async function undoSteps(
  { pool }: Pick<Harmonizer, "pool">,
  { listId }: Of,
  person: Person,
  filter: StepFilter,
): Promise<UndoneSteps> {
  const all: UndoneSteps = { restored: 0, kept: 0, left: 0 };
  for (const { id } of await editionsOf(pool, { listId })) {
    for (;;) {
      const { steps, restored, kept } = await inTransaction(pool, async (client) => {
        await holdEditions(client, { listId });
        const undone = await undoSome(client, { id }, { which: fits(filter), by: person.id });
        let taken = 0;
        const editions = undone.ids.length > 0 ? await editionsOf(client, { listId }) : [];
        for (const other of editions)
          if (other.id !== id) taken += await undoKept(client, other.id, sql`s.id = ANY (${undone.ids}::bigint[])`);
        return { ...undone, kept: taken };
      });
      if (steps === 0) break;
      all.restored += restored;
      all.kept += kept;
      all.left += steps - restored;
    }
  }
  return all;
}
