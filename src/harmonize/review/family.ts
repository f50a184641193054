import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { takeLocks } from "../../db/locks.ts";
import { type Db, execute, joinSql, prepared, queryRows, rawSql, type Sql, sql } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import { t } from "../../language/translate.ts";
import type { Harmonizer } from "../run/deps.ts";
import { isGone } from "../run/gone-venues.ts";
import { NAME_OF } from "../run/lists.ts";
import type { Candidate, Query } from "../run/rows.ts";
import {
  AT_ONCE,
  BEFORE,
  decidedNow,
  FOR_MANY,
  keepSteps,
  RELEASED,
  viaOf,
  writeDecisions,
} from "../run/write-decisions.ts";
import { notDecided } from "./decisions.ts";
import { sortKey } from "./filter.ts";
import type { Reviewed } from "./listing.ts";
import { isFree } from "./locks.ts";
import { isInQueue, stretchesOf } from "./stretches.ts";

type Deps = Pick<Harmonizer, "pool">;

/** `pattern`: listings with the same evidence pattern; `same`: listings with the same query and best candidate. */
export const FAMILY_KINDS = ["pattern", "same"] as const;
type FamilyKind = (typeof FAMILY_KINDS)[number];

const MOST_RELATIVES = 10_000;

/** Orders in which a family is shown; `score`: surest first. */
export const FAMILY_ORDERS = ["file", "score", "town"] as const;

/** Narrows a family to the listings with this score and more, rounded to whole percent as it is shown. */
interface From {
  percent?: number | undefined;
}

export interface Relative {
  number: number;
  query: Query;
  best: Candidate;
}

/** Counts a listing's family, itself included, up to MOST_RELATIVES. `at`: the database's time of the look-up. */
export async function familyOf(
  deps: Deps,
  of: Reviewed,
  kind: FamilyKind,
  { first = 50, order = "file", ...from }: From & { first?: number; order?: (typeof FAMILY_ORDERS)[number] } = {},
) {
  const members = await findMembers(deps, of, kind, from);
  const numbers = members.map((each) => each.number);
  const inOrder = sortKey(order === "file" ? undefined : order);
  // The listing itself is always shown.
  const shown = await queryRows<Relative>(deps)`
    SELECT number, query, best
      FROM (SELECT l.number, l.query, l.candidates->0 AS best, l.score FROM app.listing l
             WHERE l.harmonization_id = ${of.h.id} AND l.number = ANY(${numbers}::int[])
             ORDER BY l.number <> ${of.number}, ${inOrder} LIMIT ${first}) AS l
     ORDER BY ${inOrder}`;
  return { count: members.length, at: members[0]?.at, shown };
}

/** Returns whether other undecided listings have the same evidence pattern. */
export const hasFamily = async (db: Deps, of: Reviewed): Promise<boolean> =>
  (await findMembers(prepared(db), of, "pattern", {}, 2)).length > 1;

export interface FamilyDecided {
  decided: number;
  overtaken: { count: number; names: string[]; first: number | undefined };
  gone: number;
}

/** What a person chose of the family that they were shown. */
interface FamilyWish extends From {
  kind: FamilyKind;
  decision: "matched" | "rejected";
  /** How many listings they chose, at time `seen`. */
  expected: number;
  seen: Date;
  /** Of those shown one by one only these are chosen; the others are as many as `others`. All are chosen without it. */
  trimmed?: { shown: number[]; ticked: number[]; others: number } | undefined;
}

/**
 * Decides the chosen listings of a family that are undecided as one undoable step, and reports the others that the person chose
 * (attacks F31, W89).
 * @throws KnownError 409 if there are more now than they chose, or one was matched again since
 */
export async function decideFamily(
  deps: Deps,
  of: Reviewed,
  { kind, decision, expected, seen, trimmed, ...from }: FamilyWish,
): Promise<FamilyDecided> {
  const { h } = of;
  const shown = new Set(trimmed?.shown);
  const ticked = new Set(trimmed?.ticked);
  const isChosen = (row: { number: number }) =>
    shown.has(row.number) ? ticked.has(row.number) : trimmed?.others !== 0;
  return inTransaction(deps.pool, async (client) => {
    const members = (await findMembers(client, of, kind, from)).filter(isChosen);
    const numbers = members.map((each) => each.number);
    const { rows } = await takeLocks<{ number: number; isNew: boolean }>(
      client,
      sql`SELECT l.number, coalesce(l.matched_at > ${seen}, false) AS "isNew" FROM app.listing l
        WHERE l.harmonization_id = ${h.id} AND l.number = ANY(${numbers}::int[]) AND ${isMember(of, kind)}
        ORDER BY l.number FOR UPDATE`,
    );
    const unseen = rows.filter((row) => !shown.has(row.number));
    if (rows.length > expected || (trimmed && unseen.length > trimmed.others))
      throw notDecided(t("There are now {count} rows. Check them again.", { count: String(rows.length) }));
    if (rows.some(({ isNew }) => isNew))
      throw notDecided(t("Some of these rows were matched again in the meantime. Check them again."));
    const group = randomUUID();
    for (let from = 0; from < rows.length; from += AT_ONCE)
      await decideSome(client, of, {
        decision,
        group,
        numbers: rows.slice(from, from + AT_ONCE).map(({ number }) => number),
      });
    const rest = expected - rows.length;
    const overtaken = await findOvertaken(client, of, { kind, seen, rest, isChosen, ...from });
    return { decided: rows.length, overtaken, gone: rest - overtaken.count };
  });
}

