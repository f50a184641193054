import type { PoolClient } from "pg";
import { describe, expect, test } from "vitest";
import { checkinResponse } from "../../src/contract/checkins.ts";
import { reserveProvider } from "../../src/directory/applications/providers.ts";
import { editVenue } from "../../src/directory/corrections/edit.ts";
import { mergeVenue } from "../../src/directory/corrections/merge.ts";
import { joinVenues } from "../../src/directory/corrections/merged-names.ts";
import { revertChange } from "../../src/directory/corrections/revert.ts";
import { readRow, writeColumns } from "../../src/directory/corrections/values.ts";
import { KnownError } from "../../src/shared/errors.ts";
import { CITUS_URL } from "../support/database/citus.ts";
import { roundsOf } from "../support/rounds.ts";
import { venueOf } from "./api/host.ts";
import { linksHost } from "./api/links-host.ts";

const host = await linksHost();
const { deps, newVenue } = host;
const { prisma, pool } = deps;
const operator = { userId: "olga" };
const get = (id: string) => host.userless(`/v2/venues/${id}`);
const visit = (venueId: string) => host.asUser("/v2/checkins/add", { venueId }, { method: "POST" });
const merge = (id: string, into: string) => mergeVenue(deps, { id, into }, operator);
const revert = (id: bigint) => revertChange(deps, String(id), operator);
const changes = () => prisma.venueChange.findMany({ orderBy: { id: "desc" }, where: { revertedAt: null } });

/** All that a merge may move, in full. */
async function everything(): Promise<unknown[]> {
  const tables = { venue: "id", link: "provider_id, linked_id", checkin: "id" };
  const all = Object.entries(tables).map(([table, by]) =>
    pool.query(`SELECT to_jsonb(t) AS row FROM directory.${table} t ORDER BY ${by}`),
  );
  const moved = pool.query("SELECT id, venue_id FROM directory.moved_venue ORDER BY id");
  return (await Promise.all([...all, moved])).map(({ rows }) => rows);
}

describe("a merge by an operator", () => {
  test("C35: moves links and check-ins, leads the old id to the new one, and is reverted exactly", async () => {
    const [first, second, third] = [await newVenue({ phone: "+14015550123" }), await newVenue(), await newVenue()];
    await host.annotate(first.id, "first");
    await host.annotate(second.id, "second");
    for (const { id } of [first, first, second]) await visit(id);
    const start = await everything();
    await merge(first.id, second.id);
    const between = await everything();
    expect(venueOf(await get(first.id))).toMatchObject({ id: second.id, stats: { checkinsCount: 3, usersCount: 1 } });
    await merge(second.id, third.id);
    expect(venueOf(await get(first.id)).id).toBe(third.id);
    const [later, earlier] = await changes();
    expect(later).toMatchObject({ kind: "merged", venueId: second.id, intoId: third.id, userId: "olga" });
    await expect(revert(earlier?.id ?? 0n)).rejects.toThrow("Revert that first.");
    await revert(later?.id ?? 0n);
    expect(await everything()).toEqual(between);
    await revert(earlier?.id ?? 0n);
    expect(await everything()).toEqual(start);
    await expect(revert(earlier?.id ?? 0n)).rejects.toThrow("This change has already been reverted.");
  });

  test("C92: gives the other venue its names, and takes them back when it is reverted", async () => {
    const [former, venue] = [await newVenue({ name: "Quux Inn" }), await newVenue({ name: "Quux Hotel" })];
    const namesOf = async () => venueOf(await get(venue.id)).otherNames;
    await merge(former.id, venue.id);
    expect(await namesOf()).toEqual(["Quux Inn"]);
    const [change] = await changes();
    await revert(change?.id ?? 0n);
    expect(await namesOf()).toBeUndefined();
  });

  test("leaves what came to the other venue since where it is", async () => {
    const [former, venue] = [await newVenue(), await newVenue()];
    await visit(former.id);
    await merge(former.id, venue.id);
    await visit(former.id);
    await host.annotate(former.id, "since");
    const [change] = await changes();
    await revert(change?.id ?? 0n);
    expect(venueOf(await get(former.id)).stats).toMatchObject({ checkinsCount: 1 });
    expect(venueOf(await get(venue.id)).stats).toMatchObject({ checkinsCount: 1 });
    expect((await host.linksOf(venue.id)).items.map(({ linkedId }) => linkedId)).toEqual(["since"]);
  });

  test("is refused for a venue and itself, and for one that is not there", async () => {
    const [former, venue] = [await newVenue(), await newVenue()];
    await expect(merge(venue.id, venue.id)).rejects.toThrow("into itself");
    await merge(former.id, venue.id);
    await expect(merge(venue.id, former.id)).rejects.toThrow(`${former.id} no longer exists`);
  });

  test("a deleted venue is restored with its links", async () => {
    const { id } = await newVenue();
    await host.annotate(id, "deleted");
    const start = await everything();
    await host.asUser("/v2/venues/delete", { venueId: id }, { method: "POST" });
    const [change] = await changes();
    await revert(change?.id ?? 0n);
    expect(await everything()).toEqual(start);
    expect(venueOf(await get(id)).id).toBe(id);
  });

  test("a deleted venue is restored without its links of a provider id that is gone", async () => {
    const { id } = await newVenue();
    await reserveProvider(deps, "closed", host.application.clientId);
    await host.annotate(id, "kept");
    await host.annotate(id, "gone", { providerId: "closed" });
    await host.asUser("/v2/venues/delete", { venueId: id }, { method: "POST" });
    await prisma.provider.delete({ where: { id: "closed" } });
    const [change] = await changes();
    await revert(change?.id ?? 0n);
    expect((await host.linksOf(id)).items.map(({ linkedId }) => linkedId)).toEqual(["kept"]);
  });
});

