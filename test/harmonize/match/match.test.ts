import { beforeEach, expect, test } from "vitest";
import { Prisma } from "../../../src/db/generated/client.ts";
import { DirectoryError, type DirectoryErrorKind } from "../../../src/directory-client/calls/errors.ts";
import { matchPending } from "../../../src/harmonize/match/match-listings.ts";
import { retryListings } from "../../../src/harmonize/match/retry-listings.ts";
import { toQuery } from "../../../src/harmonize/query/to-query.ts";
import { loadHarmonization, retryFailed } from "../../../src/harmonize/run/harmonizations.ts";
import { claimPortion, cutPortions, writeListings } from "../../../src/harmonize/run/portions.ts";
import type { Query } from "../../../src/harmonize/run/rows.ts";
import { superviseOnce } from "../../../src/harmonize/supervise.ts";
import { foundBy, startHarmonizer } from "../harmonizer.ts";

const { deps, state, asked, begin, listings, row, tries } = await startHarmonizer();

beforeEach(() => {
  asked.length = 0;
  state.answer = (query) => ({ found: foundBy(query) });
  state.answersCategories = async () => true;
});

const failing = (kind: DirectoryErrorKind, retryAfter = 30) => ({
  error: new DirectoryError(kind, undefined, { retryAfter }),
});

async function match(id: string, signal = new AbortController().signal) {
  const h = await loadHarmonization(deps, id);
  for (const { number: portion } of await deps.prisma.portion.findMany({ where: { harmonizationId: id } }))
    if (h) await matchPending(deps, h, { portion, signal });
}

/** Returns a text such as "3 asked, 1 failed". */
async function summary(id: string): Promise<string> {
  const counts = Map.groupBy(await listings(id), ({ status }) => status);
  return [...counts]
    .map(([status, { length }]) => `${length} ${status}`)
    .sort()
    .join(", ");
}

const secondsUntil = (time: Date | null) => ((time?.getTime() ?? 0) - Date.now()) / 1000;

test("matching stores candidates, score and pattern of each listing", async () => {
  const { id } = await begin(3);
  await match(id);
  expect(await summary(id)).toBe("3 asked");
  const [first] = await listings(id);
  expect(first).toMatchObject({ bestId: "v-Place 1", isClear: true, problem: null });
  expect(first?.score).toBeCloseTo(0.97);
  expect(first?.candidates).toMatchObject([{ id: "v-Place 1", name: "Place 1", lat: 41, lng: -71, score: 0.97 }]);
  expect(first?.matchedAt).not.toBeNull();
});

test("a position by the address is stored with the query, and not sent when the listing is matched again", async () => {
  const { id } = await begin(1);
  const position = { lat: 41.5, lng: -71.25, estimated: true };
  const queries: object[] = [];
  state.answer = (query) => {
    queries.push(query);
    return { found: { ...foundBy(query), position } };
  };
  await match(id);
  const [listing] = await listings(id);
  expect(listing?.query).toMatchObject({ name: "Place 1", byAddress: position });
  await deps.prisma.listing.updateMany({ where: { harmonizationId: id }, data: { status: "pending" } });
  await cutPortions(deps.pool, id);
  await match(id);
  expect(queries).toEqual([queries[0], queries[0]]);
});

test("a directory's response is stored whatever characters and numbers it contains", async () => {
  const { id } = await begin(1);
  const venue = { id: "v", name: "a\0b\ud800", location: { lat: 1, lng: 2, city: "x".repeat(9000) }, score: 1e-300 };
  state.answer = () => ({ found: { venues: [venue] as never, confident: true, geocode: undefined } });
  await match(id);
  const [listing] = await listings(id);
  expect(listing).toMatchObject({ status: "asked", score: 0, bestId: "v" });
  expect(listing?.candidates).toMatchObject([{ name: "ab\ufffd", city: "x".repeat(300) }]);
});

test("a listing that the directory rejects fails with the directory's message and is not retried", async () => {
  const { id } = await begin(2);
  state.answer = ({ name }) =>
    name === "Place 1" ? { error: new DirectoryError("rejected", "No such town.") } : { found: foundBy({ name }) };
  await match(id);
  expect((await listings(id))[0]).toMatchObject({
    ...{ status: "failed", problem: { code: "rejected", said: "No such town." } },
  });
  expect(asked).toHaveLength(2);
});

