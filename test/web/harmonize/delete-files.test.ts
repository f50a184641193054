import { expect, test } from "vitest";
import { makeHarmonization } from "../../harmonize/rows.ts";
import { startRuns } from "./runs.ts";

const { web, owner, fay, gus } = await startRuns();
const { prisma } = web.database;

const DELETE = "/harmonizations/delete";
const make = (name: string, more: object = {}) =>
  makeHarmonization(web.database, owner, [{ name: "One" }], { name, directory: web.directory.baseUrl, ...more });
const stateOf = async ({ id }: { id: string }) =>
  (await prisma.harmonization.findUniqueOrThrow({ where: { id } })).state;

test("the list of files is searched by a part of the name, whatever its signs", async () => {
  await make("Cafés of Bern.csv");
  await make("100%_shops.csv");
  const found = async (q: string) => (await fay.get(`/harmonizations?${new URLSearchParams({ q })}`)).body;
  const cafes = await found("CAFÉS of");
  expect([cafes.includes("Cafés of Bern.csv"), cafes.includes("100%_shops.csv")]).toEqual([true, false]);
  expect(cafes).toContain('value="CAFÉS of"');
  expect((await found("%_s")).includes("100%_shops.csv")).toBe(true);
  expect(await found("0_s")).toContain("None of these files has “0_s” in its name.");
  for (const query of ["q=a&q=b", "q=%00", `q=${"x".repeat(3000)}`])
    expect((await fay.get(`/harmonizations?${query}`)).status).toBe(200);
});

test("all files shown by a search can be deleted at once", async () => {
  const [one, two, other] = [await make("old 1.csv"), await make("old 2.csv"), await make("new.csv")];
  const list = await fay.get("/harmonizations?q=old");
  const confirm = await fay.submit(list, DELETE, { which: "page" });
  expect(confirm.body).toContain("Delete these 2 files?");
  const page = / name="page" value="([^"]*)"/.exec(list.body)?.[1] ?? "";
  expect((await fay.submit(list, DELETE, { which: "page", page, confirm: "1" })).status).toBe(303);
  expect([await stateOf(one), await stateOf(two), await stateOf(other)]).toEqual(["deleting", "deleting", "ready"]);
});

test("W08: a form that names files of others, shared or not, or of nobody deletes none of them", async () => {
  const [secret, shared] = [await make("secret.csv"), await make("shared.csv", { isShared: true })];
  const list = await gus.get("/harmonizations");
  expect(list.body).toContain("shared.csv");
  expect(list.body).not.toContain("Choose shared.csv");
  const { _csrf = "" } = Object.fromEntries(
    [...list.body.matchAll(/name="(_csrf)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  for (const id of [secret.id, shared.id, "../x", "00000000-0000-4000-8000-000000000000", ""])
    for (const confirm of ["", "1"]) {
      const answer = await gus.follow(await gus.post(DELETE, { _csrf, file: id, confirm }));
      expect(answer.body).toContain("Choose some of your own files first. Nothing was deleted.");
      expect(answer.body).not.toContain("secret.csv");
    }
  expect([await stateOf(secret), await stateOf(shared)]).toEqual(["ready", "ready"]);
});
