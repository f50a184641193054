import { createHash } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { makeCandidate, makeHarmonization } from "../../harmonize/rows.ts";
import { manyListings, startRuns } from "../harmonize/runs.ts";
import { programOf, tokenOf } from "./programs.ts";

const { web, owner } = await startRuns();
const { database } = web;
const directory = web.directory.baseUrl;
const program = programOf(web, await tokenOf(web, owner));
const limited = programOf(web, await tokenOf(web, owner, { files: [] }));

afterEach(() => database.prisma.apiUse.deleteMany());

const LIST = "id,shop,lat,lng,tel\n1,Corner Coffee,41.8,-71.4,401\n2,Blue Door,41.81,-71.41,402\n";

const good = { phone: 3.2, distance: 1.4, name: 2.1 };
const doubtful = (name: string) => ({
  name,
  candidates: [makeCandidate(`${name}-a`, 0.5, good), makeCandidate(`${name}-b`, 0.4, good)],
});

test("a file is uploaded as it is, read as guessed, corrected by names and numbers, and started once", async () => {
  const sent = await program("POST", "/files?name=stores.csv", LIST);
  expect(sent.status).toBe(201);
  expect(sent.body).toMatchObject({ name: "stores.csv", state: "draft", is_own: true, rows: 0 });
  const at = `/files/${sent.body.id}`;
  expect(sent.headers.get("location")).toBe(`/api/v1${at}`);
  const guessed = await program("GET", `${at}/columns`);
  expect(guessed.body.columns).toMatchObject({ id: ["id"], name: ["shop"], lat: ["lat"], lng: ["lng"] });
  const changed = await program("POST", `${at}/columns`, {
    columns: { phone: 5, name: ["shop", "tel"], id: null },
    name: "Stores",
  });
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({ name: "Stores", columns: { name: ["shop", "tel"], lat: ["lat"] } });
  expect(changed.body.columns.id).toBeUndefined();
  const wrong = await program("POST", `${at}/columns`, { columns: { name: "no such" } });
  expect([wrong.status, wrong.body.detail]).toEqual([400, expect.stringContaining("no such")]);
  const nameless = await program("POST", `${at}/columns`, { columns: { name: null } });
  expect(nameless.body.warnings.join()).toContain("name");
  expect((await program("POST", `${at}/start`)).status).toBe(400);
  await program("POST", `${at}/columns`, { columns: { name: "shop" } });
  const started = await program("POST", `${at}/start`);
  expect([started.status, started.body.state]).toEqual([202, "reading"]);
  expect((await program("POST", `${at}/start`)).status).toBe(409);
  expect((await program("POST", `${at}/columns`, { town: "Providence" })).status).toBe(409);
  const found = await program("GET", `/files?sha256=${createHash("sha256").update(LIST).digest("hex")}`);
  expect(found.body.files.map(({ id }: { id: string }) => id)).toEqual([sent.body.id]);
  expect((await program("POST", `${at}/cancel`)).body.state).toBe("cancelled");
  expect((await program("DELETE", at)).body).toEqual({ id: sent.body.id, deleted: true });
  expect((await program("GET", at)).status).toBe(404);
});

test("another separator, header or encoding has the columns guessed anew, and an empty body, or a form without a file, is none", async () => {
  const { body } = await program("POST", "/files?name=x.csv", "Ours\nid;name;lat;lng\n1;A;41.8;-71.4\n");
  const changed = await program("POST", `/files/${body.id}/columns`, { separator: ";", header: 2 });
  expect(changed.body).toMatchObject({
    header: ["id", "name", "lat", "lng"],
    format: { separator: ";", header_line: 2 },
  });
  const type = { "content-type": "multipart/form-data; boundary=x" };
  expect((await program("POST", "/files?name=x.csv", "--x", type)).status).toBe(400);
  const none = await program(
    "POST",
    "/files",
    '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
    type,
  );
  expect([none.status, none.body.detail]).toEqual([400, expect.stringContaining("no file")]);
  expect((await program("POST", "/files?name=x.csv", "")).status).toBe(400);
  expect((await program("POST", "/files", LIST)).status).toBe(400);
});

