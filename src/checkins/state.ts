import { type Db, execute, prepared, queryRow, rawSql, type Sql, sql } from "../db/sql.ts";

/** How far a copy is. */
export interface CopyState {
  pass: number;
  /** Check-ins that the reading of the whole list has passed; null between readings. */
  reached: number | null;
  /** As the directory counts them. */
  total: number;
  /** Null until the first copy is complete. */
  completeAt: Date | null;
  /** When the directory last confirmed the copy. */
  checkedAt: Date | null;
  /** Seconds for which the directory wants no calls. */
  pauseSeconds: number;
}

/** Then another process may take over. Longer than a call to the directory may take. */
const LEASE = sql`interval '15 seconds'`;

const STATE = sql`pass, reached, total, complete_at AS "completeAt", checked_at AS "checkedAt",
  greatest(0, ceil(extract(epoch FROM not_before - now())))::int AS "pauseSeconds"`;

export async function loadState(db: Db, accountId: string): Promise<CopyState | undefined> {
  return queryRow<CopyState>(prepared(db))`
    SELECT ${STATE} FROM app.checkin_copy WHERE account_id = ${accountId}`;
}

/** Takes the copy for `holder`, and makes it at first. Returns undefined if another holds it, or nobody is connected. */
export async function claimCopy(db: Db, accountId: string, holder: string): Promise<CopyState | undefined> {
  return queryRow<CopyState>(prepared(db))`
    INSERT INTO app.checkin_copy (account_id, holder, held_until)
    SELECT account_id, ${holder}::uuid, now() + ${LEASE} FROM app.connection
     WHERE account_id = ${accountId} AND broken_at IS NULL FOR KEY SHARE
    ON CONFLICT (account_id) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
     WHERE checkin_copy.held_until IS NULL OR checkin_copy.held_until < now() RETURNING ${STATE}`;
}

/** @param pauseSeconds for which the directory wants no calls */
export async function releaseCopy(
  db: Db,
  accountId: string,
  { holder, pauseSeconds }: { holder: string; pauseSeconds: number | undefined },
): Promise<void> {
  await execute(prepared(db))`
    UPDATE app.checkin_copy SET held_until = NULL, not_before = now() + ${pauseSeconds ?? null}::int * interval '1 second'
     WHERE account_id = ${accountId} AND holder = ${holder}`;
}

/** Begins to read the whole list. */
export async function beginPass(db: Db, accountId: string, holder: string): Promise<CopyState | undefined> {
  return queryRow<CopyState>(prepared(db))`
    UPDATE app.checkin_copy SET pass = pass + 1, reached = 0, held_until = now() + ${LEASE}
     WHERE account_id = ${accountId} AND holder = ${holder} RETURNING ${STATE}`;
}

/** Ends it: deletes the check-ins that it has not seen, which the directory no longer has. */
export async function endPass(db: Db, accountId: string, holder: string): Promise<void> {
  await execute(prepared(db))`
    WITH copy AS (
      UPDATE app.checkin_copy SET reached = NULL, complete_at = now(), checked_at = now()
       WHERE account_id = ${accountId} AND holder = ${holder} RETURNING account_id, pass)
    DELETE FROM app.copied_checkin c USING copy WHERE c.account_id = copy.account_id AND c.pass <> copy.pass`;
}

export async function confirmCopy(db: Db, accountId: string, holder: string): Promise<void> {
  await execute(prepared(db))`
    UPDATE app.checkin_copy SET checked_at = now() WHERE account_id = ${accountId} AND holder = ${holder}`;
}

interface Written {
  /** Rows that this reading had seen before. */
  seen: number;
  /** Whether this reading had seen the first row before. */
  isJoined: boolean;
}

interface Portion {
  holder: string;
  total: number;
  /** Undefined outside a reading of the whole list. */
  reached: number | undefined;
  rows: { id: string }[];
}

/** Returns undefined, and writes nothing, once the copy is deleted or another process has it. */
export async function writePortion(
  db: Db,
  accountId: string,
  { holder, total, reached, rows: given }: Portion,
): Promise<Written | undefined> {
  const written = await queryRow<Written & { isHeld: boolean }>(prepared(db))`
    WITH copy AS (
      UPDATE app.checkin_copy SET total = ${total}, reached = ${reached ?? null}, held_until = now() + ${LEASE}
       WHERE account_id = ${accountId} AND holder = ${holder} RETURNING account_id, pass),
    given AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS g (${TYPES})),
    seen AS (SELECT c.id FROM app.copied_checkin c JOIN copy USING (account_id, pass) JOIN given USING (id)),
    written AS (
      INSERT INTO app.copied_checkin (account_id, pass, at, ${NAMES})
      SELECT account_id, pass, coalesce(to_timestamp(seconds), '-infinity'), ${NAMES} FROM copy, given
      ON CONFLICT (account_id, id) DO UPDATE SET (pass, at, ${NAMES}) = ROW (${namesOf("excluded")})
       WHERE (${namesOf("copied_checkin")}) IS DISTINCT FROM (${namesOf("excluded")}))
    SELECT EXISTS (SELECT FROM copy) AS "isHeld", (SELECT count(*)::int FROM seen) AS seen,
           EXISTS (SELECT FROM seen WHERE id = ${given[0]?.id ?? null}) AS "isJoined"`;
  return written?.isHeld ? written : undefined;
}

const COLUMNS = {
  ...{ id: "text", time_zone_offset: "int", shout: "text", venue_id: "text", venue_name: "text", address: "text" },
  ...{ town: "text", category: "text", credit: "text", lat: "float8", lng: "float8", editable: "bool" },
};
const NAMES = rawSql(Object.keys(COLUMNS).join(", "));
const namesOf = (row: string): Sql =>
  rawSql(["pass", "at", ...Object.keys(COLUMNS)].map((name) => `${row}.${name}`).join(", "));
const TYPES = rawSql(["seconds float8", ...Object.entries(COLUMNS).map((column) => column.join(" "))].join(", "));