test("F07: matching waits ever longer for a directory that does not respond, and pauses after ten minutes", async () => {
  const { id } = await begin(60);
  state.answer = () => failing("unreachable");
  await match(id);
  expect(await summary(id)).toBe("60 pending");
  expect(asked).toHaveLength(60);
  expect(await tries(id)).toEqual([0]);
  expect(secondsUntil((await row(id)).retryAt)).toBeGreaterThan(1);

  await match(id);
  expect(asked, "it waits").toHaveLength(60);
  const silentFor = (seconds: number) =>
    deps.prisma.harmonization.update({
      where: { id },
      data: { retryAt: null, task: { silentSince: new Date(Date.now() - seconds * 1000).toISOString() } },
    });
  await silentFor(20);
  await match(id);
  expect(secondsUntil((await row(id)).retryAt)).toBeGreaterThan(15);
  expect((await row(id)).pausedFor).toBeNull();
  await silentFor(601);
  await match(id);
  expect((await row(id)).pausedFor).toBe("directory");
});

test("the first response ends a directory's silence", async () => {
  const { id } = await begin(2);
  await deps.prisma.harmonization.update({ where: { id }, data: { task: { silentSince: "2026-01-01T00:00:00Z" } } });
  await match(id);
  expect((await row(id)).task).toBeNull();
});

test("a few listings without a response lead to a check whether the directory is down", async () => {
  const { id } = await begin(2);
  state.answer = () => failing("invalid_answer");
  state.answersCategories = async () => false;
  await match(id);
  expect(await summary(id)).toBe("2 pending");
});

test("F08: a rate limit holds up all runs of that owner and no others", async () => {
  const { id, accountId } = await begin(4, { owned: true });
  const sibling = await begin(1);
  await deps.prisma.harmonization.update({ where: { id: sibling.id }, data: { accountId } });
  const other = await begin(1, { owned: true });
  state.answer = ({ name }) => (name === "Place 1" ? { found: foundBy({ name }) } : failing("rate_limited", 90));
  await match(id);
  expect(await summary(id)).toBe("1 asked, 3 pending");
  expect(await tries(id)).toEqual([0]);
  for (const one of [id, sibling.id]) expect(secondsUntil((await row(one)).retryAt)).toBeGreaterThan(80);
  const before = asked.length;
  await match(id);
  await match(sibling.id);
  expect(asked).toHaveLength(before);

  state.answer = (query) => ({ found: foundBy(query) });
  await match(other.id);
  expect(await summary(other.id)).toBe("1 asked");
});

test("F10: a rejected token pauses the run, and a new log-in resumes it where it stopped", async () => {
  const { id, accountId } = await begin(3, { owned: true });
  state.answer = ({ name }) => (name === "Place 1" ? { found: foundBy({ name }) } : failing("refused_token"));
  await match(id);
  expect(await summary(id)).toBe("1 asked, 2 pending");
  expect((await row(id)).pausedFor).toBe("connection");
  expect(state.tokens.has(accountId ?? ""), "the token is known to be refused").toBe(false);
  await superviseOnce(deps);
  expect((await row(id)).pausedFor).toBe("connection");

  state.tokens.set(accountId ?? "", "a new token");
  state.answer = (query) => ({ found: foundBy(query) });
  asked.length = 0;
  await superviseOnce(deps);
  await match(id);
  expect(await summary(id)).toBe("3 asked");
  expect(asked.map(({ name }) => name)).toEqual(["Place 2", "Place 3"]);
});

test("A26: listings are matched with their owner's token, and as the application in runs without an owner", async () => {
  const runs = [await begin(2, { owned: true }), await begin(2, { owned: true }), await begin(2)];
  await Promise.all(runs.map(({ id }) => match(id)));
  const whose = runs.map(({ accountId }) => accountId && { token: `token of ${accountId}` });
  const who = asked.map(({ auth }) => auth);
  for (const auth of [whose[0], whose[1], { clientId: "us", clientSecret: "secret" }])
    expect(who.filter((each) => JSON.stringify(each) === JSON.stringify(auth))).toHaveLength(2);
});