test("W107: a file may come in a form, under its name there, and once by its Idempotency-Key though each form has a boundary of its own", async () => {
  const inForm = (boundary: string) =>
    program(
      "POST",
      "/files",
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="in-form.csv"\r\n\r\n${LIST}\r\n--${boundary}--\r\n`,
      { "content-type": `multipart/form-data; boundary=${boundary}`, "idempotency-key": "form-1" },
    );
  const sent = await inForm("aaaa");
  expect([sent.status, sent.body.name]).toEqual([201, "in-form.csv"]);
  expect((await program("GET", `/files/${sent.body.id}/columns`)).body.header).toEqual([
    "id",
    "shop",
    "lat",
    "lng",
    "tel",
  ]);
  expect((await inForm("bbbb")).body).toEqual(sent.body);
});

test("W102: a token of chosen files sees what it uploads, and its next draft, and nothing else", async () => {
  const { body } = await limited("POST", "/files?name=own.csv", LIST);
  const seen = await limited("GET", "/files");
  expect(seen.body.files.map(({ id }: { id: string }) => id)).toEqual([body.id]);
  await database.prisma.harmonization.update({ where: { id: body.id }, data: { state: "cancelled" } });
  const again = await limited("POST", `/files/${body.id}/again`, {});
  expect(again.status).toBe(201);
  expect((await limited("GET", "/files")).body.files).toHaveLength(2);
});

test("files come in pages without a gap or a repetition, also when several are of one moment", async () => {
  const createdAt = new Date("2020-01-01T00:00:00Z");
  for (let at = 0; at < 7; at += 1)
    await makeHarmonization(database, owner, [], { directory, name: `paged ${at}`, createdAt });
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body } = await program("GET", `/files?q=paged&limit=3${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.files.map(({ name }: { name: string }) => name));
    cursor = body.next_cursor;
  }
  expect(seen.toSorted()).toEqual(Array.from({ length: 7 }, (_, at) => `paged ${at}`));
  expect((await program("GET", "/files?cursor=x")).status).toBe(400);
});

test("rows come in pages with the filters of the page, and each row with its candidates", async () => {
  const file = await makeHarmonization(database, owner, manyListings(), { directory });
  const at = `/files/${file.id}`;
  const seen: number[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body } = await program("GET", `${at}/rows${cursor && `?cursor=${cursor}`}`);
    seen.push(...body.rows.map(({ number }: { number: number }) => number));
    cursor = body.next_cursor;
  }
  expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
  const review = await program("GET", `${at}/rows?show=review&sort=score`);
  expect(review.body.rows).toHaveLength(24);
  const named = await program("GET", `${at}/rows?q=Broken`);
  expect(named.body.rows[0]).toMatchObject({ outcome: "failed", venue_id: null, why: expect.any(String) });
  const row = await program("GET", `${at}/rows/1`);
  expect(row.body).toMatchObject({
    number: 1,
    candidates: [{ id: "sure-0", score: 0.999, evidence: expect.any(Array) }],
  });
  for (const odd of ["0", "121", "x", "1e9"])
    expect([odd, (await program("GET", `${at}/rows/${odd}`)).status]).toEqual([odd, 404]);
  const state = await program("GET", at);
  expect(state.body).toMatchObject({
    state: "ready",
    counts: { matched: 71, review: 24, none: 21, failed: 4, pending: 0 },
  });
});

