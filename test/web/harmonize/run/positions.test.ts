import { beforeEach, expect, test } from "vitest";
import type { Prisma } from "../../../../src/db/generated/client.ts";
import { receiveFile } from "../../../../src/harmonize/file/receive.ts";
import type { Positions } from "../../../../src/harmonize/run/positions.ts";
import { FILE_LIMITS } from "../../../../src/shared/file-limits.ts";
import { makeHarmonization } from "../../../harmonize/rows.ts";
import { failure } from "../../../support/fake-directory/behaviours.ts";
import { formFields } from "../../../support/http-client.ts";
import { startRuns } from "../runs.ts";

const { web, gus, fay, owner } = await startRuns();
const { prisma, pool } = web.database;
const directory = web.config.api.url;
const CATEGORY = "fa4e000000000000000000c1";

beforeEach(() => web.directory.reset());

const SWAPPED: Positions = {
  ...{ verdict: "wrong", by: "places", slip: "swapped", rows: 300, wrong: 287, away: 9_182_000, awayPut: 3_100 },
  examples: [
    {
      ...{ line: 2, name: "Blue Door", place: "Providence, RI" },
      ...{ is: { lat: -71.41, lng: 41.82 }, wouldBe: { lat: 41.82, lng: -71.41 } },
    },
    {
      ...{ line: 61, name: "<b>Café Ann</b>", place: "Newport, RI" },
      ...{ is: { lat: -71.31, lng: 41.49 }, wouldBe: { lat: 41.49, lng: -71.31 } },
    },
  ],
  repair: { kind: "slips", slips: ["swapped"], isWhole: true, around: [{ lat: 41.8, lng: -71.4 }] },
};
const QUESTION = "Latitude and longitude seem to be swapped.";
const json = (positions: Positions) => positions as unknown as Prisma.InputJsonObject;
const row = (id: string) => prisma.harmonization.findUniqueOrThrow({ where: { id } });
const answer = async (id: string) => ((await row(id)).positions as unknown as Positions | null)?.answer;
const adds = () => web.directory.requests.filter(({ path }) => path === "/v2/venues/add");
const COLUMNS = { "column-0": "name", "column-1": "lat", "column-2": "lng", "column-3": "city" };
const FORMAT = { encoding: "utf-8", separator: ",", hasHeader: true };
const pathOf = (id: string) => `/harmonizations/${id}`;

/** A draft of a swapped file with the judgement of its positions. */
async function draft(positions: Positions = SWAPPED): Promise<string> {
  const bytes = (async function* () {
    yield Buffer.from("name,lat,lng,city\nBlue Door,-71.41,41.82,Providence\n");
  })();
  const harmonizer = { prisma, pool, directoryUrl: directory, limits: FILE_LIMITS };
  const id = await receiveFile(harmonizer, {
    accountId: owner,
    name: "shops.csv",
    bytes,
    signal: new AbortController().signal,
  });
  await prisma.harmonization.update({ where: { id }, data: { positions: json(positions) } });
  return id;
}
/** A finished run of one listing without a match. */
const run = async (positions: Positions = SWAPPED, more: object = {}) =>
  (
    await makeHarmonization(web.database, owner, [{ name: `X${crypto.randomUUID()}` }], {
      directory,
      positions: json(positions),
      format: FORMAT,
      ...more,
    })
  ).id;

test("a draft says how many of all its rows the repair changes, if a sample was judged", async () => {
  const page = await fay.get(pathOf(await draft({ ...SWAPPED, all: { rows: 5000, changed: 4321 } })));
  expect(page.body).toContain("The repair changes 4,321 of the first 5,000 rows.");
});