describe("calls that use a venue while it is merged, moved or deleted", () => {
  /** Makes the calls while a change of the venue is uncommitted. */
  async function during<T>(change: (client: PoolClient) => Promise<unknown>, calls: () => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      await client.query("BEGIN");
      await change(client);
      const answers = calls();
      await expect.poll(() => waiting(), { timeout: 5_000 }).toBeGreaterThan(0);
      await client.query("COMMIT");
      return await answers;
    } finally {
      client.release(true);
    }
  }
  const activity = CITUS_URL ? "citus_stat_activity" : "pg_stat_activity";
  const waiting = async () => {
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${activity} WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.count ?? 0;
  };

  test("C35: annotate and check in at the venue that it was merged into", async () => {
    const [former, venue] = [await newVenue(), await newVenue()];
    const joined = (client: PoolClient) => joinVenues(client, [{ id: former.id, into: venue.id }]);
    const annotated = await during(joined, () => host.annotate(former.id, "meanwhile"));
    expect([annotated.status, venueOf(annotated).id]).toEqual([200, venue.id]);
    const last = await newVenue();
    const again = (client: PoolClient) => joinVenues(client, [{ id: venue.id, into: last.id }]);
    const visited = await during(again, () => visit(venue.id));
    expect([visited.status, checkinResponse.parse(visited.body.response).checkin.venue?.id]).toEqual([200, last.id]);
    expect((await host.linksOf(last.id)).items.map(({ linkedId }) => linkedId)).toEqual(["meanwhile"]);
  });

  test("F42: edit it, check in and merge it where it moved to", async () => {
    const [{ id }, into] = [await newVenue(), await newVenue()];
    const moved = (lat: number) => async (client: PoolClient) =>
      writeColumns(client, (await readRow(client, id)) ?? {}, { lat, lng: 11.5 });
    const editor = { ...operator, clientId: null, isOperator: true };
    await during(moved(48.1), () => editVenue(deps, { id, wanted: { city: "Town" }, was: undefined }, editor));
    expect((await during(moved(12.5), () => visit(id))).status).toBe(200);
    expect(venueOf(await get(id))).toMatchObject({
      ...{ location: { lat: 12.5, lng: 11.5, city: "Town" }, stats: { checkinsCount: 1 } },
    });
    await during(moved(16.5), () => merge(id, into.id));
    expect(venueOf(await get(id))).toMatchObject({ id: into.id, stats: { checkinsCount: 1 } });
  });

  test("C34: are refused as for every deleted venue", async () => {
    const { id } = await newVenue();
    const gone = async (client: PoolClient) => {
      await client.query("DELETE FROM directory.venue WHERE id = $1", [id]);
      await client.query(
        "INSERT INTO directory.venue_change (venue_id, kind, user_id, before) VALUES ($1, 'deleted', 'olga', '{}')",
        [id],
      );
    };
    const refused = { code: 400, errorDetail: "The venue with this id was deleted." };
    const { body } = await during(gone, () => host.annotate(id, "late"));
    expect(body.meta).toMatchObject(refused);
  });
});