test("W106: decisions of a program are those of its person: one, several of which one is late, all of a list, and the undo of each", async () => {
  const file = await makeHarmonization(database, owner, ["A", "B", "C", "D", "E"].map(doubtful), { directory });
  const at = `/files/${file.id}`;
  const { body: first } = await program("GET", `${at}/rows/1`);
  const decided = await program("POST", `${at}/rows/1/decision`, {
    decision: "matched",
    venue_id: "A-b",
    seen: first.seen,
  });
  expect(decided.body).toMatchObject({ decision: "matched", venue_id: "A-b" });
  const late = await program("POST", `${at}/rows/1/decision`, { decision: "rejected", seen: first.seen });
  expect([late.status, late.body.code]).toEqual([409, expect.any(String)]);
  const several = await program("POST", `${at}/decisions`, {
    decisions: [
      { number: 1, decision: "rejected", seen: first.seen },
      { number: 2, decision: "rejected" },
      { number: 3, decision: "matched", venue_id: "C-a" },
      { number: 99, decision: "rejected" },
    ],
  });
  expect(several.body.decided).toBe(2);
  expect(several.body.results.map(({ is_decided: isDecided }: { is_decided: boolean }) => isDecided)).toEqual([
    false,
    true,
    true,
    false,
  ]);
  const rest = await program("POST", `${at}/decisions/all`, {
    decision: "matched",
    list: { show: "review" },
    expected: 2,
  });
  expect(rest.body).toMatchObject({ changed: 2 });
  expect((await program("POST", `${at}/undo`)).body).toMatchObject({ restored: 2 });
  expect((await program("POST", `${at}/undo`)).body).toMatchObject({ restored: 1 });
  const steps = await database.prisma.decisionStep.findMany({ where: { harmonizationId: file.id } });
  expect(new Set(steps.map(({ accountId, via }) => `${accountId} ${via}`))).toEqual(new Set([`${owner} program`]));
  expect((await program("POST", `${at}/decisions/all`, { decision: "matched" })).status).toBe(400);
});

test("every format is exported, also narrowed to a list, and ids are looked up both ways", async () => {
  const file = await makeHarmonization(
    database,
    owner,
    [
      {
        ...doubtful("A"),
        more: {
          ownId: "own-1",
          decision: "matched",
          venueId: "A-a",
          venueName: "A",
          decidedHow: "person",
          decidedAt: new Date(),
        },
      },
      doubtful("B"),
    ],
    { directory },
  );
  const at = `/files/${file.id}/export`;
  const before = web.logs.lines.length;
  for (const format of [
    "csv",
    "xlsx",
    "geojson",
    "parquet",
    "json",
    "ndjson",
    "failed",
    "mapping-csv",
    "mapping-ndjson",
    "bridge-csv",
    "bridge-parquet",
  ]) {
    const { status, text, headers } = await program("GET", `${at}?format=${format}`);
    expect([format, status, text.length > 0]).toEqual([format, 200, true]);
    expect(headers.get("content-disposition")).toContain("attachment");
  }
  const errors = web.logs.lines.slice(before).filter((line) => JSON.parse(line).level >= 50);
  expect(errors, "an answer that is already sent is no error").toEqual([]);
  expect((await program("GET", `${at}?format=ndjson&show=review`)).text.trim().split("\n")).toHaveLength(1);
  expect((await program("GET", `${at}?format=doc`)).status).toBe(400);
  const found = await program("POST", "/mappings", { ids: ["own-1", "A-a", "nowhere"] });
  expect(found.body.mappings[0]).toMatchObject({ listing_id: "own-1", venue_id: "A-a", file: { id: file.id } });
  expect(found.body.unknown).toEqual(["nowhere"]);
});

test("adding, annotating and undoing begin once, and a draft, or nothing to do, is refused in words", async () => {
  const file = await makeHarmonization(
    database,
    owner,
    [{ name: "New", more: { query: { name: "New", ll: { lat: 41.8, lng: -71.4 } } } }],
    { directory },
  );
  const at = `/files/${file.id}`;
  const need = await program("POST", `${at}/add`, {});
  expect([need.status, need.body.detail]).toEqual([400, expect.stringContaining("category_id")]);
  const added = await program("POST", `${at}/add`, { leave_out: true });
  expect([added.status, added.body]).toEqual([202, { id: file.id, begun: true }]);
  expect((await program("POST", `${at}/add`, { leave_out: true })).status).toBe(409);
  expect((await program("POST", `${at}/annotate`)).status).toBe(409);
  expect((await program("POST", `${at}/undo-adding`)).status).toBe(409);
});