test("W10: rejected client credentials pause the application's runs without failing a listing", async () => {
  const { id } = await begin(2);
  state.answer = () => failing("refused_client");
  await match(id);
  expect((await row(id)).pausedFor).toBe("directory");
  expect(await summary(id)).toBe("2 pending");
});

test("F05: a delayed worker overwrites nothing that another has claimed", async () => {
  const { id } = await begin(1);
  const late = await claimPortion(deps.pool, id, 0);
  await claimPortion(deps.pool, id, 0);
  if (late) await writeListings(deps.pool, id, late, [{ number: 1, status: "asked", bestId: "late" }]);
  expect(await summary(id)).toBe("1 pending");
  await match(id);
  expect((await listings(id))[0]?.bestId).toBe("v-Place 1");
});

test("F175: a worker that was frozen in a match overwrites nothing of a later one", async () => {
  const { id } = await begin(1);
  const frozen = await claimPortion(deps.pool, id, 0);
  state.answer = () => failing("rejected");
  await match(id);
  await deps.prisma.harmonization.update({ where: { id }, data: { isRetrying: true } });
  const h = await loadHarmonization(deps, id);
  if (h) await retryListings(deps, h, { signal: new AbortController().signal });
  const [again] = await deps.prisma.portion.findMany({ where: { harmonizationId: id } });
  await claimPortion(deps.pool, id, again?.number ?? 0);
  if (frozen) await writeListings(deps.pool, id, frozen, [{ number: 1, status: "asked", bestId: "frozen" }]);
  expect(await summary(id)).toBe("1 pending");
});

test("F24: listings on which a worker died are retried in small groups, then alone, then set aside", async () => {
  const { id } = await begin(60);
  const sizes: number[] = [];
  let size = 0;
  state.answer = (query) => {
    size += 1;
    if (query.name === "Place 30") throw new Error("as if the process had ended");
    return { found: foundBy(query) };
  };
  for (let runs = 0; runs < 4; runs++) {
    size = 0;
    await match(id).catch(() => sizes.push(size));
  }
  expect(await summary(id)).toBe("1 failed, 59 asked");
  expect((await listings(id))[29]?.problem).toMatchObject({ code: "ended_worker" });
  expect(sizes, "three times it was ended").toHaveLength(3);
});

test("F16: a worker that is stopped gives back its claims", async () => {
  const { id } = await begin(2);
  const stopping = new AbortController();
  state.answer = ({ name }) => {
    if (name === "Place 1") return { found: foundBy({ name }) };
    stopping.abort();
    return failing("unreachable");
  };
  await expect(match(id, stopping.signal)).rejects.toThrow(/abort/i);
  expect([await summary(id), await tries(id)]).toEqual(["2 pending", [0]]);
});

