import { beforeEach, expect, test } from "vitest";
import { Prisma } from "../../../../src/db/generated/client.ts";
import { type MadeListing, makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { answers, answersError } from "../../../support/fake-directory/behaviours.ts";
import type { Page } from "../../../support/http-client.ts";
import { startRuns } from "../runs.ts";

const { web, fay, gus, owner } = await startRuns();
const { prisma } = web.database;
const broken: MadeListing = {
  name: "Broken",
  more: {
    ...{ status: "failed", query: Prisma.DbNull, problem: { code: "no_position", column: "lat", value: "north" } },
    cells: ["own-1", "Blue Dor", "north", "-71.41", "1 Main Street", "+1 401 555 0100"],
  },
};
const found = {
  ...{ id: "b1", name: "Blue Door", score: 0.91, evidence: [{ comparison: "name", weight: 2, text: "same name" }] },
  location: { lat: 41.83, lng: -71.42 },
};
let id = "";
beforeEach(async () => {
  web.directory.reset();
  const listings = [broken, { name: "Two", candidates: [makeCandidate("v1", 0.6), makeCandidate("v2", 0.5)] }];
  ({ id } = await makeHarmonization(web.database, owner, listings, {
    directory: web.directory.baseUrl,
    isShared: true,
  }));
});
const finds = (venues: object[]) =>
  web.directory.behave(
    "/v2/venues/search",
    answers(200, { meta: { code: 200 }, response: { venues, confident: false } }),
  );
const at = (path: string) => `/harmonizations/${id}${path}`;
const row = (number = 1) =>
  prisma.listing.findUniqueOrThrow({ where: { harmonizationId_number: { harmonizationId: id, number } } });
const mend = (page: Page, number: number, fields: Record<string, string>, browser = fay) =>
  browser.submit(page, at(`/listings/${number}/mend`), fields);
const asked = () =>
  web.directory.requests.filter(({ path }) => path === "/v2/venues/search").map(({ params }) => params);
const exported = async () => (await fay.get(at("/export?format=csv"))).body;

test("a failed listing is corrected on its card and asked about again alone; its cells stay, and the export names the correction", async () => {
  finds([found]);
  const card = await fay.get(at("/review/1?show=failed"));
  expect(card.body).toMatch(/<details class="review-mend" open>/);
  const sent = await mend(card, 1, { name: "Blue Door", lat: "41,83", lng: "71.42 W" });
  expect([sent.status, sent.location]).toEqual([303, web.url + at("/review/1?show=failed")]);
  const { body } = await fay.follow(sent);
  expect(body).toContain("Corrected, and the directory was asked again: 1 candidate.");
  expect(body).toContain("name corrected (“Blue Dor” in the file); position corrected (none in the file) (by Fay)");
  expect(asked()).toEqual([expect.objectContaining({ name: "Blue Door", ll: "41.83,-71.42", intent: "match" })]);
  expect(asked()[0]).not.toHaveProperty("mended");
  expect(await row()).toMatchObject({
    ...{ status: "asked", problem: null, bestId: "b1", cells: broken.more?.cells },
    query: { name: "Blue Door", ll: { lat: 41.83, lng: -71.42 }, address: "1 Main Street" },
  });
  expect((await row(2)).candidates).toHaveLength(2);
  expect(await exported()).toMatch(
    /own-1,Blue Dor,north,.*name corrected \(“Blue Dor” in the file\); position corrected \(none in the file\)/,
  );
  expect((await fay.get(at("?show=review"))).body).toContain("name corrected (“Blue Dor” in the file)");
});

test("a correction of the position keeps the name, and one back to the file's values is none", async () => {
  finds([found]);
  const moved = await mend(await fay.get(at("/review/2")), 2, { lat: "41.9", lng: "-71.5" });
  expect((await row(2)).query).toMatchObject({ name: "Two", mended: { was: { ll: { lat: 41.822, lng: -71.41 } } } });
  const card = await fay.follow(moved);
  expect(card.body).toContain("position corrected (41.822,-71.41 in the file) (by Fay)");
  await mend(card, 2, { lat: "41.822", lng: "-71.41" });
  expect((await row(2)).query).not.toHaveProperty("mended");
});

test("a listing without a name keeps the position of its file: in the form, on the map, and when the name alone is corrected", async () => {
  finds([found]);
  const cells = ["own-1", "", "41.83", "-71.42", "1 Main Street", "+1 401 555 0100"];
  const problem = { code: "no_name", column: "name" } as const;
  const nameless: MadeListing = { name: "", more: { status: "failed", query: Prisma.DbNull, problem, cells } };
  ({ id } = await makeHarmonization(web.database, owner, [nameless], { directory: web.directory.baseUrl }));
  const card = await fay.get(at("/review/1"));
  expect(card.body).toMatch(/name="lat"[^>]*value="41.83"/);
  expect(card.body).toContain("The ring marks your row");
  expect(card.body).toContain("Not searched yet");
  await mend(card, 1, { name: "Blue Door", lat: "41.83", lng: "-71.42" });
  expect((await row()).query).toMatchObject({ ll: { lat: 41.83, lng: -71.42 }, mended: { was: { name: null } } });
  expect((await row()).query).not.toHaveProperty("mended.was.ll");
});

test("a correction is taken back: the listing is asked about as in the file, or fails again as it did", async () => {
  finds([found]);
  const before = await row();
  const back = { back: "1" };
  const moved = await fay.follow(
    await mend(await fay.get(at("/review/2")), 2, { name: "Zwei", lat: "41.9", lng: "-71.5" }),
  );
  expect(moved.body).toContain("Take back the correction");
  const second = await fay.follow(await mend(moved, 2, back));
  expect(second.body).toContain("The correction was taken back, and the directory was asked again: 1 candidate.");
  expect(second.body).not.toContain("Take back the correction");
  expect((await row(2)).query).toMatchObject({ name: "Two", ll: { lat: 41.822, lng: -71.41 } });
  expect((await row(2)).query).not.toHaveProperty("mended");

  const card = await fay.follow(
    await mend(await fay.get(at("/review/1")), 1, { name: "Blue Door", lat: "41.83", lng: "-71.42" }),
  );
  const stale = card;
  const first = await fay.follow(await mend(card, 1, back));
  expect(first.body).toContain("The correction was taken back, and the row fails as in your file.");
  const { matchedAt: _, ...now } = await row();
  expect(now).toMatchObject({ query: null, status: "failed", candidates: [], bestId: null, cells: before.cells });
  expect(now.problem).toMatchObject({ code: "no_position" });
  expect((await mend(stale, 1, back)).status).toBe(409);
});

test.each([
  ["an empty name", { name: " " }, "This row has no name."],
  ["a name without letters", { name: "!!!" }, "The name must contain a letter or a digit."],
  ["a word for a latitude", { lat: "up", lng: "1" }, "“up” is not a position."],
  ["a latitude without a longitude", { lat: "41.8", lng: "" }, "“41.8” is not a position."],
  ["a latitude of 91", { lat: "91", lng: "1" }, "This position does not exist."],
  ["the position 0, 0", { lat: "0", lng: "0" }, "“0, 0” is not a position."],
])(
  "a correction with %s is refused with what was typed, and asks and changes nothing",
  async (_what, fields, message) => {
    const before = await row();
    const { status, body } = await mend(await fay.get(at("/review/1")), 1, {
      name: "Blue",
      lat: "1",
      lng: "1",
      ...fields,
    });
    expect(status).toBe(400);
    expect(body).toContain(message);
    for (const value of Object.values({ name: "Blue", ...fields }))
      if (value.trim()) expect(body).toContain(`value="${value.trim()}"`);
    expect(asked()).toEqual([]);
    expect(await row()).toEqual({ ...before, lockedUntil: expect.any(Date), lockedBy: owner });
  },
);

test("while the directory does not answer, a correction changes nothing and keeps what was typed", async () => {
  web.directory.behave("/v2/venues/search", answersError(503, "server_error"));
  const { status, body } = await mend(await fay.get(at("/review/1")), 1, {
    name: "Blue Door",
    lat: "41.83",
    lng: "-71.42",
  });
  expect(status).toBe(503);
  expect(body).toContain('value="41.83"');
  expect(await row()).toMatchObject({ status: "failed", query: null });
});

test("F31: a correction of a listing that somebody else has decided or corrected since the page was opened changes nothing", async () => {
  finds([found]);
  const unlock = () =>
    prisma.listing.updateMany({ where: { harmonizationId: id }, data: { lockedBy: null, lockedUntil: null } });
  const cards = [await fay.get(at("/review/1")), await fay.get(at("/review/2"))] as const;
  await unlock();
  await mend(await gus.get(at("/review/1")), 1, { name: "By Gus", lat: "1", lng: "1" }, gus);
  await gus.submit(await gus.get(at("/review/2")), at("/listings/2"), { decision: "matched", venueId: "v1" });
  await unlock();
  for (const [index, card] of cards.entries()) {
    const { status, body } = await mend(card, index + 1, { name: "By Fay", lat: "2", lng: "2" });
    expect([status, body.includes("has changed since you opened it")]).toEqual([409, true]);
  }
  expect(await row(1)).toMatchObject({ query: { name: "By Gus" } });
  expect(await row(2)).toMatchObject({ decision: "matched", venueId: "v1", query: { name: "Two" } });
});

test("a line that cannot be read, and a decided listing, offer no correction", async () => {
  const why = { code: "too_many_cells", cells: 7, columns: 6, value: "x" } as const;
  await prisma.listing.updateMany({ where: { harmonizationId: id, number: 1 }, data: { problem: why } });
  await prisma.listing.updateMany({ where: { harmonizationId: id, number: 2 }, data: { decision: "rejected" } });
  for (const number of [1, 2]) expect((await fay.get(at(`/review/${number}`))).body).not.toContain("review-mend");
});
