import { expect, test } from "vitest";
import { makeHarmonization } from "../../../harmonize/rows.ts";
import { manyListings, startRuns } from "../runs.ts";

const { web, fay, gus, owner } = await startRuns();
const { prisma } = web.database;
const make = (every = 1, more: object = {}) =>
  makeHarmonization(
    web.database,
    owner,
    manyListings().filter((_, at) => at % every === 0),
    { directory: web.directory.baseUrl, isShared: true, ...more },
  );
const rows = (harmonizationId: string) =>
  prisma.listing.findMany({ where: { harmonizationId }, orderBy: { number: "asc" } });
const decided = async (id: string) => (await rows(id)).filter(({ decidedBy }) => decidedBy === owner).length;

test("F57: a list that another person has changed since is not overwritten, and the page says so", async () => {
  const { id } = await make(8);
  const path = `/harmonizations/${id}/listings`;
  const mine = await fay.get(`/harmonizations/${id}`);
  const theirs = await gus.get(`/harmonizations/${id}`);
  await gus.submit(theirs, path, { which: "page", decision: "rejected" });
  const told = await fay.follow(await fay.submit(mine, path, { which: "all", decision: "matched" }));
  expect(told.body).toMatch(
    /Nothing was changed\..*decided or matched again since you opened the list: look at them again/s,
  );
  expect(await decided(id)).toBe(0);
});

test("nothing chosen, an unknown decision, a run at work and a list of another kind are refused in words", async () => {
  const { id } = await make(8);
  const path = `/harmonizations/${id}/listings`;
  const page = await fay.get(`/harmonizations/${id}`);
  const send = async (fields: Record<string, string>) =>
    fay.follow(await fay.submit(page, path, { row: "", ...fields }));
  expect((await send({ decision: "matched" })).body).toContain("Choose rows first. Nothing was changed.");
  expect(await send({ decision: "added" })).toMatchObject({
    status: 400,
    body: expect.stringContaining("“decision” must be one of"),
  });
  expect(await send({ decision: "matched", which: "all", list: "show=unwritten" })).toMatchObject({
    ...{
      status: 400,
      body: expect.stringContaining("Nothing was changed: you can change rows on only one page at a time"),
    },
  });
  await prisma.harmonization.update({ where: { id }, data: { state: "annotating" } });
  expect((await send({ decision: "matched", which: "page" })).body).toContain("This file is still being processed.");
  expect(await decided(id)).toBe(0);
});

test("people who may not see the file cannot decide its rows, and those it is shared with not all of a list at once", async () => {
  const { id } = await make(8, { isShared: false });
  const other = await make(8);
  const page = await gus.get(`/harmonizations/${other.id}`);
  const fields = { ...{ which: "page", decision: "rejected" } };
  const all = await gus.submit(page, `/harmonizations/${other.id}/listings`, { which: "all", decision: "rejected" });
  expect([all.status, await decided(other.id)], "all of a shared list").toEqual([400, 0]);
  const sent = await gus.post(`/harmonizations/${id}/listings`, {
    ...fields,
    _csrf: /name="_csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? "",
  });
  expect(sent.status).toBe(404);
  expect(await decided(id)).toBe(0);
});