test("W88: a row whose town the directory does not know is asked about where the rows of this town are that have positions", async () => {
  const { id } = await begin(40);
  const at = (number: number) => ({ harmonizationId_number: { harmonizationId: id, number } });
  const query = (number: number, more: object) =>
    deps.prisma.listing.update({ where: at(number), data: { query: { name: `Place ${number}`, ...more } } });
  for (let number = 1; number <= 10; number++)
    await query(number, { ll: { lat: 44 + number / 1000, lng: -69 }, city: "Orrin", state: "ME" });
  for (let number = 11; number <= 20; number++) await query(number, { near: "Orrin, ME", city: "orrin", state: "ME" });
  for (let number = 21; number <= 22; number++) await query(number, { near: "Orrin, OH", city: "Orrin", state: "OH" });
  for (const [number, lat] of [
    [23, 10],
    [24, 50],
  ] as const)
    await query(number, { ll: { lat, lng: 9 }, city: "Twice" });
  await query(25, { near: "Twice", city: "Twice" });
  await query(26, { near: "02860" });
  const queries: Query[] = [];
  state.answer = (each) => {
    queries.push(each);
    const unknown = new DirectoryError("rejected", "unknown place", { errorType: "failed_geocode" });
    if (!each.ll) return { error: unknown };
    const evidence = ["name", "distance"].map((comparison) => ({ comparison, weight: 1, text: comparison }));
    const { venues, ...found } = foundBy(each);
    return { found: { ...found, venues: venues.map((venue) => ({ ...venue, evidence })) } };
  };
  await match(id);
  const rows = await listings(id);
  const failed = rows.filter(({ status }) => status === "failed").map(({ number }) => number);
  expect(failed, "of a town without such rows, or of two towns").toEqual([21, 22, 25, 26]);
  expect(rows.find(({ number }) => number === 26)?.problem, "W91").toMatchObject({ code: "rejected", near: "02860" });
  const again = queries.filter(({ city }) => city === "orrin");
  expect(again.filter(({ ll }) => ll).map(({ ll, near }) => [ll, near])).toEqual(
    Array(10).fill([{ lat: expect.closeTo(44.0055), lng: -69 }, undefined]),
  );
  const inOrrin = rows.slice(10, 20);
  expect(inOrrin.map(({ isClear, bestId }) => [isClear, bestId])).toEqual(
    inOrrin.map(({ number }) => [false, `v-Place ${number}`]),
  );
  expect(new Set(inOrrin.map(({ pattern }) => pattern)), "nor is the distance").toEqual(new Set(["name+"]));
  expect(
    inOrrin.every(({ query }) => !("ll" in (query as object))),
    "the position is not theirs",
  ).toBe(true);
});

test("W90: rows that name no place, or none that the directory knows, are asked about in the town that their owner has said, and no others", async () => {
  const { id } = await begin(6);
  const set = (number: number, data: object) =>
    deps.prisma.listing.update({ where: { harmonizationId_number: { harmonizationId: id, number } }, data });
  const failed = { status: "failed", query: Prisma.DbNull } as const;
  await set(1, { ...failed, problem: { code: "no_place" } });
  await set(2, { query: { name: "Place 2", near: "Nowhere" } });
  await set(3, { ...failed, problem: { code: "position_out_of_range" } });
  await set(4, { ...failed, problem: { code: "no_place" }, decision: "rejected" });
  const queries: Query[] = [];
  state.answer = (each) => {
    queries.push(each);
    const isKnown = each.ll !== undefined || each.near === "Orrin, ME";
    if (each.name === "Place 5") return { error: new DirectoryError("rejected", "unreadable phone") };
    return isKnown
      ? { found: foundBy(each) }
      : { error: new DirectoryError("rejected", "?", { errorType: "failed_geocode" }) };
  };
  await match(id);
  const before = await deps.prisma.listing.findMany({ where: { harmonizationId: id }, select: { print: true } });
  expect(await summary(id)).toBe("1 asked, 5 failed");
  await deps.prisma.harmonization.update({ where: { id }, data: { state: "ready" } });
  expect(await retryFailed(deps, id, "Orrin, ME")).toBe(true);
  // Not as long as the runs of other tests wait.
  await deps.prisma.harmonization.update({ where: { id }, data: { retryAt: null } });
  queries.length = 0;
  const h = await loadHarmonization(deps, id);
  if (h) await retryListings(deps, h, { signal: new AbortController().signal });
  await match(id);
  const rows = await listings(id);
  expect(rows.map(({ status }) => status)).toEqual(["asked", "asked", "failed", "failed", "failed", "asked"]);
  expect(queries.map(({ name, near }) => [name, near]).sort()).toEqual([
    ["Place 1", "Orrin, ME"],
    ["Place 2", "Nowhere"],
    ["Place 2", "Orrin, ME"],
    ["Place 5", undefined],
  ]);
  expect(
    rows.map(({ print }) => print),
    "so the next edition knows them again",
  ).toEqual(before.map(({ print }) => print));
  const header = ["name", "street"];
  const read = (elsewhere?: string) =>
    toQuery(["Kiosk", "12 Main Street"], header, { name: 0, address: 1 }, undefined, elsewhere);
  expect(read("Orrin, ME").query).toEqual({ name: "Kiosk", address: "12 Main Street", near: "Orrin, ME" });
  expect(read("Orrin, ME").print).toEqual(read().print);
});
