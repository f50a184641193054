import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { makeHarmonization } from "../../harmonize/rows.ts";
import { formFields } from "../../support/http-client.ts";
import { startRuns } from "./runs.ts";

const { web, fay, gus, owner } = await startRuns();
const { prisma } = web.database;
const gusId = (await prisma.account.findFirstOrThrow({ where: { firstName: "Gus" } })).id;
const directory = web.config.api.url;
const make = () => {
  const rows = ["Shop One", "Two"].map((name, at) => ({
    name,
    more: { cells: [`own-${at}`, name, "41.8", "-71.4", "", ""] },
  }));
  return makeHarmonization(web.database, owner, rows, { directory });
};
const FORM = { kind: "replace", column: "name", find: "shop ", with: "", any_case: "1" };
const stateOf = (id: string) => prisma.harmonization.findUniqueOrThrow({ where: { id } });

test("a repair is previewed without a change, applied, named with who made it, downloaded and undone", async () => {
  const { id } = await make();
  const path = `/harmonizations/${id}/repairs`;
  expect((await fay.get(`/harmonizations/${id}`)).body).toContain(`href="${path}"`);
  const preview = await fay.get(`${path}?${new URLSearchParams({ ...FORM, preview: "1" })}`);
  expect(preview.body).toMatch(/1 row changes.*Shop One.*Line 2.*Name.*Shop One.*One.*Apply/s);
  expect(await stateOf(id)).toMatchObject({ state: "ready", repairs: [] });
  await fay.submit(preview, path, {});
  expect(await stateOf(id)).toMatchObject({
    state: "matching",
    isRetrying: true,
    repairs: [{ by: owner, isUnderWay: true }],
  });
  expect((await fay.get(path)).body).toMatch(
    /Something else is going on.*replace “shop ” with “”, ignoring case.*Fay/s,
  );
  const repairs = JSON.parse((await fay.get(`${path}/download`)).body);
  expect(repairs).toEqual([{ kind: "replace", column: "name", find: "shop ", with: "", whole: false, any_case: true }]);
  await prisma.harmonization.update({ where: { id }, data: { state: "ready", isRetrying: false } });
  const [kept] = (await stateOf(id)).repairs as { id: string }[];
  await fay.submit(await fay.get(path), `${path}/undo`, { id: kept?.id ?? "" });
  expect(await stateOf(id)).toMatchObject({ repairs: [{ undone: { by: owner } }] });
});

test.each([
  [{ kind: "replace", column: "name", find: "" }, "find is missing"],
  [{ kind: "set", field: "city", value: "x".repeat(301) }, "value may have at most 300 characters"],
  [{ kind: "swap" }, "No row looks swapped."],
])("what is wrong with a form is said: %o", async (form: Record<string, string>, said) => {
  const { id } = await make();
  const answer = await fay.get(`/harmonizations/${id}/repairs?${new URLSearchParams({ ...form, preview: "1" })}`);
  expect([answer.status, answer.body]).toEqual([200, expect.stringContaining(said)]);
  expect(answer.body).not.toContain("Apply");
});

test("W163: a viewer sees the repairs and cannot make or undo one, a reviewer can, and for others there is no such list", async () => {
  const { id, listId } = await make();
  const path = `/harmonizations/${id}/repairs`;
  const kept = {
    id: randomUUID(),
    by: owner,
    at: "2026-11-28T00:00:00.000Z",
    repair: { kind: "set", field: "city", value: "X" },
  };
  await prisma.harmonization.update({ where: { id }, data: { repairs: [kept] } });
  const { _csrf = "" } = formFields(await gus.get("/settings"), "/logout");
  const send = () => gus.post(path, { _csrf, ...FORM });
  expect([(await gus.get(path)).status, (await gus.get(`${path}/download`)).status, (await send()).status]).toEqual([
    404, 404, 404,
  ]);
  await prisma.listPerson.create({ data: { listId, accountId: gusId, role: "viewer" } });
  const seen = await gus.get(`${path}?${new URLSearchParams({ ...FORM, preview: "1" })}`);
  expect([seen.status, seen.body.includes("Apply"), seen.body.includes("Preview")]).toEqual([200, false, false]);
  expect([(await send()).status, (await gus.post(`${path}/undo`, { _csrf, id: kept.id })).status]).toEqual([404, 404]);
  expect(await stateOf(id)).toMatchObject({ state: "ready", repairs: [kept] });
  await prisma.listPerson.updateMany({ where: { listId, accountId: gusId }, data: { role: "reviewer" } });
  expect((await send()).status).toBe(303);
  expect(await stateOf(id)).toMatchObject({ repairs: [kept, { by: gusId }] });
});

test("W162: a value that a spreadsheet would calculate begins no cell of an export, and the columns of the file stay as they are", async () => {
  const { id } = await make();
  const repair = { kind: "set", field: "city", value: '=HYPERLINK("http://evil")' };
  const repairs = [{ id: "1", by: owner, at: "2026-11-28T00:00:00.000Z", repair }];
  await prisma.harmonization.update({ where: { id }, data: { repairs } });
  const added = { decision: "added" as const, venueId: "added", venueName: repair.value };
  await prisma.listing.updateMany({ where: { harmonizationId: id, number: 1 }, data: added });
  const csv = (await fay.get(`/harmonizations/${id}/export?format=csv`)).body;
  expect(csv).toContain("city repaired to “=HYPERLINK(");
  const mapping = (await fay.get(`/harmonizations/${id}/export?format=mapping-csv`)).body;
  expect(mapping).toContain("'=HYPERLINK(");
  for (const text of [csv, mapping]) expect(text).not.toMatch(/(^|[,;\t"\n])=/m);
  expect(csv).toContain("own-0,Shop One,41.8,-71.4,,");
  const page = (await fay.get(`/harmonizations/${id}/repairs`)).body;
  expect(page).toContain("=HYPERLINK(&quot;http://evil&quot;)");
});

test("W165: a repair whose column a file does not have is named on its pages", async () => {
  const { id } = await make();
  const repair = { kind: "take", field: "city", column: "Ort", always: false };
  const repairs = [{ id: "1", by: null, at: "2026-11-28T00:00:00.000Z", repair }];
  await prisma.harmonization.update({ where: { id }, data: { repairs } });
  expect((await fay.get(`/harmonizations/${id}`)).body).toContain(
    "1 repair is not used, because this file has no column “Ort”.",
  );
  expect((await fay.get(`/harmonizations/${id}/repairs`)).body).toContain(
    "Not used: there is no column “Ort” in this file.",
  );
});