async function decideSome(
  client: PoolClient,
  { h, person }: Reviewed,
  { decision, group, numbers }: { decision: FamilyWish["decision"]; group: string; numbers: number[] },
): Promise<void> {
  const run = h.id;
  const rows = sql`d`;
  await execute(client)`
    WITH d AS MATERIALIZED (
      SELECT l.number, ${BEFORE} AS before FROM app.listing l
       WHERE l.harmonization_id = ${run} AND l.number = ANY (${numbers}::int[])),
    kept AS (${keepSteps({ via: viaOf(person, "family"), run, accountId: person.id, group, rows })})
    ${writeDecisions({ run, rows, decision: { ...FOR_MANY[decision], ...decidedNow(person.id) }, also: RELEASED })}`;
}

async function findOvertaken(
  client: PoolClient,
  of: Reviewed,
  {
    kind,
    seen,
    rest,
    isChosen,
    percent,
  }: From & {
    kind: FamilyKind;
    seen: Date;
    rest: number;
    isChosen: (row: { number: number }) => boolean;
  },
): Promise<FamilyDecided["overtaken"]> {
  if (rest === 0) return { count: 0, names: [], first: undefined };
  // A step is dated by its transaction's start, which may be before the person looked.
  const found = await queryRows<{ number: number; name: string }>(client)`
    SELECT l.number, coalesce((SELECT ${NAME_OF} FROM app.account a WHERE a.id = s.account_id), 'somebody') AS name
      FROM app.decision_step s JOIN app.listing l USING (harmonization_id, number)
     WHERE s.harmonization_id = ${of.h.id} AND s.account_id <> ${of.person.id} AND s.undone_at IS NULL
       AND s.created_at > ${seen}::timestamptz - interval '30 s' AND l.decision IS NOT NULL AND ${isAlike(of, kind)}
       AND ${isFrom(percent)}
     ORDER BY l.number LIMIT ${MOST_RELATIVES}`;
  const rows = found.filter(isChosen);
  const names = [...new Set(rows.map(({ name }) => name))];
  return { count: Math.min(rows.length, rest), names, first: rows[0]?.number };
}

async function findMembers(
  db: Db,
  of: Reviewed,
  kind: FamilyKind,
  { percent }: From = {},
  most = MOST_RELATIVES,
): Promise<{ number: number; at: Date }[]> {
  const { h, number } = of;
  const stretches =
    kind === "same" ? [sql`true`] : stretchesOf("review", h.id).flatMap((each) => (each.isScored ? each.where : []));
  // In the order of an index, so that only part of a large family is read.
  const order = kind === "same" ? sql`l.best_id` : sql`l.is_clear, l.score`;
  const numbers = [sql`l.number = ${number}`, ...stretches].map(
    (where) => sql`(SELECT l.number FROM app.listing l
      WHERE l.harmonization_id = ${h.id} AND l.decision IS NULL AND ${where} AND ${isMember(of, kind)} AND ${isFrom(percent)}
      ORDER BY ${order} LIMIT ${rawSql(most)})`,
  );
  return queryRows<{ number: number; at: Date }>(db)`
    SELECT number, now() AS at FROM (${joinSql(numbers, " UNION ")}) AS found
     ORDER BY number <> ${number}, number LIMIT ${rawSql(most)}`;
}

// SQL: whether the score of the best candidate, as a page rounds it, is at least so many percent.
const isFrom = (percent: number | undefined): Sql =>
  percent === undefined ? sql`true` : sql`floor((l.candidates->0->>'score')::float8 * 100 + 0.5) >= ${percent}::int`;

// SQL: listings like the reviewed one that the person may decide: not skipped, not locked by others.
const isMember = (of: Reviewed, kind: FamilyKind): Sql =>
  sql`${isAlike(of, kind)} AND ${isInQueue("review", of.h.id)} AND l.adding IS NULL AND (l.skipped_at IS NULL OR l.number = ${of.number})
   AND ${isFree(of.person.id)} AND NOT ${isGone(sql`l.best_id`, of.h.id)}`;

function isAlike({ h, number }: Reviewed, kind: FamilyKind): Sql {
  const one = (column: "best_id" | "query" | "pattern") =>
    sql`(SELECT ${rawSql(column)} FROM app.listing WHERE harmonization_id = ${h.id} AND number = ${number})`;
  return kind === "same"
    ? sql`l.best_id = ${one("best_id")} AND l.query = ${one("query")}`
    : sql`l.pattern = ${one("pattern")} AND l.pattern <> ''`;
}
