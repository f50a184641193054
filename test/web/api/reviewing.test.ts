import { afterEach, expect, test } from "vitest";
import { makeCandidate, makeHarmonization } from "../../harmonize/rows.ts";
import { startRuns } from "../harmonize/runs.ts";
import { programOf, tokenOf } from "./programs.ts";

const { web, owner } = await startRuns();
const { database } = web;
const directory = web.directory.baseUrl;
const program = programOf(web, await tokenOf(web, owner));

afterEach(() => database.prisma.apiUse.deleteMany());

const alike = (name: string) => ({
  name,
  candidates: [makeCandidate(`${name}-a`, 0.5, { phone: 3.2, distance: 1.4, name: 2.1 })],
});

test("a row is corrected, the correction seen late or wrong is refused, and taken back", async () => {
  const file = await makeHarmonization(database, owner, [{ name: "Old Name" }], { directory });
  const at = `/files/${file.id}/rows/1`;
  const { seen } = (await program("GET", at)).body;
  const wrong = await program("POST", `${at}/mend`, { name: "", seen });
  expect([wrong.status, wrong.body.code, wrong.body.detail]).toEqual([
    400,
    "param_error",
    expect.stringContaining("name"),
  ]);
  const mended = await program("POST", `${at}/mend`, {
    name: "New Name",
    city: "Providence",
    lat: 41.82,
    lng: -71.41,
    seen,
  });
  expect(mended.body).toMatchObject({ number: 1, name: "New Name" });
  expect((await program("POST", `${at}/mend`, { name: "Late", seen })).body.code).toBe("conflict");
  const row = await database.prisma.listing.findFirstOrThrow({ where: { harmonizationId: file.id } });
  expect(row.query).toMatchObject({ name: "New Name", city: "Providence", mended: { by: owner } });
  expect((await program("DELETE", `${at}/mend`)).body).toMatchObject({ name: "Old Name" });
});

test("rows that are alike are shown and decided in one step, unless there are more by now", async () => {
  const file = await makeHarmonization(database, owner, ["A", "B", "C"].map(alike), { directory });
  const at = `/files/${file.id}/rows/1/family`;
  const family = (await program("GET", at)).body;
  expect(family).toMatchObject({ count: 3, rows: [{ number: 1, best: { id: "A-a" } }, { number: 2 }, { number: 3 }] });
  const wish = { decision: "matched", at: family.at };
  expect((await program("POST", at, { ...wish, count: 2 })).status).toBe(409);
  expect((await program("POST", at, { ...wish, count: family.count })).body).toEqual({
    decided: 3,
    overtaken: 0,
    gone: 0,
  });
  expect((await program("POST", `/files/${file.id}/undo`)).body).toMatchObject({ restored: 3 });
});

test("F170: a note is read and written, answers a question, and stands once if it is sent again; only who decides is asked", async () => {
  const file = await makeHarmonization(database, owner, ["A", "B"].map(alike), { directory });
  const at = `/files/${file.id}/rows/1/notes`;
  const gus = (await database.prisma.account.findFirstOrThrow({ where: { firstName: "Gus" } })).id;
  const ask = { text: "Is it closed?", ask: gus };
  expect((await program("POST", at, ask)).status).toBe(400);
  await database.prisma.listPerson.create({ data: { listId: file.listId, accountId: gus, role: "reviewer" } });
  expect((await program("POST", at, ask)).body.notes).toMatchObject([{ asked: "Gus", is_open: true }]);
  const theirs = programOf(web, await tokenOf(web, gus));
  for (const _ of ["sent", "sent again"]) {
    await program("POST", at, ask);
    await theirs("POST", `/files/${file.id}/rows/2/notes`, { text: "Here, too" });
  }
  expect((await theirs("GET", at)).body.notes).toMatchObject([{ text: "Is it closed?", asked: "Gus", is_open: true }]);
  expect((await theirs("GET", `/files/${file.id}/rows/2/notes`)).body.notes).toMatchObject([{ text: "Here, too" }]);
  expect((await theirs("POST", at, { text: "It is" })).body.notes).toMatchObject([
    { is_open: false },
    { by: "Gus", text: "It is", asked: null },
  ]);
  expect((await program("POST", at, ask)).body.notes, "asked once more").toHaveLength(3);
  expect((await program("POST", at, { text: " " })).body.code).toBe("param_error");
  expect((await program("GET", `/files/${file.id}/rows/9/notes`)).status).toBe(404);
});