test("F30: a draft asks about wrong positions, with figures, and does not start without an answer", async () => {
  const id = await draft();
  const page = await fay.get(pathOf(id));
  expect(page.body).toContain(QUESTION);
  expect(page.body).toContain(
    "287 of 300 rows lie about 9,200 km from the town they name. Once corrected, they lie about 3.1 km from it.",
  );
  const rows = [...page.body.matchAll(/<tr>\s*<th scope="row".*?<\/tr>/gs)].map(([row]) =>
    row
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  expect(rows).toEqual([
    expect.stringContaining("Blue Door line 2 · Providence, RI -71.41, 41.82 41.82, -71.41"),
    expect.stringContaining("&lt;b&gt;Café Ann&lt;/b&gt; line 61 · Newport, RI -71.31, 41.49 41.49, -71.31"),
  ]);
  const refused = await fay.submit(page, `${pathOf(id)}/columns`, { ...COLUMNS, action: "start" });
  expect([refused.status, refused.body.includes("First confirm whether the positions are right.")]).toEqual([
    409,
    true,
  ]);
  expect((await row(id)).state).toBe("draft");
});

test("F30: a draft starts with either answer, which can be undone before", async () => {
  for (const said of ["repair", "right"] as const) {
    const id = await draft();
    const send = async (action: string) =>
      fay.submit(await fay.get(pathOf(id)), `${pathOf(id)}/columns`, { ...COLUMNS, action });
    expect((await send(said)).status).toBe(303);
    expect(await answer(id)).toBe(said);
    expect((await fay.get(pathOf(id))).body).not.toContain(QUESTION);
    await send("ask");
    expect((await fay.get(pathOf(id))).body).toContain(QUESTION);
    await send(said);
    await send("start");
    expect([(await row(id)).state, await answer(id)]).toEqual(["reading", said]);
  }
});

test("new position columns raise the question again; other columns keep the answer", async () => {
  const id = await draft();
  const send = async (fields: Record<string, string>) =>
    fay.submit(await fay.get(pathOf(id)), `${pathOf(id)}/columns`, { ...COLUMNS, ...fields });
  await send({ action: "right" });
  await send({ action: "save", "column-0": "" });
  expect(await answer(id)).toBe("right");
  await send({ action: "save", "column-0": "name", "column-1": "lng", "column-2": "lat" });
  expect((await row(id)).positions).toBeNull();
});

test("a draft whose positions are not judged yet starts", async () => {
  const id = await draft();
  await pool.query("UPDATE app.harmonization SET positions = NULL WHERE id = $1", [id]);
  await fay.submit(await fay.get(pathOf(id)), `${pathOf(id)}/columns`, { ...COLUMNS, action: "start" });
  expect((await row(id)).state).toBe("reading");
});

test("F30: a run started without an answer shows the question, and the add form adds nothing", async () => {
  const id = await run();
  const { body } = await fay.get(pathOf(id));
  expect(body.indexOf(QUESTION)).toBeGreaterThan(0);
  expect(body.indexOf(QUESTION)).toBeLessThan(body.indexOf('class="tiles '));
  expect(body).not.toContain(`href="${pathOf(id)}/add"`);
  expect((await fay.get(`${pathOf(id)}/add`)).location).toMatch(pathOf(id));
  const { _csrf = "" } = formFields(await fay.get(pathOf(id)), `${pathOf(id)}/positions`);
  const sent = await fay.post(`${pathOf(id)}/add`, { _csrf, categoryId: CATEGORY });
  expect((await fay.follow(sent)).body).toContain("Until then no venues are added.");
  expect((await row(id)).state).toBe("ready");
});

test("F30: a run adds listings only after its owner's answer", async () => {
  const id = await run(SWAPPED, { isShared: true });
  const theirs = await gus.get(pathOf(id));
  expect([theirs.body.includes(QUESTION), theirs.body.includes(`${pathOf(id)}/positions`)]).toEqual([true, false]);
  const { _csrf = "" } = formFields(await gus.get("/settings"), "/logout");
  expect((await gus.post(`${pathOf(id)}/positions`, { _csrf, answer: "right" })).status).toBe(404);
  const said = await fay.submit(await fay.get(pathOf(id)), `${pathOf(id)}/positions`, { answer: "right" });
  expect((await fay.follow(said)).body).toContain(`href="${pathOf(id)}/add"`);
  expect(await answer(id)).toBe("right");
  await fay.submit(await fay.get(`${pathOf(id)}/add`), `${pathOf(id)}/add`, { categoryId: CATEGORY });
  expect((await row(id)).state).toBe("adding");
});

test("F30: a run that begins again with the repair reads its rows repaired", async () => {
  const id = await run();
  const again = await fay.submit(await fay.get(pathOf(id)), `${pathOf(id)}/again`, { repair: "1" });
  const other = again.location.split("/").at(-1) ?? "";
  expect([await answer(other), await answer(id)]).toEqual(["repair", undefined]);
  expect((await fay.follow(again)).body).toContain("The rows are read with latitude and longitude swapped back.");
});

test("F30: the conflicts page of a file with an open question does not say that its positions look right", async () => {
  const id = await run();
  const { body } = await fay.get(`${pathOf(id)}/conflicts`);
  expect([body.includes(QUESTION), body.includes("the positions look right")]).toEqual([true, false]);
  const fine = await run({ verdict: "fine", rows: 300, wrong: 0 });
  expect((await fay.get(`${pathOf(fine)}/conflicts`)).body).toContain("the positions look right");
});

test("F30: one listing of a file whose positions are in question is added only after its position has been confirmed", async () => {
  const id = await run();
  const path = `${pathOf(id)}/listings/1/add`;
  const asked = await fay.submit(await fay.get(path), path, { primaryCategoryId: CATEGORY });
  expect([asked.status, asked.body.includes("Is this the right position?"), adds().length]).toEqual([409, true, 0]);
  const elsewhere = await fay.submit(asked, path, { ll: "41.9,-71.5" });
  expect([elsewhere.status, adds().length]).toEqual([303, 1]);
  const other = await run();
  const second = `${pathOf(other)}/listings/1/add`;
  const page = await fay.submit(await fay.get(second), second, { primaryCategoryId: CATEGORY });
  expect([(await fay.submit(page, second)).status, adds().length]).toEqual([303, 2]);
});

test("the position of a listing far from its town is confirmed before it is added, unless the town is unknown", async () => {
  const geometry = { center: { lat: 44.98, lng: -93.26 } };
  const names = {
    name: "M",
    displayName: "M",
    matchedName: "M",
    highlightedName: "M",
    slug: "m",
    id: "1",
    longId: "1",
  };
  const feature = { cc: "US", woeType: 7, geometry, ...names };
  const fine: Positions = { verdict: "fine", by: "places", rows: 300, wrong: 0 };
  const columns = { id: 0, name: 1, lat: 2, lng: 3, city: 4 };
  const path = `${pathOf(await run(fine, { columns }))}/listings/1/add`;
  web.directory.behave("/v2/venues/search", ({ response, usual }) => {
    const { body } = usual();
    const { response: found, ...rest } = JSON.parse(body);
    const geocode = { what: "", where: "m", feature, parents: [] };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ ...rest, response: { ...found, geocode } }));
  });
  const asked = await fay.submit(await fay.get(path), path, { primaryCategoryId: CATEGORY });
  expect([asked.status, adds().length]).toEqual([409, 0]);
  expect(asked.body).toMatch(/1,\d{3} km from 1 Main Street\. Check it before you add the row\./);
  web.directory.reset();
  const unknown = failure(400, "failed_geocode", "Couldn't geocode param near: 1 Main Street");
  web.directory.behave("/v2/venues/search", ({ response, usual }) => {
    const isTown = web.directory.requests.at(-1)?.params.near !== undefined;
    const { status, headers, body } = isTown ? unknown : usual();
    response.writeHead(status, headers).end(body);
  });
  expect((await fay.submit(await fay.get(path), path, { primaryCategoryId: CATEGORY })).status).toBe(303);
});
