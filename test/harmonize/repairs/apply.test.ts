import { beforeEach, describe, expect, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import type { DirectoryClient } from "../../../src/directory-client/client.ts";
import { changeDraft } from "../../../src/harmonize/file/layout.ts";
import { matchPending } from "../../../src/harmonize/match/match-listings.ts";
import { retryListings } from "../../../src/harmonize/match/retry-listings.ts";
import { applyRepairs } from "../../../src/harmonize/repairs/apply.ts";
import { addRepairs, undoRepair } from "../../../src/harmonize/repairs/change.ts";
import { previewRepair } from "../../../src/harmonize/repairs/preview.ts";
import type { Harmonizer } from "../../../src/harmonize/run/deps.ts";
import { MOST_REPAIRS, parseRepairs } from "../../../src/harmonize/run/row-repairs.ts";
import type { Query } from "../../../src/harmonize/run/rows.ts";
import { startFiles } from "../file/reader.ts";
import { makeAccount } from "../rows.ts";

const { database, deps, load, upload, read, uploadAndRead, listings } = await startFiles();
const { prisma } = database;
const ana = await makeAccount(database, "Ana", deps.directoryUrl);
const SIGNAL = new AbortController().signal;

const venue = (id: string) => ({ id, name: id, location: { lat: 41.8, lng: -71.4 }, score: 0.97 }) as never;
const directory = {
  async matchListings(_auth: object, queries: Query[]) {
    return queries.map(({ name }) => ({
      found: { venues: [venue(`v-${name}`)], confident: true, geocode: undefined },
    }));
  },
  async venues(_auth: object, ids: string[]) {
    return ids.map((id) => (id.includes("gone") ? { error: new DirectoryError("not_found") } : { venue: venue(id) }));
  },
} as unknown as DirectoryClient;
const harmonizer = { ...deps, directory, authFor: async () => ({ token: "t" }) } as unknown as Harmonizer;

const CSV = [
  "id,name,lat,lng,street,town,type",
  "1,Shop Joe,41.8,-71.4,1 Main St,Providence,Cafe",
  "2,Shop Ann,41.8,-71.4,2 Main St,Providence,Bakery",
  "3,Tom,41.8,-71.4,3 Main St,Providence,Cafe",
].join("\n");
const COLUMNS = { id: 0, name: 1, lat: 2, lng: 3, address: 4 };
const TRIM = { kind: "replace", column: "name", find: "Shop ", with: "" };
const CATEGORY = { kind: "set", field: "category", value: "Café", where: { column: "type", is: "cafe" } };

async function match(id: string): Promise<void> {
  const h = await load(id);
  for (const { number: portion } of await prisma.portion.findMany({ where: { harmonizationId: id } }))
    await matchPending(harmonizer, h, { portion, signal: SIGNAL });
  await prisma.harmonization.update({ where: { id }, data: { state: "ready", isRetrying: false } });
}
async function work(id: string): Promise<void> {
  expect(await applyRepairs(harmonizer, await load(id), { signal: SIGNAL })).toBe(true);
  await match(id);
}
const add = async (id: string, json: unknown) => addRepairs(deps, await load(id), ana, parseRepairs([json]));
const outcomes = async (id: string) =>
  (await listings(id)).map(({ query, decision, venueId, bestId, edition, status }) => ({
    name: (query as Query | null)?.name,
    ...{ decision, venueId, bestId, status, was: (edition as { was?: object } | null)?.was },
  }));
const decide = (id: string, number: number, data: object) =>
  prisma.listing.update({ where: { harmonizationId_number: { harmonizationId: id, number } }, data });
const byAna = { decidedBy: ana, decidedAt: new Date(), decidedHow: "person" as const };

let id: string;
beforeEach(async () => {
  ({ id } = await uploadAndRead(CSV, { columns: COLUMNS }));
  await match(id);
});

test("rows that say something else are matched anew, the others are left alone, and cells stay as in the file", async () => {
  const before = await listings(id);
  await add(id, TRIM);
  expect(await load(id)).toMatchObject({ state: "matching", isRetrying: true });
  await work(id);
  const after = await listings(id);
  expect(after.map(({ bestId }) => bestId)).toEqual(["v-Joe", "v-Ann", "v-Tom"]);
  expect(after.map(({ cells }) => cells)).toEqual(before.map(({ cells }) => cells));
  expect(after[2]).toEqual(before[2]);
  expect(await load(id)).toMatchObject({ repairs: [{ by: ana, repair: TRIM }] });
  expect((await load(id)).repairs[0]).not.toHaveProperty("isUnderWay");
});

test("decisions of people are kept where the directory is asked the same, and wait with their venue first where it is not", async () => {
  await decide(id, 1, { decision: "matched", venueId: "mine", ...byAna });
  await decide(id, 2, { decision: "rejected", ...byAna });
  await decide(id, 3, { decision: "matched", venueId: "yours", ...byAna });
  await add(id, CATEGORY);
  await work(id);
  expect((await outcomes(id)).map(({ decision }) => decision)).toEqual(["matched", "rejected", "matched"]);
  await add(id, TRIM);
  await work(id);
  expect(await outcomes(id)).toMatchObject([
    { decision: null, bestId: "mine", was: { decision: "matched", venueId: "mine", byRepair: true } },
    { decision: null, bestId: "v-Ann", was: { decision: "rejected", byRepair: true } },
    { decision: "matched", venueId: "yours" },
  ]);
});

test("undoing a repair brings rows and decisions back, but not over what somebody has decided since", async () => {
  await decide(id, 1, { decision: "matched", venueId: "mine", ...byAna });
  await decide(id, 2, { decision: "matched", venueId: "hers", ...byAna });
  const [kept] = await add(id, TRIM);
  await work(id);
  await decide(id, 2, { decision: "rejected", ...byAna });
  await undoRepair(deps, await load(id), ana, kept?.id ?? "");
  await work(id);
  expect(await outcomes(id)).toMatchObject([
    { name: "Shop Joe", decision: "matched", venueId: "mine", was: undefined },
    { name: "Shop Ann", decision: null, was: { decision: "rejected" } },
    { name: "Tom", decision: null, bestId: "v-Tom" },
  ]);
  await expect(undoRepair(deps, await load(id), ana, kept?.id ?? "")).rejects.toMatchObject({ status: 404 });
});

test("a venue that was added stays, and so does what is being added", async () => {
  await decide(id, 1, { decision: "added", venueId: "new", ...byAna });
  await decide(id, 2, { adding: { key: "k" } });
  const before = await listings(id);
  await add(id, TRIM);
  await work(id);
  expect((await listings(id)).slice(0, 2)).toEqual(before.slice(0, 2));
});

test("a correction of a row stays, over what a repair says", async () => {
  const query = {
    name: "Joseph",
    ll: { lat: 41.8, lng: -71.4 },
    mended: { was: { name: "Shop Joe" }, by: ana, at: "2026-01-01T00:00:00Z" },
  };
  await decide(id, 1, { query });
  await add(id, { kind: "set", field: "address", value: "9 Hope St" });
  await work(id);
  expect((await listings(id))[0]?.query).toMatchObject({ name: "Joseph", address: "9 Hope St", mended: { by: ana } });
});

test("a row that a repair leaves without a name fails, and is back after the undo", async () => {
  const [kept] = await add(id, { kind: "set", field: "name", value: "", where: { column: "id", is: "3" } });
  await work(id);
  expect((await listings(id))[2]).toMatchObject({ status: "failed", query: null, problem: { code: "no_name" } });
  await undoRepair(deps, await load(id), ana, kept?.id ?? "");
  await work(id);
  expect((await outcomes(id))[2]).toMatchObject({ name: "Tom", status: "asked", bestId: "v-Tom" });
});

test("W164: of two people who repair at once, one is told that something is going on, and nothing is lost", async () => {
  const results = await Promise.allSettled([add(id, TRIM), add(id, CATEGORY)]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({ reason: { status: 409 } });
  expect((await load(id)).repairs).toHaveLength(1);
  const draft = await upload(CSV, { columns: COLUMNS });
  await Promise.all(Array.from({ length: 8 }, () => add(draft.id, TRIM)));
  expect((await load(draft.id)).repairs).toHaveLength(8);
});

test("F165: a worker that dies in the middle is followed by one that changes only the rows that are left", async () => {
  await decide(id, 1, { decision: "matched", venueId: "mine", ...byAna });
  await add(id, TRIM);
  const h = await load(id);
  const first = async () => ({ ...h, listingCount: 1 });
  const dying = {
    ...harmonizer,
    queue: { send: async () => Promise.reject(new Error("killed")) },
  } as unknown as Harmonizer;
  await expect(applyRepairs(dying, await first(), { signal: SIGNAL })).rejects.toThrow("killed");
  expect((await outcomes(id)).map(({ name }) => name)).toEqual(["Joe", "Shop Ann", "Tom"]);
  await decide(id, 1, { decision: "matched", venueId: "again", ...byAna });
  await work(id);
  expect(await outcomes(id)).toMatchObject([
    { name: "Joe", decision: "matched", venueId: "again" },
    { name: "Ann", bestId: "v-Ann" },
    { name: "Tom", bestId: "v-Tom" },
  ]);
  expect(await prisma.decisionStep.count({ where: { harmonizationId: id } })).toBe(1);
});

test("F172: what somebody corrects of a row while the repair has read it, and not yet written it, stays, and is repaired too", async () => {
  await add(id, { kind: "set", field: "address", value: "9 Hope St" });
  const query = { name: "Joseph", mended: { was: { name: "Shop Joe" }, by: ana, at: "2026-01-01T00:00:00Z" } };
  const holder = await database.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM app.harmonization WHERE id = $1 FOR UPDATE", [id]);
  const applied = applyRepairs(harmonizer, await load(id), { signal: SIGNAL });
  const waits = "SELECT FROM pg_locks WHERE NOT granted AND locktype IN ('transactionid', 'tuple')";
  while ((await database.pool.query(waits)).rowCount === 0) await new Promise((soon) => setTimeout(soon, 20));
  await decide(id, 1, { query: { ...query, ll: { lat: 41.8, lng: -71.4 } }, matchedAt: new Date() });
  await holder.query("COMMIT");
  holder.release();
  expect(await applied).toBe(true);
  expect((await listings(id))[0]?.query).toMatchObject({ name: "Joseph", address: "9 Hope St", mended: { by: ana } });
  expect((await listings(id)).map(({ status }) => status)).toEqual(["pending", "pending", "pending"]);
});

test("F174: a worker that was frozen at the end of a repair, and wakes while that is undone, does not end the undo", async () => {
  const [{ id: repair = "" } = {}] = await add(id, { kind: "set", field: "address", value: "7 Hope St" });
  await work(id);
  const frozen = await load(id);
  await undoRepair(deps, await load(id), ana, repair);
  await retryListings(harmonizer, frozen, { signal: SIGNAL });
  expect(await prisma.harmonization.findUnique({ where: { id } })).toMatchObject({ isRetrying: true });
});

test("F173: a worker that was frozen in a repair, and wakes while that is undone, neither writes it nor ends the undo", async () => {
  const [{ id: repair = "" } = {}] = await add(id, { kind: "set", field: "address", value: "9 Hope St" });
  const frozen = await load(id);
  await work(id);
  await undoRepair(deps, await load(id), ana, repair);
  expect(await applyRepairs(harmonizer, frozen, { signal: SIGNAL })).toBe(false);
  expect((await load(id)).repairs).toMatchObject([{ id: repair, isUnderWay: true }]);
  await work(id);
  expect((await listings(id)).map(({ query }) => (query as Query | null)?.address)).not.toContain("9 Hope St");
});

describe("the next edition", () => {
  const next = async (csv: string) => {
    const draft = await upload(csv, { columns: COLUMNS });
    await changeDraft(deps, draft, { columns: COLUMNS, previousId: id }, "start");
    await read(await load(draft.id));
    return draft.id;
  };

  test("is read with the repairs of the one before, and unchanged rows keep their decisions", async () => {
    await add(id, TRIM);
    await work(id);
    await decide(id, 1, { decision: "matched", venueId: "mine", ...byAna });
    const later = await next(`${CSV.replace("Main St", "Main Street")}\n4,Shop Zoe,41.8,-71.4,4 Main St,,`);
    expect((await outcomes(later)).map(({ name }) => name)).toEqual(["Joe", "Ann", "Tom", "Zoe"]);
    expect((await outcomes(later)).map(({ decision }) => decision)).toEqual([null, "matched", "matched", null]);
    const same = await next(CSV);
    expect((await outcomes(same))[0]).toMatchObject({ decision: "matched", venueId: "mine" });
    expect((await load(same)).repairs).toEqual((await load(id)).repairs);
  });

  test("W165: names a repair whose column it does not have, which changes nothing there", async () => {
    await add(id, TRIM);
    await work(id);
    const later = await next(CSV.replace("id,name", "id,title"));
    expect((await outcomes(later)).map(({ name }) => name)).toEqual(["Shop Joe", "Shop Ann", "Tom"]);
  });

  test("of another edition takes the repairs of that, and keeps those of the draft", async () => {
    await add(id, TRIM);
    await work(id);
    const draft = await upload(CSV, { columns: COLUMNS });
    await add(draft.id, CATEGORY);
    const choose = async (previousId: string | null) =>
      changeDraft(deps, await load(draft.id), { columns: COLUMNS, previousId }, "save");
    await choose(id);
    expect((await load(draft.id)).repairs.map(({ repair }) => repair.kind)).toEqual(["replace", "set"]);
    await choose(null);
    expect((await load(draft.id)).repairs.map(({ repair }) => repair.kind)).toEqual(["set"]);
  });
});

test("a preview says how many rows would change and shows the first five, of a draft and of a finished run", async () => {
  await decide(id, 1, { decision: "matched", venueId: "mine", ...byAna });
  const [repair] = parseRepairs([TRIM]);
  if (!repair) throw new Error("none");
  const name = (line: number, was: string, now: string) => ({
    line,
    name: was,
    changes: [{ field: "name", was, now }],
  });
  const first = [name(2, "Shop Joe", "Joe"), name(3, "Shop Ann", "Ann")];
  const found = { rows: 2, lookedAt: 3, isWhole: true, first };
  expect(await previewRepair(deps, await load(id), repair)).toEqual({ ...found, decided: 1 });
  const draft = await upload(CSV, { columns: COLUMNS });
  expect(await previewRepair(deps, draft, repair)).toEqual({ ...found, decided: 0 });
});

test("rows that look swapped are swapped by where they belong, which the next edition uses too", async () => {
  const rows = Array.from({ length: 30 }, (_, at) => `${at},Shop ${at},41.8${at + 10},-71.4${at + 10}`);
  const off = ["90,Far,-71.4,41.8", "91,Off,151.2,-33.8"];
  const csv = ["id,name,lat,lng", ...rows, ...off].join("\n");
  const { id: list } = await uploadAndRead(csv, { columns: { id: 0, name: 1, lat: 2, lng: 3 } });
  await match(list);
  const [kept] = await add(list, { kind: "swap" });
  expect(kept?.repair).toHaveProperty("around");
  await work(list);
  const [far, offEarth] = (await listings(list)).slice(-2).map(({ query }) => (query as Query | null)?.ll);
  expect([far, offEarth]).toEqual([
    { lat: 41.8, lng: -71.4 },
    { lat: -33.8, lng: 151.2 },
  ]);
  await expect(add(id, { kind: "swap" })).rejects.toMatchObject({ status: 400 });
});

test("a list has so many repairs at most, and none while something goes on", async () => {
  const many = Array.from({ length: MOST_REPAIRS }, () => CATEGORY);
  const draft = await upload(CSV, { columns: COLUMNS });
  await addRepairs(deps, draft, ana, parseRepairs(many));
  await expect(add(draft.id, TRIM)).rejects.toMatchObject({ status: 400, code: "too_many_repairs" });
  expect(() => parseRepairs([...many, TRIM])).toThrow();
  await prisma.harmonization.update({ where: { id }, data: { state: "adding" } });
  await expect(add(id, TRIM)).rejects.toMatchObject({ status: 409 });
});
