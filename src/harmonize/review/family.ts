import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { together } from "../../db/bulk/together.ts";
import { takeLocks } from "../../db/locks.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import { MOST_REASONS } from "../run/candidates.ts";
import type { Harmonizer } from "../run/deps.ts";
import { isGone } from "../run/gone-venues.ts";
import type { Reason, ReasonCode } from "../run/problems/reasons.ts";
import type { Candidate, Query } from "../run/rows.ts";
import { AT_ONCE, BEFORE } from "./decisions.ts";
import { NAME_OF, type Reviewed } from "./listing.ts";
import { isFree } from "./locks.ts";
import { isIn, stretchesOf } from "./stretches.ts";

type Deps = Pick<Harmonizer, "pool">;

/** `pattern`: listings with the same evidence pattern; `same`: listings with the same query and best candidate. */
export const FAMILY_KINDS = ["pattern", "same"] as const;
export type FamilyKind = (typeof FAMILY_KINDS)[number];

const MOST_RELATIVES = 10_000;

/** Orders in which a family is shown; `score`: surest first. */
export const FAMILY_ORDERS = ["file", "score", "town"] as const;
const ORDER_BY: Record<(typeof FAMILY_ORDERS)[number], string> = {
  file: "l.number",
  score: "l.score DESC NULLS LAST, l.number",
  town: "lower(coalesce(l.query->>'city', l.query->>'near')) NULLS LAST, l.number",
};

/** Of a family only the listings with this score and more, rounded to whole percent as it is shown. */
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
  const members = await findMembers(deps.pool, of, kind, from);
  const { rows: shown } = await deps.pool.query<Relative>({
    name: `family-first-${order}`,
    // The listing itself is always shown.
    text: `SELECT number, query, best
             FROM (SELECT l.number, l.query, l.candidates->0 AS best, l.score FROM app.listing l
                    WHERE l.harmonization_id = $1 AND l.number = ANY($2::int[])
                    ORDER BY l.number <> $4, ${ORDER_BY[order]} LIMIT $3) AS l
            ORDER BY ${ORDER_BY[order]}`,
    values: [of.h.id, members.map((each) => each.number), first, of.number],
  });
  return { count: members.length, at: members[0]?.at, shown };
}

/** Returns whether other undecided listings have the same evidence pattern. */
export const hasFamily = async ({ pool }: Deps, of: Reviewed): Promise<boolean> =>
  (await findMembers(pool, of, "pattern", {}, 2)).length > 1;

export interface FamilyDecided {
  decided: number;
  overtaken: { count: number; names: string[]; first: number | undefined };
  gone: number;
}

/** What a person chose of the family that they were shown. */
export interface FamilyWish extends From {
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
  const { h, person, number } = of;
  const [shown, ticked] = [new Set(trimmed?.shown), new Set(trimmed?.ticked)];
  const isChosen = (row: { number: number }) =>
    shown.has(row.number) ? ticked.has(row.number) : trimmed?.others !== 0;
  return together(deps.pool, async (client) => {
    const members = (await findMembers(client, of, kind, from)).filter(isChosen);
    const { rows } = await takeLocks<{ number: number; isNew: boolean }>(client, {
      name: `family-lock-${kind}`,
      text: `SELECT l.number, coalesce(l.matched_at > $5, false) AS "isNew" FROM app.listing l
        WHERE l.harmonization_id = $1 AND l.number = ANY($4::int[]) AND ${isMember(kind)}
        ORDER BY l.number FOR UPDATE`,
      values: [h.id, person.id, number, members.map((each) => each.number), seen],
    });
    const unseen = rows.filter((row) => !shown.has(row.number));
    if (rows.length > expected || (trimmed && unseen.length > trimmed.others))
      throw changed(t("There are now {count} of them. Check them again.", { count: String(rows.length) }));
    if (rows.some(({ isNew }) => isNew))
      throw changed(t("Some of them were matched again meanwhile. Check them again."));
    const group = randomUUID();
    const decided = decision === "matched" ? MATCHED : REJECTED;
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      const numbers = rows.slice(from, from + AT_ONCE).map((row) => row.number);
      await client.query({ name: "family-steps", text: KEEP, values: [h.id, person.id, numbers, group] });
      await client.query({ name: `family-${decision}`, text: decided, values: [h.id, person.id, numbers] });
    }
    const rest = expected - rows.length;
    const overtaken = await findOvertaken(client, of, { kind, seen, rest, isChosen, ...from });
    return { decided: rows.length, overtaken, gone: rest - overtaken.count };
  });
}

