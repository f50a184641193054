import type { Pool, PoolClient } from "pg";
import { type Db, execute, queryRows, rawSql, sql } from "../../db/sql.ts";
import type { Evidence } from "../../matching/evidence.ts";
import { findVenues } from "../venues/find.ts";
import type { VenueRow } from "../venues/rows.ts";
import { familyOf, formGroups, type Group, keyOf, type ScoredPair } from "./groups.ts";
import { hasSomeOf, writingPairs } from "./store.ts";

interface StoredPair extends ScoredPair {
  evidence: Evidence[];
}

/** Pairs that are taken up at once, and the most that are read with them. */
const AT_ONCE = 200;
const MOST = 5_000;

/** Forms the groups of all pairs that were found or marked since, with those that are connected to them. */
export async function formNewGroups(pool: Pool): Promise<void> {
  while (await writingPairs(pool, (client) => formSome(pool, client)));
}

/** Returns whether there were any. */
async function formSome(pool: Pool, client: PoolClient): Promise<boolean> {
  const first = await queryRows<StoredPair>(client)`
    ${PAIRS} WHERE NOT is_grouped AND different_at IS NULL ORDER BY a_id, b_id LIMIT ${rawSql(AT_ONCE)}`;
  if (first.length === 0) return false;
  const pairs = await withConnected(client, first);
  const ids = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
  const found = await findVenues(pool, ids);
  const venues = ids.flatMap((id) => {
    const venue = found.get(id);
    return venue?.id === id && !venue.isClosed ? venue : []; // an id that was merged leads to another
  });
  const groups = formGroups(await bestFirst(pool, venues), pairs, await differentAmong(client, ids));
  await write(client, pairs, rowsOf(groups, pairs, new Map(venues.map((venue) => [venue.id, venue]))));
  return true;
}

const PAIRS = sql`SELECT a_id AS a, b_id AS b, score, evidence FROM directory.duplicate_pair`;

async function withConnected(db: Db, first: StoredPair[]): Promise<StoredPair[]> {
  const pairs = new Map(first.map((pair) => [keyOf(pair.a, pair.b), pair]));
  const known = new Set<string>();
  while (pairs.size < MOST) {
    const ids = [...new Set([...pairs.values()].flatMap(({ a, b }) => [a, b]))].filter((id) => !known.has(id));
    if (ids.length === 0) break;
    for (const id of ids) known.add(id);
    const connected = await queryRows<StoredPair>(db)`
      ${PAIRS} WHERE different_at IS NULL AND ${hasSomeOf(ids)} LIMIT ${rawSql(MOST)}`;
    for (const pair of connected) pairs.set(keyOf(pair.a, pair.b), pair);
  }
  return [...pairs.values()];
}

async function differentAmong(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const pairs = await queryRows<{ a: string; b: string }>(db)`
    SELECT a_id AS a, b_id AS b FROM directory.duplicate_pair
     WHERE different_at IS NOT NULL AND a_id = ANY (${ids}) AND b_id = ANY (${ids})`;
  return new Set(pairs.map(({ a, b }) => keyOf(a, b)));
}

/** Those with a position of their own first; then the most used (check-ins and links), the most complete, the oldest. */
async function bestFirst(db: Db, venues: readonly VenueRow[]): Promise<string[]> {
  const ids = venues.map(({ id }) => id);
  const counts = await queryRows<{ id: string; links: number }>(db)`
    SELECT venue_id AS id, count(*)::int AS links FROM directory.link WHERE venue_id = ANY (${ids}) GROUP BY venue_id`;
  const links = new Map(counts.map(({ id, links }) => [id, links]));
  const used = ({ id, checkinsCount }: VenueRow) => checkinsCount + (links.get(id) ?? 0);
  return venues
    .toSorted(
      (a, b) =>
        Number(a.isByAddress) - Number(b.isByAddress) ||
        used(b) - used(a) ||
        filled(b) - filled(a) ||
        a.createdAt - b.createdAt ||
        (a.id < b.id ? -1 : 1),
    )
    .map(({ id }) => id);
}

const filled = ({ address, city, zip, phone, twitter, url, description, categoryId }: VenueRow): number =>
  [address, city, zip, phone, twitter, url, description, categoryId].filter(Boolean).length;

interface GroupedPair {
  a: string;
  b: string;
  stays: string;
  family: string;
}

function rowsOf(
  groups: readonly Group[],
  pairs: readonly StoredPair[],
  venues: ReadonlyMap<string, VenueRow>,
): GroupedPair[] {
  const byIds = new Map(pairs.map((pair) => [keyOf(pair.a, pair.b), pair]));
  return groups.flatMap(({ stays, others }) => {
    const own = others.map((id) => byIds.get(keyOf(id, stays)) as StoredPair);
    const isOtherCategory = ({ a, b }: StoredPair) => {
      const one = venues.get(a)?.categoryId;
      const other = venues.get(b)?.categoryId;
      return Boolean(one && other && one !== other);
    };
    const family = familyOf(own.map((pair) => ({ evidence: pair.evidence, isOtherCategory: isOtherCategory(pair) })));
    return own.map(({ a, b }) => ({ a, b, stays, family }));
  });
}

async function write(db: Db, pairs: readonly StoredPair[], grouped: readonly GroupedPair[]): Promise<void> {
  await execute(db)`
    UPDATE directory.duplicate_pair p SET is_grouped = true, stays_id = g.stays, family = g.family
      FROM unnest(${pairs.map(({ a }) => a)}::text[], ${pairs.map(({ b }) => b)}::text[]) o (a, b)
      LEFT JOIN jsonb_to_recordset(${JSON.stringify(grouped)}::jsonb) AS g(a text, b text, stays text, family text)
             ON g.a = o.a AND g.b = o.b
     WHERE p.a_id = o.a AND p.b_id = o.b`;
}