test("W107: a call with an Idempotency-Key is made once, answered alike, also of two at once, and its key is for no other call", async () => {
  const key = { "idempotency-key": "upload-1" };
  const calls = () => program("POST", "/files?name=once.csv", LIST, key);
  const answers = await Promise.all([calls(), calls(), calls()]);
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
  const [first] = answers.filter(({ status }) => status === 201);
  for (const { status, body } of answers)
    expect([status, body.id ?? body.code]).toEqual(status === 201 ? [201, first?.body.id] : [409, "in_progress"]);
  expect((await calls()).body).toEqual(first?.body);
  expect(await database.prisma.harmonization.count({ where: { name: "once.csv" } })).toBe(1);
  const other = await program("POST", "/files?name=other.csv", LIST, key);
  expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
  expect((await program("POST", "/mappings", {}, { "idempotency-key": "x".repeat(201) })).status).toBe(400);
  const file = await makeHarmonization(database, owner, [doubtful("F")], { directory });
  const undo = () => program("POST", `/files/${file.id}/undo`, undefined, { "idempotency-key": "fails-first" });
  expect((await undo()).body.code).toBe("conflict");
  await program("POST", `/files/${file.id}/rows/1/decision`, { decision: "rejected" });
  expect((await undo()).body).toMatchObject({ restored: 1 });
  expect((await undo()).body).toMatchObject({ restored: 1 });
});

test("W193: a call that is refused because it was carried out by an attempt that died says so, and a first attempt does not", async () => {
  const file = await makeHarmonization(database, owner, [doubtful("F")], { directory });
  const undo = (key: string) => program("POST", `/files/${file.id}/undo`, undefined, { "idempotency-key": key });
  await program("POST", `/files/${file.id}/rows/1/decision`, { decision: "rejected" });
  expect((await undo("carried-out")).body).toMatchObject({ restored: 1 });
  await database.prisma.apiCall.updateMany({
    where: { key: "carried-out" },
    data: { status: null, createdAt: new Date(Date.now() - 61_000) },
  });
  for (const attempt of ["second", "third"])
    expect((await undo("carried-out")).body, attempt).toMatchObject({ code: "conflict", earlier_attempt: true });
  expect((await undo("another")).body).not.toHaveProperty("earlier_attempt");
});

test("W197: what a call has made before its process died is not made again", async () => {
  const file = await makeHarmonization(database, owner, [doubtful("G")], { directory });
  const dies = (key: string) =>
    database.prisma.apiCall.updateMany({
      where: { key },
      data: { status: null, createdAt: new Date(Date.now() - 61_000) },
    });
  const repair = { kind: "set", field: "address", value: "1 Main Street" };
  const add = () => program("POST", `/files/${file.id}/repairs`, { repairs: [repair] }, { "idempotency-key": "add" });
  const added = (await add()).body.repairs;
  await dies("add");
  const again = await add();
  expect(again).toMatchObject({ status: 202, body: { repairs: added } });

  const form = () => ({ "idempotency-key": "upload", "content-type": "text/csv" });
  const upload = () => program("POST", "/files?name=once.csv", "name,city\nJoe,Newport\n", form());
  const { id } = (await upload()).body;
  await dies("upload");
  expect(await upload()).toMatchObject({ status: 201, body: { id } });

  await dies("upload");
  await database.prisma.harmonization.update({ where: { id }, data: { state: "uploading" } });
  expect(await upload(), "of an incomplete one").toMatchObject({ status: 201, body: { id, state: "draft" } });
});

test("W107: a key whose call died with its process is taken over after a minute, and not before", async () => {
  const key = { "idempotency-key": "died" };
  await program("POST", "/mappings", { ids: ["b"] }, key);
  await database.prisma.apiCall.updateMany({ where: { key: "died" }, data: { status: null } });
  expect((await program("POST", "/mappings", { ids: ["b"] }, key)).status).toBe(409);
  await database.prisma.apiCall.updateMany({
    where: { key: "died" },
    data: { createdAt: new Date(Date.now() - 61_000) },
  });
  expect((await program("POST", "/mappings", { ids: ["c"] }, key)).status).toBe(422);
  expect((await program("POST", "/mappings", { ids: ["b"] }, key)).status).toBe(200);
});
