import { expect, test } from "vitest";
import { searchDuplicates } from "../../../../src/directory/duplicates/run.ts";
import { addVenue, operatorHost } from "./host.ts";

const host = await operatorHost();
const { prisma, pool } = host.deps;
const PAGE = "/operator/duplicates";

test("the page says when it is searched and offers to search now, and says that nothing is left to review", async () => {
  const browser = await host.newOperator();
  expect((await browser.get(PAGE)).body).toContain("Not searched yet. The directory is searched each night.");
  await browser.submit(await browser.get(PAGE), `${PAGE}/search`, {});
  expect((await browser.get(PAGE)).body).toMatch(/A search is waiting(?!.*Search now)/s);
  await searchDuplicates({ pool });
  const page = (await browser.get(PAGE)).body;
  expect(page).toContain("Nothing to review");
  expect(page).toContain('aria-current="page">Duplicates<');
  await pool.query("INSERT INTO directory.duplicate_run (venues, passed) VALUES (1000, 400)");
  expect((await browser.get(PAGE)).body).toContain("A search is running: 400 of 1,000 venues.");
  await pool.query("UPDATE directory.duplicate_run SET seen_at = now() - interval '1 hour'");
  await pool.query("UPDATE directory.duplicate_run SET finished_at = NULL");
  expect((await browser.get(PAGE)).body).toContain("A search is waiting for a directory process.");
});

test("an operator merges what is selected, undoes it at once, and sets two venues apart", async () => {
  const names = ["Lantern <b>Café", "Lantern B Cafe", "Harbor Bookshop", "Harbor Bookshop"];
  for (const name of names) await addVenue(host, name);
  await searchDuplicates({ pool });
  const browser = await host.newOperator();
  const page = await browser.get(PAGE);
  expect(page.body).toContain("same address");
  expect(page.body).toContain("% sure");
  expect(page.body).not.toContain("Lantern <b>");
  const groups = [...page.body.matchAll(/name="group" value="([^"]+)"/g)].map(([, value]) => `${value}`);
  expect(groups).toHaveLength(2);
  const none = await browser.follow(await browser.submit(page, PAGE, { group: "", decision: "merge" }));
  expect(none.body).toContain("Select a group first.");
  const { _csrf = "" } = fieldsOf(page.body);
  const body = new URLSearchParams([
    ["_csrf", _csrf],
    ["decision", "merge"],
    ...groups.map((value) => ["group", value]),
  ]);
  const merged = await browser.follow(await browser.post(PAGE, `${body}`));
  expect(merged.body).toContain("2 groups merged.");
  expect(await prisma.venue.count()).toBe(2);
  const undone = await browser.follow(await browser.submit(merged, `${PAGE}/1/undo`, {}));
  expect(undone.body).toContain("2 venues restored, with their links and check-ins.");
  expect(await prisma.venue.count()).toBe(4);
  expect((await browser.follow(await browser.submit(merged, `${PAGE}/1/undo`, {}))).body).toContain(
    "already been undone",
  );
  const apart = await browser.follow(await browser.post(PAGE, { _csrf, apart: `${groups[0]}` }));
  expect(apart.body).toContain("1 group marked as different places.");
  expect(apart.body).not.toContain(`value="${groups[0]}"`);
  const family = /href="\/operator\/duplicates\?family=([^"]+)"/.exec(apart.body)?.[1] ?? "";
  const ofFamily = await browser.get(`${PAGE}?family=${family}`);
  expect(ofFamily.body).toContain('name="group"');
  expect(ofFamily.body).not.toContain("on all pages"); // of one group
  const all = { _csrf, family: decodeURIComponent(family.replaceAll("+", " ")), decision: "merge-family" };
  expect((await browser.follow(await browser.post(PAGE, all))).body).toContain("1 group merged.");
  expect(host.logs.lines.filter((line) => line.includes("duplicates"))).not.toHaveLength(0);
  for (const unknown of ["999", "x"])
    expect((await browser.post(`${PAGE}/${unknown}/undo`, { _csrf })).status).toBe(404);
});

test("C49: a form without the token of the session merges, sets apart and undoes nothing", async () => {
  const browser = await host.newOperator();
  const before = JSON.stringify([
    await prisma.venue.findMany({ select: { id: true } }),
    await prisma.duplicatePair.findMany(),
  ]);
  for (const fields of [{ merge: "a b" }, { apart: "a b" }, { decision: "merge-family", family: "sameName" }])
    expect((await browser.post(PAGE, { ...fields })).status).toBe(403);
  expect((await browser.post(`${PAGE}/1/undo`, {})).status).toBe(403);
  expect(
    JSON.stringify([await prisma.venue.findMany({ select: { id: true } }), await prisma.duplicatePair.findMany()]),
  ).toBe(before);
});

const fieldsOf = (body: string) => ({ _csrf: /name="_csrf" value="([^"]+)"/.exec(body)?.[1] ?? "" });