async function findOvertaken(
  client: PoolClient,
  { h, person, number }: Reviewed,
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
  const found = await client.query<{ number: number; name: string }>({
    name: `family-overtaken-${kind}`,
    // A step is dated by its transaction's start, which may be before the person looked.
    text: `SELECT l.number, coalesce((SELECT ${NAME_OF} FROM app.account a WHERE a.id = s.account_id), 'somebody') AS name
        FROM app.decision_step s JOIN app.listing l USING (harmonization_id, number)
       WHERE s.harmonization_id = $1 AND s.account_id <> $2 AND s.undone_at IS NULL
         AND s.created_at > $4::timestamptz - interval '30 s' AND l.decision IS NOT NULL AND ${isAlike(kind)}
         AND ${isFrom("$5")}
       ORDER BY l.number LIMIT ${MOST_RELATIVES}`,
    values: [h.id, person.id, number, seen, percent],
  });
  const rows = found.rows.filter(isChosen);
  const names = [...new Set(rows.map(({ name }) => name))];
  return { count: Math.min(rows.length, rest), names, first: rows[0]?.number };
}

async function findMembers(
  client: Pick<PoolClient, "query">,
  { h, person, number }: Reviewed,
  kind: FamilyKind,
  { percent }: From = {},
  most = MOST_RELATIVES,
): Promise<{ number: number; at: Date }[]> {
  const stretches =
    kind === "same"
      ? ["true"]
      : stretchesOf("review", { run: "$1" }).flatMap((each) => (each.isScored ? each.where : []));
  // In the order of an index, so that only part of a large family is read.
  const order = kind === "same" ? "l.best_id" : "l.is_clear, l.score";
  const numbers = ["l.number = $3", ...stretches].map(
    (where) => `(SELECT l.number FROM app.listing l
      WHERE l.harmonization_id = $1 AND l.decision IS NULL AND ${where} AND ${isMember(kind)} AND ${isFrom("$4")}
      ORDER BY ${order} LIMIT ${most})`,
  );
  const { rows } = await client.query<{ number: number; at: Date }>({
    name: `family-members-${kind}-${most}`,
    text: `SELECT number, now() AS at FROM (${numbers.join(" UNION ")}) AS found
      ORDER BY number <> $3, number LIMIT ${most}`,
    values: [h.id, person.id, number, percent],
  });
  return rows;
}

// SQL: whether the score of the best candidate, as a page rounds it, is at least so many percent.
const isFrom = (percent: "$4" | "$5"): string =>
  `(${percent}::int IS NULL OR floor((l.candidates->0->>'score')::float8 * 100 + 0.5) >= ${percent}::int)`;

// SQL: listings like number $3 that person $2 may decide: not skipped, not locked by others.
const isMember = (kind: FamilyKind): string =>
  `${isAlike(kind)} AND ${isIn("review", { run: "$1" })} AND l.adding IS NULL AND (l.skipped_at IS NULL OR l.number = $3) AND ${isFree({ person: "$2" })}
   AND NOT ${isGone("l.best_id", "$1")}`;

function isAlike(kind: FamilyKind): string {
  const one = (column: string) => `(SELECT ${column} FROM app.listing WHERE harmonization_id = $1 AND number = $3)`;
  return kind === "same"
    ? `l.best_id = ${one("best_id")} AND l.query = ${one("query")}`
    : `l.pattern = ${one("pattern")} AND l.pattern <> ''`;
}

const CHOSEN = "l.harmonization_id = $1 AND l.number = ANY ($3::int[])";

const KEEP = `INSERT INTO app.decision_step (harmonization_id, group_id, account_id, number, before)
  SELECT $1, $4, $2, l.number, ${BEFORE} FROM app.listing l WHERE ${CHOSEN}`;

const DECIDED = `decided_how = 'family', decided_by = $2, decided_at = now(), skipped_at = NULL,
  locked_by = NULL, locked_until = NULL`;
const EVIDENCE: ReasonCode = "evidence";
const REFUSED: Reason = { code: "none_alike" };
const MATCHED = `UPDATE app.listing l SET decision = 'matched', venue_id = l.best_id,
  venue_name = l.candidates->0->>'name',
  why = (SELECT jsonb_build_object('code', '${EVIDENCE}', 'said', jsonb_agg(e->'text' ORDER BY n))
    FROM jsonb_array_elements(l.candidates->0->'evidence') WITH ORDINALITY AS each(e, n)
   WHERE n <= ${MOST_REASONS} HAVING count(*) > 0),
  ${DECIDED} WHERE ${CHOSEN}`;
const REJECTED = `UPDATE app.listing l SET decision = 'rejected', venue_id = NULL, venue_name = NULL, why = '${JSON.stringify(REFUSED)}',
  ${DECIDED} WHERE ${CHOSEN}`;

const changed = (message: string) => new KnownError(409, "conflict", message, { title: t("Not decided") });