test("F171: a note that comes eight times at the same instant stands once", async () => {
  const file = await makeHarmonization(database, owner, ["A"].map(alike), { directory });
  const at = `/files/${file.id}/rows/1/notes`;
  const sent = await Promise.all(Array.from({ length: 8 }, () => program("POST", at, { text: "Closed" })));
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201]));
  expect((await program("GET", at)).body.notes).toMatchObject([{ text: "Closed" }]);
});

test("W170: conflicts are shown with their rows, and of another file only to a token that may see it", async () => {
  const twice = (name: string, ownId: string, venueId: string) => ({
    name,
    more: { ownId, decision: "matched" as const, venueId, venueName: "Venue" },
  });
  const before = await makeHarmonization(database, owner, [twice("A", "1", "other"), twice("B", "2", "same")], {
    directory,
  });
  const file = await makeHarmonization(database, owner, [twice("A", "1", "same"), twice("B", "2", "same")], {
    directory,
  });
  const at = `/files/${file.id}/conflicts`;
  const shown = (await program("GET", at)).body;
  expect(shown).toMatchObject({
    is_searching: false,
    conflicts: {
      same_venue: { total: 1, first: [{ count: 2, rows: [{ number: 1, venue_id: "same" }, { number: 2 }] }] },
      other_venue: { total: 1, first: [{ rows: [{ file_id: file.id }, { file_id: before.id, venue_id: "other" }] }] },
      same_id: { total: 0, first: [] },
    },
  });
  const limited = programOf(web, await tokenOf(web, owner, { files: [file.id] }));
  expect((await limited("GET", at)).body.conflicts).toMatchObject({
    ...{ same_venue: { total: 1 }, other_venue: { total: 0, first: [] } },
  });
});

test("decisions are listed in pages with who, when and from where, and undone by person", async () => {
  const file = await makeHarmonization(database, owner, ["A", "B", "C"].map(alike), { directory });
  const at = `/files/${file.id}`;
  for (const number of [1, 2, 3]) await program("POST", `${at}/rows/${number}/decision`, { decision: "rejected" });
  const first = (await program("GET", `${at}/steps?limit=2`)).body;
  expect(first.steps.map(({ row, via }: { row: number; via: string }) => [row, via])).toEqual([
    [3, "program"],
    [2, "program"],
  ]);
  const rest = (await program("GET", `${at}/steps?limit=2&cursor=${first.next_cursor}`)).body;
  expect(rest).toMatchObject({
    steps: [{ row: 1, by: { id: owner, name: "Fay" }, before: { decision: null }, after: { decision: "rejected" } }],
    next_cursor: null,
  });
  expect((await program("POST", `${at}/steps/undo`, {})).status).toBe(400);
  expect((await program("POST", `${at}/steps/undo`, { by: owner })).body).toEqual({ restored: 3, kept: 0, left: 0 });
  expect((await program("GET", `${at}/steps`)).body.steps[0]).toMatchObject({ undone_by: "Fay" });
});

test("a category of the directory is chosen for rows without a match, and a file renamed and shared", async () => {
  const file = await makeHarmonization(database, owner, [{ name: "New" }], { directory });
  const { categories } = (await program("GET", "/categories")).body;
  const chosen = { rows: [1], category_id: categories[0].id };
  expect((await program("POST", `/files/${file.id}/categories`, chosen)).body).toEqual({ changed: 1 });
  expect((await program("POST", `/files/${file.id}/categories`, { ...chosen, category_id: "none" })).status).toBe(400);
  const changed = await program("POST", `/files/${file.id}`, { name: " Shops ", is_shared: true });
  expect(changed.body).toMatchObject({ name: "Shops", is_shared: true });
});
