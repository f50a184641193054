import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { addListings, startAdding } from "../../../src/harmonize/add/add-listings.ts";
import { startUndoing, undoListings } from "../../../src/harmonize/add/undo-listings.ts";
import { noteUndone } from "../../../src/harmonize/add/undo-rows.ts";
import { exportText } from "../../../src/harmonize/export/export.ts";
import { progressOf } from "../../../src/harmonize/results/progress.ts";
import {
  type Harmonization,
  loadHarmonization,
  pauseHarmonization,
  resumeHarmonization,
} from "../../../src/harmonize/run/harmonizations.ts";
import type { AddTask } from "../../../src/harmonize/run/long-task.ts";
import { withPoints } from "../points.ts";
import { makeCandidate, makeHarmonization } from "../rows.ts";
import { ourDirectory } from "./our-directory.ts";

const { site, deps, accountId, person, category } = await ourDirectory();
const { prisma } = site.database;
const { signal } = new AbortController();
const FORMAT = { encoding: "utf-8", separator: ",", hasHeader: true };

const word = (number: number) =>
  [...String(number)].map((digit) => "bo ka lu mi ne po ra si tu ve".split(" ")[Number(digit)]).join("");

/** Starts a run with listings far from each other and from all venues, and adds them all. */
async function added(count: number, town: string, more: object = {}): Promise<Harmonization> {
  const listings = Array.from({ length: count }, (_, at) => {
    const name = `${town} ${word(at + 100)}`;
    return { name, more: { query: { name, ll: { lat: 10 + at / 50, lng: 30 } }, ...more } };
  });
  const h = await makeHarmonization(site.database, accountId, listings, { directory: site.apiUrl, format: FORMAT });
  await startAdding(deps, h, person, { categoryId: category.id });
  await addAll(h);
  return h;
}

/** As a worker does: in turns, and later if the directory asks for a pause. */
async function addAll(h: Harmonization): Promise<void> {
  const isOver = async () => ((await taskOf(h.id)) as unknown as AddTask).report !== undefined;
  while (!(await isOver())) {
    await addListings(deps, h, { signal });
    await prisma.harmonization.update({ where: { id: h.id }, data: { retryAt: null } });
  }
}

const listings = (id: string) =>
  prisma.listing.findMany({ where: { harmonizationId: id }, orderBy: { number: "asc" } });
const venuesOf = (town: string) => prisma.venue.count({ where: { name: { startsWith: town } } });
const taskOf = async (id: string) => (await prisma.harmonization.findUniqueOrThrow({ where: { id } })).task;
const now = async ({ id }: Harmonization) => (await loadHarmonization(deps, id)) as Harmonization;

async function exported(h: Harmonization): Promise<Record<string, string>[]> {
  let text = "";
  for await (const piece of exportText(deps, await now(h), { format: "csv", hasCandidates: false })) text += piece;
  return parse(text, { columns: true, bom: true });
}

test("F43: many added listings are undone though the worker is killed twice: gone from search, the export says so", async () => {
  const h = await added(101, "Qwyxelblatt");
  expect(await venuesOf("Qwyxelblatt")).toBe(101);
  expect((await progressOf(deps, await now(h))).undoable).toBe(101);
  await startUndoing(deps, h, person);
  const points: string[] = [];
  const killed = withPoints(deps, (name) => {
    points.push(name);
    if (["undo: answered", "undo: committed"].includes(name) && points.length % 2 === 1) throw new Error("killed");
  });
  for (let round = 0; round < 2; round++) await expect(undoListings(killed, h, { signal })).rejects.toThrow("killed");
  const between = await progressOf(deps, await now(h));
  expect([between.total, between.done]).toEqual([101, 100]);
  expect(await venuesOf("Qwyxelblatt")).toBe(1);
  await undoListings(deps, h, { signal });
  expect(await taskOf(h.id)).toMatchObject({ report: { undone: 101, failed: 0 } });
  expect(await venuesOf("Qwyxelblatt")).toBe(0);
  const auth = await deps.authFor(accountId);
  if (!auth) throw new Error("not connected");
  const [first] = await listings(h.id);
  const query = { name: `Qwyxelblatt ${word(100)}`, ll: { lat: 10, lng: 30 } };
  expect((await deps.directory.matchVenues(auth, query, { minScore: 0 })).venues).toEqual([]);
  expect(first).toMatchObject({ decision: null, venueId: null, why: { code: "add_undone" } });
  const rows = await exported(h);
  expect(
    new Set(rows.map(({ decision, venue_id, reason }) => [decision, venue_id, reason?.split("; ")[0]].join())),
  ).toEqual(new Set(["none,,the addition was undone"]));
});

