import { expect, test } from "vitest";
import { makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { formFields } from "../../../support/http-client.ts";
import { startRuns } from "../runs.ts";

const { web, fay, gus, owner } = await startRuns();
const { prisma } = web.database;

test("W125: the owner sees who decided what, from where, downloads it, and undoes what one person decided, not everything at once", async () => {
  const rows = ["Alpha", "Beta"].map((name) => ({ name, candidates: [makeCandidate("v1", 0.5)] }));
  const more = { directory: web.config.api.url, isShared: true };
  const { id } = await makeHarmonization(web.database, owner, rows, more);
  const gusId = (await prisma.account.findFirstOrThrow({ where: { firstName: "Gus" } })).id;
  const { _csrf = "" } = formFields(await gus.get("/settings"), "/logout");
  await gus.post(`/harmonizations/${id}/listings/1`, { _csrf, decision: "matched", venueId: "v1" });
  // The next card is open for Gus.
  await prisma.listing.updateMany({ where: { harmonizationId: id }, data: { lockedBy: null, lockedUntil: null } });
  await fay.submit(await fay.get(`/harmonizations/${id}/review/2`), `/harmonizations/${id}/listings/2`, {
    decision: "rejected",
  });
  const path = `/harmonizations/${id}/steps`;
  const all = (await fay.get(path)).body;
  expect(all).toMatch(
    /Beta.*Fay.*undecided.*no venue.*the card.*Alpha.*Gus.*undecided.*matched with Venue v1.*the card/s,
  );
  expect(all).not.toContain("Undo these");
  expect((await gus.get(`${path}?by=${gusId}`)).body, "who is no owner").not.toContain("Undo these");
  const ofGus = await fay.get(`${path}?by=${gusId}`);
  expect([ofGus.body.includes("Alpha"), ofGus.body.includes("Beta")]).toEqual([true, false]);
  const csv = (await fay.get(`${path}/download?by=${gusId}`)).body.trim().split("\n");
  expect(csv[1]).toMatch(/Z,Gus,shops\.csv,2,own-1,Alpha,,,matched,v1,card,,/);
  expect(csv).toHaveLength(2);
  for (const query of ["?by=x", "?day=2026-13-01", "?before=-1", "?day=yesterday"])
    expect((await fay.get(path + query)).status).toBe(400);
  const token = formFields(ofGus, `${path}/undo`)._csrf ?? "";
  expect((await fay.post(`${path}/undo`, { _csrf: token, by: "", day: "" })).status).toBe(400);
  const done = await fay.follow(await fay.submit(ofGus, `${path}/undo`, {}));
  expect(done.body).toContain("1 decision is undone.");
  expect(done.body).toContain("undone by Fay");
  const now = await prisma.listing.findMany({ where: { harmonizationId: id }, orderBy: { number: "asc" } });
  expect(now.map(({ decision }) => decision)).toEqual([null, "rejected"]);
});
