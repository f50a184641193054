import { expect, test } from "vitest";
import { mergeVenue } from "../../../src/directory/corrections/merge.ts";
import { revertChange } from "../../../src/directory/corrections/revert.ts";
import { mergeGroups, readGroup, setApart, undoMerge } from "../../../src/directory/duplicates/decide.ts";
import { lastMerges, listGroups } from "../../../src/directory/duplicates/queue.ts";
import { searchDuplicates } from "../../../src/directory/duplicates/run.ts";
import { insertVenues } from "../../../src/directory/venues/add.ts";
import { randomToken } from "../../../src/shared/crypto.ts";
import { categoryId } from "../api/host.ts";
import { linksHost } from "../api/links-host.ts";

const host = await linksHost();
const { deps } = host;
const { pool, prisma } = deps;
const OLGA = "olga";

/** Adds the same venue so many times, at a place and with a name of its own. */
async function newTwins(count: number): Promise<string[]> {
  const name = `Café ${randomToken(6).replace(/[\W\d_]/g, "x")} Lantern`;
  const ll = { lat: 30 + 20 * Math.random(), lng: -100 + 20 * Math.random() };
  const venue = { name, ll, address: "12 Harbor St", primaryCategoryId: categoryId("Coffee Shop") };
  const rows = await prisma.$transaction((tx) => insertVenues({ tx, pool }, Array(count).fill(venue), host.user));
  return rows.map(({ id }) => id);
}

const visit = (venueId: string) => host.asUser("/v2/checkins/add", { venueId }, { method: "POST" });
const search = () => searchDuplicates({ pool });

/** The groups that have one of the venues, as sets of ids. */
async function groupsWith(...ids: string[]): Promise<string[][]> {
  const groups = (await listGroups(pool, { skip: 0, take: 1000 })).map(({ stays, others }) => [
    stays.id,
    ...others.map(({ venue }) => venue.id).sort(),
  ]);
  return groups.filter((group) => group.some((id) => ids.includes(id)));
}

/** All that a merge may change, in full. */
async function everything(): Promise<unknown[]> {
  const tables = { venue: "id", link: "provider_id, linked_id", checkin: "id", moved_venue: "id" };
  const all = Object.entries(tables).map(([table, by]) =>
    pool.query(`SELECT to_jsonb(t) AS row FROM directory.${table} t ORDER BY ${by}`),
  );
  return (await Promise.all(all)).map(({ rows }) => rows);
}

test("C47: groups merged together are undone together, to identical rows", async () => {
  const [one, two, three] = [await newTwins(3), await newTwins(2), await newTwins(2)];
  for (const [at, id] of [...one, ...two].entries()) await host.annotate(id, `twin-${at}`);
  for (const id of [one[1], one[1], one[2], two[0]]) await visit(`${id}`);
  await search();
  const start = await everything();
  const groups = await groupsWith(...one, ...two, ...three);
  expect(groups.map((group) => group.length).sort()).toEqual([2, 2, 3]);
  expect(groups.find((group) => group.length === 3)?.[0]).toBe(one[1]); // the most used
  const chosen = groups.map(([stays = "", ...others]) => ({ stays, others }));
  expect(await mergeGroups(deps, chosen, OLGA)).toEqual({ done: 3, problems: [] });
  expect(await groupsWith(...one, ...two, ...three)).toEqual([]);
  const [merge] = await lastMerges(pool);
  expect(merge).toMatchObject({ venues: 4, revertedAt: null });
  expect(await prisma.venue.count({ where: { id: { in: [...one, ...two, ...three] } } })).toBe(3);
  expect(await undoMerge(deps, merge?.id ?? 0, OLGA)).toEqual({ done: 4, problems: [] });
  expect(await everything()).toEqual(start);
  expect(await groupsWith(...one, ...two, ...three)).toEqual(groups);
  await expect(undoMerge(deps, merge?.id ?? 0, OLGA)).rejects.toThrow("This has already been undone.");
  await expect(undoMerge(deps, 999_999, OLGA)).rejects.toThrow("There is no such merge.");
});

