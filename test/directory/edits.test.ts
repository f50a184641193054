import { expect, test } from "vitest";
import { editVenue } from "../../src/directory/corrections/edit.ts";
import { mergeVenue } from "../../src/directory/corrections/merge.ts";
import { revertChange } from "../../src/directory/corrections/revert.ts";
import { KnownError } from "../../src/shared/errors.ts";
import { venueOf } from "./api/host.ts";
import { linksHost } from "./api/links-host.ts";

const host = await linksHost();
const { deps, newVenue } = host;
const { prisma, pool } = deps;
const operator = { userId: "olga", clientId: null, isOperator: true };
const edit = (id: string, wanted: Record<string, string>, was?: Record<string, string>) =>
  editVenue(deps, { id, wanted, was }, operator);
const revert = (id: string | bigint) => revertChange(deps, String(id), operator);
const open = () => prisma.venueChange.findMany({ orderBy: { id: "desc" }, where: { revertedAt: null } });

async function rows(): Promise<unknown[]> {
  const found = await pool.query("SELECT to_jsonb(v) AS row FROM directory.venue v ORDER BY id");
  return found.rows;
}

test("an edit is recorded with its values before and after, and reverted exactly, with what derives from them", async () => {
  const { id, name } = await newVenue({ phone: "+1 401 555 0123" });
  const start = await rows();
  const change = await edit(id, { name: "Another Name", ll: "48.1,11.5", phone: "", closed: "true" });
  expect(await prisma.venueChange.findUnique({ where: { id: BigInt(change) } })).toMatchObject({
    ...{ kind: "edited", venueId: id, userId: "olga", before: { venue: { name, phone: "+1 401 555 0123" } } },
    after: { name: "Another Name", lat: 48.1, lng: 11.5, phone: null, closed_at: expect.any(String) },
  });
  expect(await prisma.venue.findUnique({ where: { id } })).toMatchObject({ nameNorm: "another name", phoneNorm: null });
  await revert(change);
  expect(await rows()).toEqual(start);
  await expect(revert(change)).rejects.toThrow("has already been reverted");
});

test("a venue that moves far away keeps its check-ins and links, also while others check in and edit it", async () => {
  const { id } = await newVenue();
  const visit = () => host.asUser("/v2/checkins/add", { venueId: id }, { method: "POST" });
  await host.annotate(id, "moving");
  expect((await visit()).status).toBe(200);
  const moves = [10.5, 20.5, 30.5, 40.5].map((lat) => edit(id, { ll: `${lat},11.5` }));
  const others = ["Cranston", "Warwick", "Bristol"].map((city) => edit(id, { city }));
  const visits = await Promise.all([1, 2, 3, 4].map(visit));
  await Promise.all([...moves, ...others]);
  expect(visits.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const answer = await host.userless(`/v2/venues/${id}`);
  expect(venueOf(answer)).toMatchObject({ id, location: { lng: 11.5 }, stats: { checkinsCount: 5, usersCount: 1 } });
  expect((await host.linksOf(id)).items.map(({ linkedId }) => linkedId)).toEqual(["moving"]);
  const found = await pool.query(
    "SELECT tile = directory.venue_tile(point) AS fits FROM directory.venue WHERE id = $1",
    [id],
  );
  expect(found.rows).toEqual([{ fits: true }]);
});

test("an edit is not reverted before a later one of the same value, and before one of another value it is", async () => {
  const { id } = await newVenue({ city: "Providence" });
  const start = await rows();
  const first = await edit(id, { city: "Cranston" });
  const second = await edit(id, { city: "Warwick" });
  const third = await edit(id, { zip: "02903" });
  await expect(revert(first)).rejects.toThrow("since been edited again");
  for (const change of [second, first, third]) await revert(change);
  expect(await rows()).toEqual(start);
});

test("an edit of a venue that was merged is reverted after the merge only", async () => {
  const [{ id }, into] = [await newVenue({ city: "Providence" }), await newVenue()];
  const start = await rows();
  const edited = await edit(id, { city: "Cranston" });
  const merged = await mergeVenue(deps, { id, into: into.id }, { userId: "olga" });
  await expect(edit(id, { city: "Warwick" })).rejects.toThrow("no longer exists");
  await expect(revert(edited)).rejects.toThrow("since been merged or deleted");
  await revert(merged);
  await revert(edited);
  expect(await rows()).toEqual(start);
});

test("C37: of twenty edits at once that are based on the same value one is made, and those of other values all are", async () => {
  const { id } = await newVenue({ city: "Providence" });
  const was = { city: "Providence" };
  const same = Array.from({ length: 20 }, (_, at) => edit(id, { city: `City ${at}` }, was).then(() => at, refusal));
  const others = [edit(id, { zip: "02903" }), edit(id, { address: "1 Main St" }), edit(id, { phone: "4015550123" })];
  const made = (await Promise.all(same)).filter((each) => each !== undefined);
  await Promise.all(others);
  expect(made).toHaveLength(1);
  expect(await prisma.venue.findUnique({ where: { id } })).toMatchObject({
    ...{ city: `City ${made[0]}`, zip: "02903", address: "1 Main St", phone: "4015550123", phoneNorm: "15550123" },
  });
});

function refusal(error: unknown): undefined {
  if (!(error instanceof KnownError)) throw error;
}

test("C37: twenty edits, merges and reverts at once lose no change, and all can be reverted to the same rows", async () => {
  const ids: string[] = [];
  for (let at = 0; at < 6; at++) {
    const { id } = await newVenue({ city: `Town ${at}` });
    await host.asUser("/v2/checkins/add", { venueId: id }, { method: "POST" });
    ids.push(id);
  }
  const earlier = (await open()).map(({ id }) => id);
  const start = await rows();
  const one = <T>(of: readonly T[]) => of[Math.floor(Math.random() * of.length)] as T;
  const wish = (): Record<string, string> =>
    one([
      ...[{ city: `Town ${Math.random()}` }, { name: `Cafe ${Math.random()}` }, { closed: one(["true", "false"]) }],
      { ll: `${(Math.random() * 80).toFixed(4)},${(Math.random() * 80).toFixed(4)}` },
    ]);
  let answered = 0;
  const counted = (id: string) => void (id && answered++);
  for (let round = 0; round < 3; round++) {
    const made = (await open()).filter(({ id }) => !earlier.includes(id));
    const edits = Array.from({ length: 20 }, () => edit(one(ids), wish()).then(counted, refusal));
    const merges = Array.from({ length: 5 }, () =>
      mergeVenue(deps, { id: one(ids), into: one(ids) }, operator).then(counted, refusal),
    );
    const reverts = Array.from({ length: 20 }, () => revert(made.length > 0 ? one(made).id : 0n).catch(refusal));
    await Promise.all([...edits, ...merges, ...reverts]);
  }
  expect(await prisma.venueChange.count({ where: { id: { notIn: earlier }, userId: "olga" } })).toBeGreaterThanOrEqual(
    answered,
  );
  for (const { id } of (await open()).filter((each) => !earlier.includes(each.id))) await revert(id);
  expect(await rows()).toEqual(start);
});