test("F43: listings whose adds were undone get new venues when they are added again", async () => {
  const h = await added(2, "Zwumpfenau");
  const former = (await listings(h.id)).map(({ venueId }) => venueId);
  await startUndoing(deps, h, person);
  await undoListings(deps, h, { signal });
  expect(await venuesOf("Zwumpfenau")).toBe(0);
  await startAdding(deps, h, person, { categoryId: category.id });
  await addAll(h);
  expect(await venuesOf("Zwumpfenau")).toBe(2);
  expect((await listings(h.id)).filter(({ venueId }) => former.includes(venueId))).toEqual([]);
});

test("a venue that others use stays, and the row, the page and the export say why", async () => {
  const h = await added(3, "Vunkelhof");
  const [, visited] = await listings(h.id);
  await prisma.venue.update({ where: { id: visited?.venueId ?? "" }, data: { checkinsCount: 1 } });
  await startUndoing(deps, h, person);
  await undoListings(deps, h, { signal });
  expect(await taskOf(h.id)).toMatchObject({ report: { undone: 2, failed: 1 } });
  const [, kept] = await listings(h.id);
  expect(kept).toMatchObject({
    ...{ decision: "added", venueId: visited?.venueId },
    problem: { code: "not_undone", said: "Somebody has checked in at this venue." },
  });
  expect((await exported(h)).map(({ decision }) => decision)).toEqual(["none", "added", "none"]);
  expect((await exported(h))[1]?.reason).toContain("could not be undone: Somebody has checked in at this venue.");
});

test("a row that repeats an added one is undecided again with it, without the venue among its candidates", async () => {
  const ll = { lat: 10, lng: 40 };
  const same = { name: "Ombrelsting Quay", more: { query: { name: "Ombrelsting Quay", ll } } };
  const h = await makeHarmonization(site.database, accountId, [same, same], { directory: site.apiUrl });
  await startAdding(deps, h, person, { categoryId: category.id });
  await addListings(deps, h, { signal });
  expect((await listings(h.id)).map(({ decision }) => decision)).toEqual(["added", "matched"]);
  await startUndoing(deps, h, person);
  await undoListings(deps, h, { signal });
  const after = await listings(h.id);
  expect(after.map(({ decision, venueId, bestId, candidates }) => [decision, venueId, bestId, candidates])).toEqual([
    [null, null, null, []],
    [null, null, null, []],
  ]);
  expect((await progressOf(deps, await now(h))).counts).toMatchObject({ none: 2, matched: 0 });
});

test("a row in review loses the venue that is deleted, and keeps its other candidates", async () => {
  const h = await added(2, "Trundlewick");
  const [first] = await listings(h.id);
  const venue = first?.venueId ?? "";
  const undecided = {
    decision: null,
    venueId: null,
    venueName: null,
    decidedHow: null,
    decidedBy: null,
    decidedAt: null,
  };
  const candidates = [makeCandidate(venue, 0.6), makeCandidate("v2", 0.5)] as object[];
  await prisma.listing.updateMany({
    where: { harmonizationId: h.id, number: 2 },
    data: { ...undecided, status: "asked", bestId: venue, score: 0.6, isClear: false, candidates },
  });
  await startUndoing(deps, h, person);
  await undoListings(deps, h, { signal });
  const [, reviewed] = await listings(h.id);
  expect([reviewed?.decision, reviewed?.bestId, reviewed?.candidates]).toEqual([null, "v2", candidates.slice(1)]);
});

