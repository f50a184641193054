import { describe, expect, test } from "vitest";
import { Prisma } from "../../../src/db/generated/client.ts";
import { previewFile } from "../../../src/harmonize/file/preview.ts";
import { readListings } from "../../../src/harmonize/file/read-listings.ts";
import { receiveFile } from "../../../src/harmonize/file/receive.ts";
import { deleteAll, discardLostUploads } from "../../../src/harmonize/run/deletion.ts";
import { FILE_LIMITS } from "../../../src/shared/file-limits.ts";
import { startFiles } from "./reader.ts";

const { database, deps, sent, load, upload, read, uploadAndRead, listings } = await startFiles();
const { prisma, pool } = database;

const many = (count: number) =>
  `id,name,lat,lng\n${Array.from({ length: count }, (_, index) => `${index},Place ${index},41.8,-71.4\n`).join("")}`;
const counts = async (harmonizationId: string) => [
  await prisma.listing.count({ where: { harmonizationId } }),
  await prisma.filePart.count({ where: { harmonizationId } }),
];

describe("reading a file", () => {
  test("leaves out a total at the end, with a word; a place called Total stays", async () => {
    const text = "name,address,city,Sales\nJoe,1 Main St,Providence,5\nTotal,3 Elm St,Providence,2\nTotal:,,,7\n";
    expect(await previewFile(deps, await upload(text))).toMatchObject({
      ...{ rows: 2, isWhole: true },
      warnings: ["The last row (line 4) is left out: it says only “Total:”, which is no place."],
    });
    const { id, listingCount } = await uploadAndRead(text);
    expect([listingCount, (await listings(id)).map(({ line }) => line)]).toEqual([2, [2, 3]]);
    expect(await previewFile(deps, await upload("name\nShell\nTotal\n"))).toMatchObject({ rows: 2 });
  });

  test("leaves out a total that says of how many; a place whose name begins with a number stays", async () => {
    const text = (last: string) => `No.,Shop,Town,Sales\n1,Joe,Providence,5\n2,7-Eleven,Providence,2\n${last}\n`;
    for (const last of ["Total,2 shops,,7", "Summe:,2,,7"])
      expect(await previewFile(deps, await upload(text(last)))).toMatchObject({
        rows: 2,
        warnings: expect.arrayContaining([expect.stringMatching(/^The last row \(line 4\) is left out/)]),
      });
    for (const last of ["3,7-Eleven,,7", "Total,7-Eleven,Providence,7"])
      expect(await previewFile(deps, await upload(text(last)))).toMatchObject({ rows: 3 });
  });

  test("is preceded by a word of how little name and town say", async () => {
    const warningsOf = async (text: string) => (await previewFile(deps, await upload(text))).warnings.join();
    expect(await warningsOf("name,city\nJoe,Providence\n")).toContain("Only name and town say which venue");
    expect(await warningsOf("name,city,phone\nJoe,Providence,(401) 555-0100\n")).toBe("");
  });

  test("W14: makes a listing of every row, with its query or the reason of its failure", async () => {
    const text = `id,name,lat,lng,city,phone
1,Joe’s "Pizza",41.8236,-71.4222,Providence,(401) 555-0100
2,Broken,181,41,,
3,,41.8,-71.4,,
4,Only a town,,,Providence,not a phone
5,Nowhere,,,,
6,Swapped,-171.4,41.8,,
7,\\N back\\slash {"a"},41.8,-71.4,,
8,Too,many,cells,here,for,it
`.replace('Joe’s "Pizza"', '"Joe’s ""Pizza"", 😀"');
    const found = await uploadAndRead(text);
    expect(found).toMatchObject({ state: "matching", listingCount: 8, startedAt: expect.any(Date), matchedAt: null });
    expect(await counts(found.id)).toEqual([8, 0]);
    expect(sent).toContainEqual({ kind: "match", harmonizationId: found.id, portion: 0 });
    const rows = await listings(found.id);
    expect(rows.map(({ number, line, ownId }) => [number, line, ownId])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => [n, n + 1, String(n)]),
    );
    expect(rows.map(({ query, problem }) => query ?? (problem as { code: string }).code)).toEqual([
      { name: 'Joe’s "Pizza", 😀', ll: { lat: 41.8236, lng: -71.4222 }, city: "Providence", phone: "(401) 555-0100" },
      "position_out_of_range",
      "no_name",
      { name: "Only a town", near: "Providence", city: "Providence" },
      "no_place",
      "position_out_of_range",
      { name: '\\N back\\slash {"a"}', ll: { lat: 41.8, lng: -71.4 } },
      "too_many_cells",
    ]);
    expect(rows.map(({ status }) => status)).toEqual([
      "pending",
      "failed",
      "failed",
      "pending",
      "failed",
      "failed",
      "pending",
      "failed",
    ]);
    expect(rows[5]?.problem).toMatchObject({
      column: "lat",
      value: "-171.4",
      swapped: { lat: -171.4 },
    });
    expect(rows[6]?.cells).toEqual(["7", '\\N back\\slash {"a"}', "41.8", "-71.4", "", ""]);
  });

  test("cuts the listings into portions of neighbours, wherever they are in the file", async () => {
    const towns = [41.8, -33.9, 52.5].map((lat, index) => `${lat},${[-71.4, 151.2, 13.4][index]}`);
    const rows = Array.from({ length: 3000 }, (_, index) => `${index},Place ${index},${towns[index % 3]}\n`);
    const { id } = await uploadAndRead(`id,name,lat,lng\n${rows.join("")}`);
    const portions = await prisma.portion.findMany({ where: { harmonizationId: id }, orderBy: { number: "asc" } });
    expect(portions.map(({ number, tries }) => [number, tries])).toEqual([0, 1, 2].map((number) => [number, 0]));
    for (const { listings } of portions) {
      expect(listings).toHaveLength(1000);
      expect(new Set(listings.map((number) => number % 3)).size).toBe(1);
    }
  });

  test("makes the run ready at once if no row has a query", async () => {
    expect(await uploadAndRead("id,name\n1,A\n2,B\n")).toMatchObject({ state: "ready", listingCount: 2 });
  });

  /** Reads a file, and waits at the first row until `goOn` is called. */
  async function readSlowly() {
    const { id } = await upload(many(2000), { state: "reading" });
    const before = await counts(id);
    const [client, controller] = [await pool.connect(), new AbortController()];
    await client.query("BEGIN; LOCK TABLE app.listing IN SHARE MODE");
    const reading = read(await load(id), controller.signal);
    reading.catch(() => {});
    const waiting = `FROM pg_stat_activity WHERE application_name = 'samespot reading' AND datname = current_database()
      AND query LIKE 'COPY%' AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(`SELECT ${waiting}`)).rowCount).toBe(1);
    const goOn = async () => client.release(await client.query("ROLLBACK").then(() => false));
    const kill = () => pool.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
    return { id, before, controller, reading, goOn, kill };
  }

  test("F17: stores all rows or none when the worker is stopped, and all in the next attempt", async () => {
    const { id, before, controller, reading, goOn } = await readSlowly();
    controller.abort();
    await expect(reading).rejects.toThrow("aborted");
    await goOn();
    expect([await counts(id), (await load(id)).state]).toEqual([before, "reading"]);
    // The server may notice the lost connection late.
    const again = async () => [await read(await load(id)), (await load(id)).state][1];
    await expect.poll(again).toBe("matching");
    expect(await counts(id)).toEqual([2000, 0]);
  });

  test("F17: stores all rows or none when its connection is killed", async () => {
    const { id, before, reading, goOn, kill } = await readSlowly();
    await kill();
    await expect(reading).rejects.toThrow();
    await goOn();
    expect([await counts(id), (await load(id)).state]).toEqual([before, "reading"]);
  });

  test("F17: stores all rows or none when it fails after the last row", async () => {
    const { id } = await upload(many(10), { state: "reading" });
    const before = await counts(id);
    await pool.query(`CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'cut'; END $$;
      CREATE TRIGGER keep BEFORE DELETE ON app.file_part EXECUTE FUNCTION keep()`);
    await expect(read(await load(id))).rejects.toThrow("cut");
    await pool.query("DROP FUNCTION keep CASCADE");
    expect([await counts(id), (await load(id)).state]).toEqual([before, "reading"]);
    await read(await load(id));
    expect(await counts(id)).toEqual([10, 0]);
  });

  test("happens once for concurrent workers, and is not repeated", async () => {
    const { id } = await upload(many(5000), { state: "reading" });
    const harmonization = await load(id);
    await Promise.all([read(harmonization), read(harmonization), read(harmonization)]);
    await read(harmonization);
    expect([await counts(id), (await load(id)).state]).toEqual([[5000, 0], "matching"]);
  });

  test.each(["before its end", "at its end"])("stores nothing when cancelled %s", async (when) => {
    const { id, before, reading, goOn } = await readSlowly();
    await prisma.harmonization.update({ where: { id }, data: { state: "cancelled" } });
    if (when === "at its end") await goOn();
    await reading.catch(() => {});
    if (when !== "at its end") await goOn();
    expect([await counts(id), (await load(id)).state]).toEqual([before, "cancelled"]);
  });
});

describe("the next edition of a list", () => {
  const CSV =
    "id,name,lat,lng\na,One,41.8,-71.4\nb,Two,41.8,-71.4\nc,Three,41.8,-71.4\nd,Four,41.8,-71.4\ne,Five,41.8,-71.4\n";

  test("keeps the decisions of unchanged rows", async () => {
    const { id: previousId } = await uploadAndRead(CSV);
    const set = (number: number, data: object) =>
      prisma.listing.update({ where: { harmonizationId_number: { harmonizationId: previousId, number } }, data });
    const [v1, decidedAt] = [{ id: "v1", name: "V1" }, new Date("2026-01-02T03:04:05Z")];
    const why = { code: "evidence", said: ["same sign"] };
    const asked = { status: "asked", score: 0.9, bestId: "v1", candidates: [v1], pattern: "name++" };
    await set(1, { ...asked, decision: "matched", venueId: "v2", venueName: "V2", decidedAt, why });
    await set(2, { ...asked, decision: "rejected", decidedAt });
    await set(3, { ...asked, isClear: true }); // accepted by the cut
    await set(4, { ...asked, isClear: false }); // waits for a person
    await set(5, { ...asked, decision: "added", venueId: "v5", decidedAt });
    const changed = CSV.replace("e,Five", "e,Five Stars").replace("lat,lng\n", "lat,lng\nf,New,41.8,-71.4\n");
    const { id, state } = await uploadAndRead(changed, { previousId });
    expect(state).toBe("matching");
    const rows = (await listings(id)).map(({ ownId, status, decision, venueId, venueName, decidedHow, why }) => [
      ...[ownId, status, decision, venueId, venueName, decidedHow, why],
    ]);
    expect(rows).toEqual([
      ["f", "pending", null, null, null, null, null],
      ["a", "asked", "matched", "v2", "V2", "kept", why],
      ["b", "asked", "rejected", null, null, "kept", null],
      ["c", "asked", "matched", "v1", "V1", "kept", null],
      ["d", "pending", null, null, null, null, null],
      ["e", "pending", null, null, null, null, null],
    ]);
    const [, kept] = await listings(id);
    expect(kept).toMatchObject({ decidedAt, score: expect.closeTo(0.9), candidates: [v1], pattern: "name++" });
  });

  test("keeps the corrections of unchanged rows, and asks about those that are undecided", async () => {
    const csv = CSV.replace("b,Two,41.8", "b,Two,north");
    const { id: previousId } = await uploadAndRead(csv);
    const mended = (name: string, ll: object | null = { lat: 41.8, lng: -71.4 }) => ({
      ...{
        name,
        ll: { lat: 1, lng: 2 },
        mended: { was: { ll }, by: "35043666-2397-4619-a809-eca019d1c18c", at: "2026-01-02T03:04:05Z" },
      },
    });
    const set = (number: number, data: object) =>
      prisma.listing.update({ where: { harmonizationId_number: { harmonizationId: previousId, number } }, data });
    await set(1, { status: "asked", query: mended("One"), decision: "matched", venueId: "v1" });
    await set(2, { status: "asked", query: mended("Two", null), problem: Prisma.DbNull });
    await set(3, { status: "asked", query: mended("Three") });
    const { id } = await uploadAndRead(csv.replace("c,Three", "c,Third"), { previousId });
    const rows = (await listings(id)).map(({ status, decision, query, problem }) => [status, decision, query, problem]);
    expect(rows.slice(0, 3)).toEqual([
      ["asked", "matched", mended("One"), null],
      ["pending", null, mended("Two", null), null],
      ["pending", null, { name: "Third", ll: { lat: 41.8, lng: -71.4 } }, null],
    ]);
  });
});

test("F17: an upload is deleted a minute after its process was killed, but not while it is arriving", async () => {
  const [lost, slow] = [await upload(many(10)), await upload(many(10))];
  const minutes = (count: number) => new Date(Date.now() - count * 60_000);
  const [createdAt, state] = [minutes(50), "uploading" as const];
  await prisma.harmonization.update({ where: { id: lost.id }, data: { state, createdAt, startedAt: minutes(1.1) } });
  await prisma.harmonization.update({ where: { id: slow.id }, data: { state, createdAt, startedAt: minutes(0.9) } });
  await discardLostUploads(deps);
  const states = async () =>
    (await prisma.harmonization.findMany({ orderBy: { id: "asc" } })).map((each) => [each.id, each.state]);
  expect(await states()).toEqual(
    expect.arrayContaining([
      [lost.id, "deleting"],
      [slow.id, "uploading"],
    ]),
  );
  for (const id of [lost.id, slow.id]) {
    const h = await prisma.harmonization.findUniqueOrThrow({ where: { id } });
    await deleteAll(deps, h, { signal: new AbortController().signal });
  }
  expect([await counts(lost.id), await counts(slow.id)]).toEqual([
    [0, 0],
    [0, 1],
  ]);
  expect(await prisma.harmonization.count({ where: { id: { in: [lost.id, slow.id] } } })).toBe(1);
});

test("W11: a file is rejected as soon as it exceeds the limit, and nothing stays", async () => {
  let sent = 0;
  async function* bytes() {
    for (; ; sent += 1) yield Buffer.alloc(1024 * 1024, "a,b\n");
  }
  const before = await prisma.filePart.count();
  const storing = receiveFile(
    { ...deps, limits: { ...FILE_LIMITS, megabytes: 2 } },
    { accountId: null, name: "endless.csv", bytes: bytes(), signal: new AbortController().signal },
  );
  await expect(storing).rejects.toMatchObject({ status: 413, message: expect.stringContaining("2 MB") });
  expect(sent).toBe(2);
  const left = await prisma.harmonization.count({ where: { name: "endless.csv" } });
  expect([await prisma.filePart.count(), left]).toEqual([before, 0]);
});

test("W11: a file with too many rows becomes a draft again with a message, and no rows are stored", async () => {
  const harmonization = await upload(many(300), { state: "reading" });
  await readListings({ ...deps, limits: { ...FILE_LIMITS, rows: 299 } }, harmonization, {
    signal: new AbortController().signal,
  });
  const { id } = harmonization;
  expect(await load(id)).toMatchObject({
    state: "draft",
    trial: { state: "done", error: { code: "too_many_rows", most: 299 } },
  });
  expect(await counts(id)).toEqual([0, 1]);
});

test("F17: the next worker completes a killed deletion, however much is left", async () => {
  const { id } = await uploadAndRead(many(6000));
  await prisma.harmonization.update({ where: { id }, data: { state: "deleting" } });
  await pool.query("DELETE FROM app.listing WHERE harmonization_id = $1 AND number <= 500", [id]);
  const h = await prisma.harmonization.findUniqueOrThrow({ where: { id } });
  await deleteAll(deps, h, { signal: new AbortController().signal });
  expect([await counts(id), await prisma.harmonization.count({ where: { id } })]).toEqual([[0, 0], 0]);
});
