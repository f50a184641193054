import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Checkin } from "../contract/checkins.ts";
import { type Db, execute, prepared, queryRow, rawSql, type Sql, sql } from "../db/sql.ts";
import { DirectoryError } from "../directory-client/calls/errors.ts";
import type { DirectoryClient } from "../directory-client/client.ts";
import { storable } from "../shared/storable.ts";

export interface Refreshed {
  /** Undefined without a copy. */
  state: CopyState | undefined;
  /** Why the copy could not be brought up to date. */
  trouble: DirectoryError | undefined;
  /** The copying goes on. */
  isUnderWay: boolean;
}

export interface CheckinCopies {
  /**
   * Brings the copy up to date, unless the directory has confirmed it within `maxAgeMs`. Waits for `waitMs` at most.
   *
   * @throws DirectoryError `refused_token`
   */
  refresh(accountId: string, auth: { token: string }, options?: { maxAgeMs?: number }): Promise<Refreshed>;
}

interface Running {
  token: string;
  work: Promise<void>;
}

/** The copies of people's check-ins. Within a process, visits join a copying that runs; across processes its lease decides. */
export function createCheckinCopies({ waitMs, ...deps }: CheckinDeps & { waitMs: number }): CheckinCopies {
  const running = new Map<string, Running>();
  const begin = (accountId: string, token: string): Running => {
    const work = bringUpToDate(deps, accountId, { token }).finally(() => {
      if (running.get(accountId) === started) running.delete(accountId);
    });
    const started = { token, work };
    work.catch((err: unknown) => deps.log.warn({ err }, "check-ins were not copied"));
    running.set(accountId, started);
    return started;
  };
  return {
    async refresh(accountId, { token }, { maxAgeMs = 0 } = {}) {
      const state = await loadState(deps, accountId);
      if (state?.checkedAt && Date.now() - state.checkedAt.getTime() < maxAgeMs)
        return { state, trouble: undefined, isUnderWay: false };
      const current = running.get(accountId);
      // The refusal of an older token says nothing about this one.
      const { work } = current?.token === token ? current : begin(accountId, token);
      const trouble = await Promise.race([work.then(() => undefined, troubleIn), sleep(waitMs, LATE, { ref: false })]);
      return {
        state: await loadState(deps, accountId),
        trouble: trouble === LATE ? undefined : trouble,
        isUnderWay: trouble === LATE,
      };
    },
  };
}

const LATE = Symbol("late");

function troubleIn(error: unknown): DirectoryError {
  if (!(error instanceof DirectoryError) || error.kind === "refused_token") throw error;
  return error;
}

/** Comments of other directories may be longer than ours. */
const LONGEST = 1000;
const LONGEST_ID = 200;

type Row = ReturnType<typeof toRow>;