test("C35: check-ins and annotations made during a merge end up at the venue that stays", async () => {
  for (let round = 0; round < 8; round++) {
    const [former, venue] = [await newVenue(), await newVenue()];
    const visits = [1, 2, 3].map(() => visit(former.id));
    const links = [1, 2].map((each) => host.annotate(former.id, `beside ${round} ${each}`));
    const merged = merge(former.id, venue.id);
    const answers = await Promise.all([...visits, ...links]);
    await merged;
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(await prisma.checkin.count({ where: { venueId: former.id } })).toBe(0);
    expect(await prisma.link.count({ where: { venueId: former.id } })).toBe(0);
    expect(venueOf(await get(former.id))).toMatchObject({ id: venue.id, stats: { checkinsCount: 3, usersCount: 1 } });
  }
});

test("C35: twenty merges and twenty reverts at once leave no circle, no lost link or check-in, and can all be reverted", async () => {
  const ids: string[] = [];
  for (let at = 0; at < 8; at++) {
    const { id } = await newVenue();
    await host.annotate(id, `linked-${at}`);
    await visit(id);
    ids.push(id);
  }
  const earlier = (await changes()).map(({ id }) => id);
  const start = await everything();
  const one = <T>(of: readonly T[]) => of[Math.floor(Math.random() * of.length)] as T;
  const unlessRefused = (error: unknown) => {
    if (!(error instanceof KnownError)) throw error;
  };
  for (let round = 0; round < roundsOf(4, 2); round++) {
    const made = (await changes()).filter(({ id }) => !earlier.includes(id));
    const merges = Array.from({ length: 20 }, () => merge(one(ids), one(ids)).catch(unlessRefused));
    const reverts = Array.from({ length: 20 }, () => revert(made.length > 0 ? one(made).id : 0n).catch(unlessRefused));
    await Promise.all([...merges, ...reverts]);
    const there = new Set((await prisma.venue.findMany({ select: { id: true } })).map(({ id }) => id));
    for (const { id, venueId } of await prisma.movedVenue.findMany())
      expect([there.has(id), there.has(venueId)]).toEqual([false, true]);
    for (const id of ids) expect((await get(id)).status).toBe(200);
    const links = await prisma.link.findMany({ where: { linkedId: { startsWith: "linked-" } } });
    expect([links.length, links.every(({ venueId }) => there.has(venueId))]).toEqual([8, true]);
    const wrong = await pool.query(
      `SELECT v.id FROM directory.venue v
         LEFT JOIN (SELECT venue_id AS id, count(*) AS checkins FROM directory.checkin GROUP BY 1) c ON c.id = v.id
        WHERE v.checkins_count <> coalesce(c.checkins, 0)`,
    );
    expect(wrong.rows).toEqual([]);
    expect(await prisma.checkin.count({ where: { venueId: { in: [...there] } } })).toBe(await prisma.checkin.count());
  }
  for (const { id } of (await changes()).filter((each) => !earlier.includes(each.id))) await revert(id);
  expect(await everything()).toEqual(start);
});