test("C47: a group with a venue that is gone fails alone and as a whole, and is named", async () => {
  const [one, two, stranger] = [await newTwins(3), await newTwins(2), await newTwins(1)];
  const [stays = "", gone = "", other = ""] = one;
  await mergeVenue(deps, { id: gone, into: `${stranger[0]}` }, { userId: OLGA });
  const groups = [
    { stays, others: [other, gone] },
    { stays: `${two[0]}`, others: [`${two[1]}`] },
  ];
  const { done, problems } = await mergeGroups(deps, groups, OLGA);
  expect([done, problems]).toEqual([1, [expect.stringContaining(`The venue ${gone} no longer exists`)]]);
  expect(await prisma.venue.count({ where: { id: other } })).toBe(1);
  expect((await lastMerges(pool))[0]).toMatchObject({ venues: 1 });
});

test("C47: an undo leaves merged what a later change stands in the way of, says so, and can be repeated", async () => {
  const [one, two, third] = [await newTwins(2), await newTwins(2), await newTwins(1)];
  const groups = [one, two].map(([stays = "", ...others]) => ({ stays, others }));
  await mergeGroups(deps, groups, OLGA);
  const later = await mergeVenue(deps, { id: `${one[0]}`, into: `${third[0]}` }, { userId: OLGA });
  const [merge] = await lastMerges(pool);
  const undone = await undoMerge(deps, merge?.id ?? 0, OLGA);
  expect(undone).toEqual({ done: 1, problems: [expect.stringContaining("Revert that first.")] });
  expect((await lastMerges(pool))[0]?.revertedAt).toBeNull();
  await revertChange(deps, later, { userId: OLGA });
  expect(await undoMerge(deps, merge?.id ?? 0, OLGA)).toEqual({ done: 1, problems: [] });
  expect((await lastMerges(pool))[0]?.revertedAt).not.toBeNull();
});

test("C47: two operators who merge the same groups at once merge each once, and one undo restores all", async () => {
  const twins = await Promise.all([newTwins(3), newTwins(3), newTwins(3)]);
  const start = await everything();
  const groups = twins.map(([stays = "", ...others]) => ({ stays, others }));
  const both = await Promise.all([mergeGroups(deps, groups, OLGA), mergeGroups(deps, groups.toReversed(), "oscar")]);
  expect(both.reduce((sum, { done }) => sum + done, 0)).toBe(3);
  const merges = (await lastMerges(pool))
    .filter(({ revertedAt }) => !revertedAt)
    .slice(0, both.filter(({ done }) => done > 0).length);
  for (const { id } of merges) await undoMerge(deps, id, OLGA);
  expect(await everything()).toEqual(start);
});

test("C48: venues of which an operator said that they are different places never return, not even changed or merged", async () => {
  const [a = "", b = "", c = ""] = await newTwins(3);
  await search();
  expect(await groupsWith(a)).toHaveLength(1);
  await setApart(deps, [{ stays: a, others: [b] }], OLGA);
  const [group = []] = await groupsWith(a, b);
  expect(group.length).toBe(2); // the third one with one of them
  await pool.query("UPDATE directory.venue SET phone = '+14015550123' WHERE id = ANY ($1)", [[a, b, c]]);
  await search();
  expect((await groupsWith(a, b)).every((each) => !(each.includes(a) && each.includes(b)))).toBe(true);
  await mergeVenue(deps, { id: b, into: c }, { userId: OLGA });
  await pool.query("UPDATE directory.venue SET phone = NULL WHERE id = ANY ($1)", [[a, c]]);
  await search();
  expect(await groupsWith(a, c)).toEqual([]);
});

test("C48: a page that shows a group from before does not merge what another operator set apart", async () => {
  const [a = "", b = ""] = await newTwins(2);
  await setApart(deps, [{ stays: a, others: [b] }], "oscar");
  const { done, problems } = await mergeGroups(deps, [{ stays: a, others: [b] }], OLGA);
  expect([done, problems]).toEqual([0, [expect.stringContaining("are different places")]]);
});

test.each(["", "one", "one one", "one ../two", `one ${"x".repeat(65)}`])("%j is no group", (text) => {
  expect(readGroup(text)).toBeUndefined();
});
