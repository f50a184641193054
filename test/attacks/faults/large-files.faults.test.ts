import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type MadeListing, makeHarmonization } from "../../harmonize/rows.ts";
import { ownerOf } from "../../web/harmonize/runs.ts";
import { startWeb } from "../../web/web-app.ts";

const web = await startWeb();
const { prisma } = web.database;
const fay = await web.logIn();
const owner = await ownerOf(web);

const pending: MadeListing[] = Array.from({ length: 3 }, (_, at) => ({
  name: `Shop ${at}`,
  more: { status: "pending" },
}));
/** Creates a run with a recorded count of a million listings. */
async function make(more: { state?: "matching" | "ready" | "draft"; listingCount?: number } = {}) {
  const directory = web.config.api.url;
  const file = { directory, listingCount: 1_000_000, format: { encoding: "utf-8", separator: ",", hasHeader: true } };
  const { id } = await makeHarmonization(web.database, owner, pending, { ...file, ...more });
  return { id, href: `/harmonizations/${id}` };
}

let locked: pg.Client;
// Simulates a timeout of every statement over the listings.
beforeEach(async () => {
  locked = new pg.Client(web.config.databaseUrl);
  await locked.connect();
});
const lock = () => locked.query("BEGIN; LOCK TABLE app.listing IN ACCESS EXCLUSIVE MODE");
afterEach(() => locked.end());

test("F32: the page of a run whose count times out shows working buttons", async () => {
  const run = await make({ state: "matching" });
  await lock();
  const page = await fay.get(run.href);
  expect([page.status, page.body.includes("Counting…")]).toEqual([200, true]);
  for (const times of [1, 2, 3]) expect((await fay.get(run.href)).status, `${times} more`).toBe(200);
  for (const verb of ["pause", "resume", "cancel"]) {
    const now = verb === "pause" ? page : await fay.get(run.href);
    expect((await fay.submit(now, `${run.href}/${verb}`)).status, verb).toBe(303);
  }
  expect((await prisma.harmonization.findUniqueOrThrow({ where: { id: run.id } })).state).toBe("cancelled");
});

test("F32: the page of a small run whose count fails shows working buttons", async () => {
  const run = await make({ state: "matching", listingCount: 3 });
  await lock();
  for (const times of [1, 2, 3, 4]) {
    const { status, body } = await fay.get(run.href);
    expect([status, body.includes("Counting…")], `look ${times}`).toEqual([200, true]);
  }
});

test("F32: the list of files opens without what waits for a person", async () => {
  const run = await make();
  await lock();
  const { status, body } = await fay.get("/harmonizations");
  expect([status, body.includes(`href="${run.href}"`)]).toEqual([200, true]);
});

test("F32: the event stream of a run continues without its counts, and sends them once they are known", async () => {
  const run = await make({ state: "matching" });
  await lock();
  const cookie = [...fay.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const leaving = new AbortController();
  const { body } = await fetch(`${web.url}${run.href}/events`, { headers: { cookie }, signal: leaving.signal });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const until = async (part: string) => {
    while (!text.includes(part)) text += (await reader?.read())?.value ?? "(over)".repeat(Number(text.includes(part)));
  };
  await until("Counting…");
  await locked.query("ROLLBACK");
  await until("0 of 3 rows");
  leaving.abort();
});

test("F32: a page whose results cannot be read in time omits them and reloads", async () => {
  const run = await make();
  await lock();
  const busy = await fay.get(run.href);
  expect([busy.status, busy.headers.get("refresh")]).toEqual([200, "3"]);
  expect(busy.body).toContain("Counting the rows.");
  expect(busy.body).toContain("The database is busy.");
  expect(busy.body).toContain(`action="${run.href}/delete"`);
  await locked.query("ROLLBACK");
  await expect.poll(async () => (await fay.get(run.href)).headers.get("refresh")).toBeNull();
});

test("F32: a worker searches for conflicts, and the page shows that at once", async () => {
  const run = await make();
  await lock();
  const page = await fay.get(`${run.href}/conflicts`);
  expect([page.status, page.headers.get("refresh")]).toEqual([200, "2"]);
  expect(page.body).toContain("0 of 1,000,000 rows searched so far.");
});

test("F32: a worker also searches for the conflicts of a small file that takes too long", async () => {
  const directory = web.config.api.url;
  const { id } = await makeHarmonization(web.database, owner, pending, { directory });
  await lock();
  expect((await fay.get(`/harmonizations/${id}/conflicts`)).body).toContain("0 of 3 rows searched so far.");
  await locked.query("ROLLBACK");
  expect((await fay.get(`/harmonizations/${id}/conflicts`)).body).toContain("No conflicts");
});

test("F32: a deleted run disappears at once even if its rows are locked, and is not offered as an earlier edition", async () => {
  const run = await make();
  const draft = await make({ state: "draft" });
  await web.database.pool.query("INSERT INTO app.file_part VALUES ($1, 0, 'id,name,lat,lng\nown-1,Shop,41,-71')", [
    draft.id,
  ]);
  const page = await fay.get(run.href);
  expect((await fay.get(draft.href)).body).toContain(`value="${run.id}"`);
  await lock();
  expect((await fay.get(draft.href)).status, "a draft, with other editions").toBe(200);
  expect((await fay.submit(page, `${run.href}/delete`)).status).toBe(303);
  expect((await fay.get(run.href)).status).toBe(404);
  expect((await fay.get(`${run.href}/conflicts`)).status).toBe(404);
  expect((await fay.get("/harmonizations")).body).not.toContain(run.href);
  expect((await fay.get(draft.href)).body).not.toContain(`value="${run.id}"`);
});