test("what the score would match again had been rejected before the add, and is rejected after it is undone", async () => {
  const candidates = [makeCandidate("v1", 0.99)];
  const rejected = {
    candidates: candidates as object[],
    score: 0.99,
    bestId: "v1",
    isClear: true,
    decision: "rejected",
  };
  const h = await added(1, "Zzyvanterra", rejected);
  await startUndoing(deps, h, person);
  await undoListings(deps, h, { signal });
  expect((await listings(h.id))[0]).toMatchObject({ decision: "rejected", bestId: "v1", why: { code: "add_undone" } });
});

test("undoing can be paused and resumed, and leaves alone what was added more than a day ago", async () => {
  const h = await added(3, "Hrumblegate");
  const long = new Date(Date.now() - 25 * 3600_000);
  await prisma.listing.updateMany({ where: { harmonizationId: h.id, number: 1 }, data: { decidedAt: long } });
  await startUndoing(deps, h, person);
  expect(await pauseHarmonization(deps, h.id)).toBe(true);
  await undoListings(deps, h, { signal });
  expect(await venuesOf("Hrumblegate")).toBe(3);
  await resumeHarmonization(deps, h.id);
  await undoListings(deps, h, { signal });
  expect(await venuesOf("Hrumblegate")).toBe(1);
  expect((await listings(h.id)).map(({ decision }) => decision)).toEqual(["added", null, null]);
});

test("at a directory that deletes no venues nothing is undone, and the task says so", async () => {
  const h = await added(1, "Prennick");
  const other = { ...deps, directory: { ...deps.directory, deletesVenues: async () => false } };
  await startUndoing(other, h, person);
  await undoListings(other, h, { signal });
  expect(await taskOf(h.id)).toMatchObject({ problem: { code: "no_undo" } });
  expect([await venuesOf("Prennick"), (await now(h)).state]).toEqual([1, "ready"]);
});

test("'none of these' that a listing had before it was added is its decision again, whatever its score", async () => {
  const rejected = { decision: "rejected", candidates: [makeCandidate("v1", 0.4)], bestId: "v1", score: 0.4 };
  const h = await added(1, "Ollimbrast", rejected);
  expect((await listings(h.id))[0]).toMatchObject({ decision: "added", why: { wasRejected: true } });
  await startUndoing(deps, h, person);
  await undoListings(deps, h, { signal });
  expect((await listings(h.id))[0]).toMatchObject({ decision: "rejected", venueId: null, why: { code: "add_undone" } });
});

test.each([1, 2, 3, 100])(
  "an undo writes %d rows at a time, and its added listing last, so that an interruption leaves nothing behind",
  async (portion) => {
    const [venueId, of] = [
      "v",
      (decision: "added" | "matched") => ({ decision, venueId: "v", decidedHow: "many" as const }),
    ];
    const best = { candidates: [makeCandidate("v", 0.6), makeCandidate("w", 0.5)] };
    const made = [
      { name: "A", more: of("added") },
      ...["B", "C", "D"].map((name) => ({ name, more: of("matched") })),
      ...["E", "F"].map((name) => ({ name, ...best })),
    ];
    const h = await makeHarmonization(site.database, accountId, made, { directory: site.apiUrl, format: FORMAT });
    const undone = [{ number: 1, venueId }];
    let calls = 0;
    const dying = {
      query: (query: never) => (calls++ < 1 ? deps.pool.query(query) : Promise.reject(new Error("ended"))),
    };
    await noteUndone({ pool: dying as never }, h.id, accountId, undone, portion).catch(() => {});
    const left = (await listings(h.id)).filter((each) => each.venueId === "v" || each.bestId === "v");
    expect(left).toHaveLength(Math.max(0, made.length - portion));
    if (left.length > 0) expect(left.some(({ decision }) => decision === "added")).toBe(true);
    await noteUndone(deps, h.id, accountId, undone, portion);
    expect((await listings(h.id)).map(({ decision, venueId: has, bestId }) => [decision, has, bestId])).toEqual([
      ...Array(4).fill([null, null, null]),
      ...Array(2).fill([null, null, "w"]),
    ]);
  },
);
