import { beforeAll, expect, test } from "vitest";
import type { LatLng } from "../../../src/contract/parameters.ts";
import { addListings, startAdding } from "../../../src/harmonize/add/add-listings.ts";
import { findHeldBack, isRepairable, repairHeldBack } from "../../../src/harmonize/add/held-back.ts";
import { findConflicts } from "../../../src/harmonize/conflicts/conflicts.ts";
import { readListings } from "../../../src/harmonize/file/read-listings.ts";
import { receiveFile } from "../../../src/harmonize/file/receive.ts";
import { matchPending } from "../../../src/harmonize/match/match-listings.ts";
import { progressOf } from "../../../src/harmonize/results/progress.ts";
import { lastStep, undo } from "../../../src/harmonize/review/undo.ts";
import { loadHarmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { sendNext } from "../../../src/harmonize/run/next-tasks.ts";
import type { Query } from "../../../src/harmonize/run/rows.ts";
import { distanceBetween } from "../../../src/matching/distance.ts";
import { CAFE, startAdder } from "./directory.ts";

const adder = await startAdder();
const { deps, person, directory, database } = adder;
const { signal } = new AbortController();
const auth = { token: "ada" };

interface Row extends LatLng {
  name: string;
  town?: string;
}

const HOME = { lat: 41.7, lng: -71.5 };
/** Rows without a town that the directory knows. */
const right: Row[] = Array.from({ length: 140 }, (_, at) => ({
  ...{
    name: `Place ${at}`,
    lat: +(41.6 + (at % 14) / 50).toFixed(3),
    lng: +(-71.6 + Math.floor(at / 14) / 50).toFixed(3),
  },
  town: "Hamlet",
}));
const spoilt: Row[] = right.slice(0, 14).map(({ lat, lng }, at) => ({
  name: `Slipped ${at}`,
  ...(at % 2 ? { lat: lng, lng: lat } : { lat: lat + 0.005, lng: -lng }),
}));
const KAZAKHSTAN = { lat: 41.7, lng: 71.5 };
/** Truly there, where a lost sign would have taken it; and where none would. */
const abroad: Row[] = [
  { name: "Branch", ...KAZAKHSTAN, town: "Namangan" },
  { name: "Paris", lat: 48.85, lng: 2.35 },
];

beforeAll(() => {
  adder.takes(100);
  deps.directory.searchVenues = async (_auth, { near }) => {
    const geocode = near === "Namangan" && { feature: { cc: "", geometry: { center: KAZAKHSTAN } } };
    return { venues: [], confident: false, geocode: (geocode || undefined) as never };
  };
});

const load = async (id: string) => {
  const found = await loadHarmonization(deps, id);
  if (!found) throw new Error("It is not there.");
  return found;
};

/** Uploads, reads and matches a file. */
async function upload(rows: Row[], previousId: string | null = null): Promise<string> {
  const lines = rows.map(({ name, lat, lng, town = "" }) => `${name},${name},${lat},${lng},${town}`);
  const bytes = (async function* () {
    yield Buffer.from(["id,name,lat,lng,city", ...lines].join("\n"));
  })();
  const id = await receiveFile(deps, { accountId: adder.accountId, name: "shops.csv", bytes, signal });
  const judged = { verdict: "unknown", rows: 0, wrong: 0 };
  await database.prisma.harmonization.update({
    where: { id },
    data: { state: "reading", previousId, positions: judged },
  });
  await readListings(deps, await load(id), { signal });
  await match(id);
  return id;
}

async function match(id: string): Promise<void> {
  const portions = await database.prisma.portion.findMany({ where: { harmonizationId: id } });
  for (const { number } of portions) await matchPending(deps, await load(id), { portion: number, signal });
  await sendNext(deps, id, "matching");
  expect((await load(id)).state).toBe("ready");
}

async function add(id: string) {
  expect(await startAdding(deps, await load(id), person, { categoryId: CAFE })).toBe(true);
  await addListings(deps, await load(id), { signal });
  return (await load(id)).task as { report?: object };
}

const listingsOf = async (id: string) =>
  (await adder.listings({ id })).map((row) => ({ ...row, query: row.query as unknown as Query }));

/** Names of the venues that are neither at home nor truly abroad. */
const inTheSea = () =>
  directory.venues.flatMap(({ name, location: { lat = 0, lng = 0 } = {} }) =>
    distanceBetween(HOME, { lat, lng }) > 100_000 && !abroad.some((row) => row.name === name) ? [name] : [],
  );
const names = (rows: Row[]) => rows.map(({ name }) => name).sort();

test("F81: listings with swapped coordinates or a lost sign are held back from adding all, though nobody has looked for conflicts", async () => {
  await adder.begin([]);
  const id = await upload([...right, ...spoilt, ...abroad]);
  const held = await findHeldBack(deps, await load(id), auth);
  expect([held.length, held.filter(({ isMarked }) => isMarked).length]).toEqual([14, 0]);
  const task = await add(id);
  expect(task.report).toMatchObject({ added: 142, heldBack: 14, left: 0, failed: 0 });
  expect([inTheSea(), directory.venues.length]).toEqual([[], 142]);
  const listings = await listingsOf(id);
  const problems = listings.filter(({ problem }) => problem !== null);
  expect(problems.map(({ query }) => query.name).sort()).toEqual(names(spoilt));
  expect(problems[1]?.problem).toMatchObject({
    code: "mistyped_position",
    slip: "swapped",
    wouldBe: right[1] && { lat: right[1].lat, lng: right[1].lng },
  });
  const again = await findHeldBack(deps, await load(id), auth);
  expect(again.map(({ number, isMarked }) => [number, isMarked])).toEqual(held.map(({ number }) => [number, true]));
  expect(await progressOf(deps, await load(id))).toMatchObject({ addable: 0, heldBack: 14 });
  expect((await findConflicts(deps, await load(id))).misplaced.total, "as the search for conflicts says").toBe(14);
  await add(id);
  expect([inTheSea(), directory.venues.length], "nor are they by adding again").toEqual([[], 142]);
});

test("F81: repaired together, they are matched again at their right positions, and only those without a match are added", async () => {
  await adder.begin([]);
  const known = right.slice(0, 5).map(({ lat, lng }, at) => ({
    ...{ id: `known-${at}`, name: `Slipped ${at}` },
    location: at % 2 ? { lat, lng } : { lat: lat + 0.005, lng },
  }));
  directory.venues.push(...(known as never[]));
  const id = await upload([...right.slice(20), ...spoilt]);
  const held = await findHeldBack(deps, await load(id), auth);
  expect(await repairHeldBack(deps, await load(id), person, held)).toBe(14);
  expect((await load(id)).state).toBe("matching");
  expect(await repairHeldBack(deps, await load(id), person, held), "while something else runs").toBeUndefined();
  await match(id);
  const found = (await listingsOf(id)).filter(({ query }) => query.name.startsWith("Slipped"));
  expect(found.map(({ bestId }) => bestId)).toEqual([...known.map(({ id }) => id), ...Array(9).fill(null)]);
  expect(found[1]?.query).toMatchObject({
    ll: { lat: right[1]?.lat, lng: right[1]?.lng },
    mended: { was: { ll: { lat: spoilt[1]?.lat, lng: spoilt[1]?.lng } }, by: person.id },
  });
  expect(await findHeldBack(deps, await load(id), auth)).toEqual([]);
  await add(id);
  expect(inTheSea()).toEqual([]);
  expect(directory.adds.filter(({ name }) => name.startsWith("Slipped"))).toHaveLength(9);
  expect((await findConflicts(deps, await load(id))).misplaced.total).toBe(0);

  directory.adds = [];
  const next = await upload([...right.slice(20), ...spoilt], id);
  expect(await findHeldBack(deps, await load(next), auth), "in the next edition").toEqual([]);
  await add(next);
  expect([inTheSea(), directory.adds]).toEqual([[], []]);
  const kept = (await listingsOf(next)).filter(({ query }) => query.name.startsWith("Slipped"));
  expect(kept.map(({ query }) => query.ll)).toEqual(found.map(({ query }) => query.ll));
});

test("F81: a repair leaves listings that were decided, corrected, skipped or opened by somebody else meanwhile", async () => {
  await adder.begin([]);
  const id = await upload([...right, ...spoilt]);
  const held = await findHeldBack(deps, await load(id), auth);
  const [one, two, three, four, five] = held.map(({ number }) => number);
  const set = (number: number | undefined, values: string) =>
    database.pool.query(`UPDATE app.listing SET ${values} WHERE harmonization_id = $1 AND number = $2`, [id, number]);
  await set(one, "decision = 'matched', venue_id = 'v'");
  await set(two, `query = jsonb_set(query, '{ll}', '{"lat": 1, "lng": 2}')`);
  await set(three, "skipped_at = now()");
  await set(four, "locked_by = gen_random_uuid(), locked_until = now() + interval '1 minute'");
  await set(five, "decision = 'rejected'");
  expect(await repairHeldBack(deps, await load(id), person, held)).toBe(10);
  const rows = (await listingsOf(id)).filter(({ number }) => [one, two, three, four, five].includes(number));
  expect(rows.map(({ status, decision }) => [status, decision])).toEqual([
    ["asked", "matched"],
    ["asked", null],
    ["asked", null],
    ["asked", null],
    ["pending", null],
  ]);
});

test("W82: the undo of a repair restores each listing exactly, before or after it was matched again, and leaves those that changed since", async () => {
  for (const isMatched of [false, true]) {
    await adder.begin([]);
    const id = await upload([...right, ...spoilt]);
    await add(id);
    const numbers = (await findHeldBack(deps, await load(id), auth)).map(({ number }) => number);
    const set = (at: number, values: string) =>
      database.pool.query(`UPDATE app.listing SET ${values} WHERE harmonization_id = $1 AND number = $2`, [
        id,
        numbers[at],
      ]);
    const ago = "now() - interval '1 hour'";
    await set(
      0,
      `decision = 'rejected', decided_how = 'person', decided_by = '${person.id}', decided_at = ${ago}, why = '{"code": "none_alike"}'`,
    );
    await set(
      1,
      `score = 0.15, is_clear = true, best_id = 'v', candidates = '[{"id": "v", "name": "V", "lat": 1, "lng": 2, "score": 0.15}]', pattern = 'name+'`,
    );
    await set(
      2,
      `query = query || '{"mended": {"was": {"name": "X"}, "by": "${person.id}", "at": "2026-01-01T00:00:00.000Z"}}'`,
    );
    const held = () => listingsOf(id).then((rows) => rows.filter(({ number }) => numbers.includes(number)));
    const before = await held();
    expect(await repairHeldBack(deps, await load(id), person, await findHeldBack(deps, await load(id), auth))).toBe(14);
    if (isMatched) await match(id);
    expect((await held()).map(({ query }) => query.ll)).not.toEqual(before.map(({ query }) => query.ll));
    expect(await lastStep(deps, await load(id), person)).toMatchObject({ isMove: true, listings: 14 });
    await set(3, `decision = 'matched', venue_id = 'w', decided_by = '${person.id}', decided_at = now()`);
    await set(4, "query = jsonb_set(query, '{mended,at}', '\"2026-01-01T00:00:00.000Z\"')");
    await set(5, "adding = '{}'");
    const changed = await held();
    expect(await undo(deps, await load(id), person)).toMatchObject({ restored: 11, changed: 3, gone: 0 });
    const after = await held();
    for (const [at, row] of after.entries()) expect(row).toEqual([3, 4, 5].includes(at) ? changed[at] : before[at]);
    expect(await undo(deps, await load(id), person), "once").toBeUndefined();
    await database.prisma.harmonization.deleteMany({ where: { id } });
  }
});

test("F81: listings are held back also if their venues were rejected, or their category is missing", async () => {
  await adder.begin([]);
  const id = await upload([...right, ...spoilt]);
  await database.pool.query("UPDATE app.listing SET decision = 'rejected' WHERE harmonization_id = $1", [id]);
  expect(await startAdding(deps, await load(id), person, {})).toBe(true);
  await addListings(deps, await load(id), { signal });
  expect((await load(id)).task).toMatchObject({ report: { added: 0, heldBack: 14, left: 140 } });
});

test("F81: a listing that is held back where its address is does not count as one to put right", async () => {
  await adder.begin([]);
  const id = await upload([...right, ...spoilt]);
  await add(id);
  const [first] = await findHeldBack(deps, await load(id), auth);
  await database.pool.query(
    `UPDATE app.listing SET query = query - 'll' || jsonb_build_object('byAddress', query->'ll')
      WHERE harmonization_id = $1 AND number = $2`,
    [id, first?.number],
  );
  const held = await findHeldBack(deps, await load(id), auth);
  expect([held.length, held.filter(isRepairable).length]).toEqual([14, 13]);
  expect(await repairHeldBack(deps, await load(id), person, held)).toBe(13);
});