/** Returns check-ins as rows, each id once. Leaves out those whose id cannot be stored. */
export function toRows(checkins: Checkin[]): Row[] {
  const rows = checkins.filter(({ id }) => id.length <= LONGEST_ID && id === storable(id)).map(toRow);
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

function toRow({ id, createdAt, timeZoneOffset = 0, shout, venue, editable }: Checkin) {
  const { lat, lng, address, city } = venue?.location ?? {};
  const hasPoint = lat !== undefined && lng !== undefined && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  return {
    id,
    seconds: Math.abs(createdAt) < 1e11 ? Math.floor(createdAt) : null,
    time_zone_offset: Math.abs(timeZoneOffset) <= 1000 ? Math.round(timeZoneOffset) : 0,
    shout: text(shout),
    editable: editable ?? null,
    venue_id: text(venue?.id),
    venue_name: text(venue?.name),
    address: text(address),
    town: text(city),
    category: text(venue?.categories?.[0]?.name),
    credit: text(venue?.source?.attribution),
    ...(hasPoint ? { lat, lng } : { lat: null, lng: null }),
  };
}

const text = (value: string | undefined): string | null => (value ? storable(value, { longest: LONGEST }) : null);

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

async function loadState(db: Db, accountId: string): Promise<CopyState | undefined> {
  return queryRow<CopyState>(prepared(db))`
    SELECT ${STATE} FROM app.checkin_copy WHERE account_id = ${accountId}`;
}

/** Takes the copy for `holder`, and makes it at first. Returns undefined if another holds it, or nobody is connected. */
async function claimCopy(db: Db, accountId: string, holder: string): Promise<CopyState | undefined> {
  return queryRow<CopyState>(prepared(db))`
    INSERT INTO app.checkin_copy (account_id, holder, held_until)
    SELECT account_id, ${holder}::uuid, now() + ${LEASE} FROM app.connection
     WHERE account_id = ${accountId} AND broken_at IS NULL FOR KEY SHARE
    ON CONFLICT (account_id) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
     WHERE checkin_copy.held_until IS NULL OR checkin_copy.held_until < now() RETURNING ${STATE}`;
}

/** @param pauseSeconds for which the directory wants no calls */
async function releaseCopy(
  db: Db,
  accountId: string,
  { holder, pauseSeconds }: { holder: string; pauseSeconds: number | undefined },
): Promise<void> {
  await execute(prepared(db))`
    UPDATE app.checkin_copy SET held_until = NULL, not_before = now() + ${pauseSeconds ?? null}::int * interval '1 second'
     WHERE account_id = ${accountId} AND holder = ${holder}`;
}

/** Begins to read the whole list. */
async function beginPass(db: Db, accountId: string, holder: string): Promise<CopyState | undefined> {
  return queryRow<CopyState>(prepared(db))`
    UPDATE app.checkin_copy SET pass = pass + 1, reached = 0, held_until = now() + ${LEASE}
     WHERE account_id = ${accountId} AND holder = ${holder} RETURNING ${STATE}`;
}

/** Ends it: deletes the check-ins that it has not seen, which the directory no longer has. */
async function endPass(db: Db, accountId: string, holder: string): Promise<void> {
  await execute(prepared(db))`
    WITH copy AS (
      UPDATE app.checkin_copy SET reached = NULL, complete_at = now(), checked_at = now()
       WHERE account_id = ${accountId} AND holder = ${holder} RETURNING account_id, pass)
    DELETE FROM app.copied_checkin c USING copy WHERE c.account_id = copy.account_id AND c.pass <> copy.pass`;
}

async function confirmCopy(db: Db, accountId: string, holder: string): Promise<void> {
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
async function writePortion(
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
  id: "text",
  time_zone_offset: "int",
  shout: "text",
  venue_id: "text",
  venue_name: "text",
  address: "text",
  town: "text",
  category: "text",
  credit: "text",
  lat: "float8",
  lng: "float8",
  editable: "bool",
};
const NAMES = rawSql(Object.keys(COLUMNS).join(", "));
const namesOf = (row: string): Sql =>
  rawSql(["pass", "at", ...Object.keys(COLUMNS)].map((name) => `${row}.${name}`).join(", "));
const TYPES = rawSql(["seconds float8", ...Object.entries(COLUMNS).map((column) => column.join(" "))].join(", "));

/** The most that the interface gives at once (wire-format 10). */
const PORTION = 250;
const NEWEST = 50;
/** Check-ins of a person; older ones are not copied. */
export const MOST_COPIED = 50_000;
/** Then the whole list is read again, because check-ins and venues may have been edited. */
const EDITED_AFTER_MS = 24 * 60 * 60 * 1000;
/** How often one reading may begin again because the list changed meanwhile. */
const MOST_BEGINNINGS = 3;

interface Reader extends CheckinDeps {
  accountId: string;
  auth: { token: string };
  holder: string;
}

/**
 * Copies what is new at the directory, or the whole list in portions, from where an earlier call ended. Needs of the directory
 * only `limit` and `offset`. Does nothing while another process copies. Ends early if the copy is deleted meanwhile.
 *
 * @throws DirectoryError
 */
async function bringUpToDate(deps: CheckinDeps, accountId: string, auth: { token: string }): Promise<void> {
  const reader: Reader = { ...deps, accountId, auth, holder: randomUUID() };
  const copy = await claimCopy(deps, accountId, reader.holder);
  if (!copy) return;
  let pauseSeconds = copy.pauseSeconds || undefined;
  try {
    if (pauseSeconds) throw new DirectoryError("rate_limited", undefined, { retryAfter: pauseSeconds });
    const isWhole = copy.completeAt !== null && copy.reached === null;
    if (isWhole && (await copyNewest(reader, copy)) && !isOld(copy.completeAt)) return;
    const begun = isWhole ? await beginPass(deps, accountId, reader.holder) : copy;
    if (begun) await copyAll(reader, begun);
  } catch (error) {
    if (error instanceof DirectoryError && error.kind === "rate_limited") pauseSeconds ??= error.retryAfter;
    throw error;
  } finally {
    await releaseCopy(deps, accountId, { holder: reader.holder, pauseSeconds });
  }
}

const isOld = (at: Date | null) => at !== null && Date.now() - at.getTime() > EDITED_AFTER_MS;

/** Returns false if the directory's count shows that other check-ins were deleted or added too. */
async function copyNewest(reader: Reader, { total: before }: CopyState): Promise<boolean> {
  const { accountId, holder } = reader;
  const { count, items } = await reader.directory.checkins(reader.auth, { limit: NEWEST, offset: 0 });
  const rows = toRows(items);
  const written = await writePortion(reader, accountId, { holder, total: count, reached: undefined, rows });
  if (!written) return true;
  const added = rows.length - written.seen;
  const isAll = added < rows.length || rows.length >= count;
  if (count - before !== added || !isAll) return false;
  await confirmCopy(reader, accountId, holder);
  return true;
}

async function copyAll(reader: Reader, from: CopyState): Promise<void> {
  let reached = from.reached ?? 0;
  for (let beginnings = 1; beginnings <= MOST_BEGINNINGS; ) {
    const step = await copyPortion(reader, reached);
    if (step === "deleted") return;
    if (step === "end") return finish(reader, reached);
    if (step === "moved") {
      beginnings += 1;
      await beginPass(reader, reader.accountId, reader.holder);
    }
    reached = step === "moved" ? 0 : step;
  }
}

/** What was added while several portions were read stands before them. */
async function finish(reader: Reader, reached: number): Promise<void> {
  const { accountId, holder } = reader;
  if (reached > 0) {
    const { count, items } = await reader.directory.checkins(reader.auth, { limit: NEWEST, offset: 0 });
    await writePortion(reader, accountId, { holder, total: count, reached, rows: toRows(items) });
  }
  await endPass(reader, accountId, holder);
}

/**
 * Copies the next portion. It begins with the last check-in before it: if another one is there, some have been deleted
 * meanwhile, and as many passed by unseen.
 */
async function copyPortion(reader: Reader, before: number): Promise<number | "end" | "moved" | "deleted"> {
  const { accountId, holder } = reader;
  const offset = Math.max(0, before - 1);
  const { count, items } = await reader.directory.checkins(reader.auth, { limit: PORTION, offset });
  const reached = offset + items.length;
  const rows = toRows(items);
  const written = await writePortion(reader, accountId, { holder, total: count, reached, rows });
  if (!written) return "deleted";
  if (rows.length === written.seen) return "end"; // or a directory that ignores `offset` would never end
  if (before > 0 && !written.isJoined) return "moved";
  return reached >= Math.min(count, MOST_COPIED) ? "end" : reached;
}

interface CheckinDeps {
  pool: Pool;
  directory: Pick<DirectoryClient, "checkins">;
  log: { warn(details: object, message: string): void };
}
