import { expect, test } from "vitest";
import { countUnguessed } from "../../../../src/harmonize/add/choose-category.ts";
import { makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { answers, usual } from "../../../support/fake-directory/behaviours.ts";
import { formFields } from "../../../support/http-client.ts";
import { startRuns } from "../runs.ts";

const { web, fay, gus, owner } = await startRuns();
const { prisma } = web.database;
const LONG = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogochxy";
const NAMES = ["Corner Café", "Blue Door", `${LONG} Café`, "Red Door"];
const make = (more: object = {}) => {
  const listings = NAMES.map((name) => ({ name, candidates: [makeCandidate("far", 0.05)] }));
  const decided = { name: "Taken", more: { decision: "matched" as const, venueId: "v" } };
  return makeHarmonization(web.database, owner, [...listings, decided], { directory: web.directory.baseUrl, ...more });
};
const categories = async (harmonizationId: string) =>
  (await prisma.listing.findMany({ where: { harmonizationId }, orderBy: { number: "asc" } })).map(
    (row) => row.categoryId,
  );

test("a category is chosen for the rows of one page at most, in words that say so", async () => {
  const many = Array.from({ length: 60 }, (_, at) => ({
    name: `Door ${at}`,
    candidates: [makeCandidate("far", 0.05)],
  }));
  const { id } = await makeHarmonization(web.database, owner, many, { directory: web.directory.baseUrl });
  const page = await fay.get(`/harmonizations/${id}?show=none`);
  expect(page.body).toContain("all 60 rows these filters show");
  const fields = formFields(page, `/harmonizations/${id}/listings`);
  const told = await fay.post(`/harmonizations/${id}/categories`, { ...fields, which: "all", guess: "1" });
  expect(told.status).toBe(303);
  expect((await fay.follow(told)).body).toContain(
    "Nothing was changed: you can change rows on only one page at a time",
  );
});

test("W35: the results let the owner choose categories for listings without a match, except while the directory is away", async () => {
  const { web, fay, gus, owner } = await startRuns();
  const { id } = await makeHarmonization(web.database, owner, [{ name: "Corner Café" }], {
    ...{ directory: web.directory.baseUrl, isShared: true },
  });
  const offers = async (member: typeof fay, query: string) => {
    const { status, body } = await member.get(`/harmonizations/${id}${query}`);
    return [status, body.includes('name="rowCategory"')];
  };
  web.directory.behave("/v2/venues/categories", answers(500, "{}"));
  expect(await offers(fay, "?show=none")).toEqual([200, false]);
  web.directory.behave("/v2/venues/categories", usual);
  expect(await offers(fay, "?show=none")).toEqual([200, true]);
  expect(await offers(fay, "")).toEqual([200, false]);
  expect(await offers(gus, "?show=none")).toEqual([200, false]);
});

test("a category is refused in words if none or an unknown one was chosen, for no rows, and for people who do not own the file", async () => {
  const { id } = await make({ isShared: true });
  const action = `/harmonizations/${id}/categories`;
  const page = await fay.get(`/harmonizations/${id}/add`);
  const send = async (fields: Record<string, string>) =>
    (await fay.follow(await fay.submit(page, action, fields))).body;
  expect(await send({ which: "page", rowCategory: "gone" })).toContain("Choose a category for the chosen rows.");
  expect(await send({ row: "", rowCategory: "gone" })).toContain("Choose rows first. Nothing was changed.");
  const { body } = await gus.get("/harmonizations");
  const _csrf = /name="_csrf" value="([^"]+)"/.exec(body)?.[1] ?? "";
  expect((await gus.post(action, { _csrf, which: "page", page: "1.0", guess: "1" })).status).toBe(404);
  expect(await categories(id)).toEqual([null, null, null, null, null]);
});

test("Add all asks for a category only if some listing has none, and says how many", async () => {
  const { id } = await make();
  const path = `/harmonizations/${id}/add`;
  const some = await fay.get(path);
  expect(some.body).toContain("Category for the 2 rows we couldn’t guess");
  const refused = await fay.submit(some, path);
  expect([
    refused.status,
    refused.body.includes("Choose a category for the rows without one, or leave them out."),
  ]).toEqual([400, true]);
  const { rows } = await web.database.pool.query<{ id: string }>(
    "SELECT category_id AS id FROM app.listing WHERE category_id IS NOT NULL LIMIT 1",
  );
  const known = rows[0]?.id ?? "fa4e000000000000000000c1";
  await prisma.listing.updateMany({
    where: { harmonizationId: id, cells: { hasSome: ["Blue Door", "Red Door"] } },
    data: { categoryId: known },
  });
  const all = await fay.get(path);
  expect(all.body).not.toContain('name="categoryId"');
  expect(all.body).toContain("shows the category of each row");
  expect((await fay.submit(all, path, { categoryId: "gone" })).status).toBe(400);
  expect((await fay.submit(all, path)).status).toBe(303);
  const { state, task } = await prisma.harmonization.findUniqueOrThrow({ where: { id } });
  expect([state, task]).toEqual(["adding", expect.not.objectContaining({ categoryId: expect.anything() })]);
});

test("F70: Add all leaves out the listings without a category if asked to, and the results count and list them", async () => {
  const { id } = await make();
  const path = `/harmonizations/${id}/add`;
  const sent = await fay.submit(await fay.get(path), path, { leaveOut: "1", categoryId: "fa4e000000000000000000c1" });
  expect(sent.status).toBe(303);
  const { state, task } = await prisma.harmonization.findUniqueOrThrow({ where: { id } });
  expect([state, task]).toEqual(["adding", expect.not.objectContaining({ categoryId: expect.anything() })]);
  const report = { added: 2, matched: 0, review: 0, heldBack: 0, left: 2, failed: 0 };
  await prisma.harmonization.update({
    where: { id },
    data: { state: "ready", task: { kind: "add", accountId: owner, since: "", report } },
  });
  const doors = { harmonizationId: id, cells: { hasSome: ["Blue Door", "Red Door"] } };
  await prisma.listing.updateMany({ where: doors, data: { problem: { code: "no_category" } } });
  const { body } = await fay.get(`/harmonizations/${id}`);
  const href = `/harmonizations/${id}?show=none&amp;problem=no_category`;
  expect(body).toContain(
    `2 venues added; 2 not added, because they have no category. <a href="${web.url}${href}">Show rows without a category</a>`,
  );
  const shown = async () =>
    [...(await fay.get(href.replace("&amp;", "&"))).body.matchAll(/review\/\d+">([^<]* (?:Door|Café))</g)].map(
      ([, name]) => name,
    );
  expect(await shown()).toEqual(["Blue Door", "Red Door"]);
  const row = { which: "chosen", row: "2.0", rowCategory: "fa4e000000000000000000c1" };
  expect((await fay.submit(await fay.get(path), `/harmonizations/${id}/categories`, row)).status).toBe(303);
  expect(await shown()).toEqual(["Red Door"]);
});

test("Add all asks for a category of a file that is too large to see at once, as before", async () => {
  const h = await make();
  const none = () => undefined;
  expect(await countUnguessed(web.database, h, none)).toBe(4);
  expect(await countUnguessed(web.database, h, none, { patienceMs: -1 })).toBeUndefined();
});
