import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import { FILE_LIMITS } from "../../../src/shared/file-limits.ts";
import { missing, startBridges } from "./bridges.ts";

const bridges = await startBridges();
const { list, send, run, listings, outcomes } = bridges;

const overture = async (): Promise<Buffer> => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "samespot-overture-")), "part-0.parquet");
  const duckdb = await (await DuckDBInstance.create()).connect();
  await duckdb.run(`COPY (SELECT * FROM (VALUES
      ('08f2', '123', '2026-01-02T00:00:00Z', 'meta', 'places', 'place', NULL::DOUBLE[], NULL::DOUBLE[]),
      ('08f3', 'own-1', NULL, 'Microsoft', 'places', 'place', [0.0, 0.5], NULL),
      ('08f4', 'own-2', NULL, 'Microsoft', 'places', 'place', NULL, NULL),
      (NULL, 'own-3', NULL, 'Microsoft', 'places', 'place', NULL, NULL))
    AS t(id, record_id, update_time, dataset, theme, "type", "between", dataset_between))
    TO '${file}' (FORMAT parquet, COMPRESSION zstd)`);
  duckdb.closeSync();
  return readFileSync(file);
};

test("of Overture's own bridge file only the rows of the chosen data set are taken", async () => {
  const h = await list([{ name: "One" }, { name: "Two" }, { name: "Three" }]);
  const bytes = await overture();
  await expect(send(h, bytes)).rejects.toThrow(
    "This bridge file is about several data sets. Name one of these as the data set: Microsoft (3), meta (1).",
  );
  await expect(send(h, bytes, { dataset: "PinMeTo" })).rejects.toThrow("has no rows of the data set “PinMeTo”");
  await send(h, bytes, { dataset: "Microsoft" });
  await run(h);
  expect(await outcomes(h)).toEqual(["own-1 08f3 decided", "own-2 08f4 decided", "own-3  unreadable"]);
  expect(await bridges.bridge(h)).toMatchObject({ dataset: "Microsoft", rows: 3, others: 1 });
});

test("of several data sets the one with the list's name is taken", async () => {
  const h = await list([{ name: "One" }], "my shops");
  await send(h, "id,record_id,dataset\na,own-1,other\nb,own-1,my shops\n");
  await run(h);
  expect((await listings(h))[0]?.venueId).toBe("b");
});

test("a file that is no bridge file is refused with the columns that it needs and has, and leaves nothing behind", async () => {
  const h = await list([{ name: "One" }]);
  await expect(send(h, "name,lat,lng\nA,1,2\n")).rejects.toThrow(
    "A bridge file has the columns id (of the venue) and record_id (of the row). This one has: name, lat, lng.",
  );
  await expect(send(h, "id,record_id\n")).rejects.toMatchObject({ status: 400 });
  await expect(send(h, "PAR1 but not really PAR1")).rejects.toMatchObject({ status: 400 });
  expect(await bridges.bridge(h)).toBeUndefined();
  expect(await bridges.database.prisma.harmonization.count({ where: { state: "uploading" } })).toBe(0);
  expect(await bridges.database.prisma.filePart.count()).toBe(0);
});

test("a bridge file with numbers, nested values and very long ids is read, and its odd rows are named", async () => {
  const h = await list([{ name: "One", more: { ownId: "7" } }, { name: "Two" }]);
  const rows = [
    { id: "a", record_id: 7 },
    { id: { deep: ["b"] }, record_id: "own-2" },
    { id: "c", record_id: null },
    { id: "d".repeat(600), record_id: "own-2" },
    { id: "e\u0000", record_id: "own-2" },
  ];
  await send(h, rows.map((row) => JSON.stringify(row)).join("\n"), { name: "b.ndjson" });
  await run(h);
  expect((await listings(h)).map(({ venueId }) => venueId)).toEqual(["a", expect.anything()]);
  const found = await outcomes(h);
  expect(found).toHaveLength(5);
  expect(found[0]).toBe("7 a decided");
  expect(found.filter((row) => row.endsWith(" unreadable")).length).toBeGreaterThanOrEqual(3);
});

test("F48: a bridge file of more than ten times the rows of a list is refused with the limit, and leaves nothing behind", async () => {
  const h = await list([{ name: "One" }]);
  const rows = (count: number) => `id,record_id\n${Array.from({ length: count }, (_, at) => `v,r${at}`).join("\n")}\n`;
  const limits = { ...FILE_LIMITS, rows: 3 };
  await expect(send(h, rows(31), { limits })).rejects.toMatchObject({
    ...{ status: 413, message: "A bridge file may have at most 30 rows. Split it, or keep only your data set." },
  });
  expect(await bridges.bridge(h)).toBeUndefined();
  expect(await bridges.database.prisma.filePart.count()).toBe(0);
  await send(h, rows(30), { limits });
  expect(await bridges.bridge(h)).toMatchObject({ rows: 30 });
});

test("a second bridge file is refused while the first is taken over, and takes its place afterwards", async () => {
  const h = await list([{ name: "One" }, { name: "Two" }]);
  await send(h, "id,record_id\na,own-1\n");
  await expect(send(h, "id,record_id\nb,own-2\n")).rejects.toMatchObject({ status: 409 });
  await run(h);
  await send(h, "id,record_id\nb,own-2\n");
  await run(h);
  expect(await outcomes(h)).toEqual(["own-2 b decided"]);
  expect((await listings(h)).map(({ venueId }) => venueId)).toEqual(["a", "b"]);
});
const { others } = bridges;

const silent = () => new DirectoryError("invalid_answer");

/** Venues that a row may name: what the directory says of each, and what becomes of such a row alone. */
const VENUES: Record<string, { other?: object; outcome?: string; now?: string }> = {
  open: { now: "open" },
  open2: { now: "open2" },
  merged: { other: { id: "open" }, now: "open" },
  merged2: { other: { id: "third" }, now: "third" },
  ring1: { other: { id: "ring2" }, now: "ring2" },
  ring2: { other: { id: "ring1" }, now: "ring1" },
  renamed: { other: { name: "VENUE OPEN!" }, now: "renamed" },
  closed: { other: { closed: true }, outcome: "closed" },
  shut: { other: { id: "third", closed: true }, outcome: "closed" },
  gone: { other: { error: missing() }, outcome: "unknown_venue" },
  odd: { other: { error: silent() }, outcome: "unanswered" },
  "": { outcome: "unreadable" },
};
const KINDS = Object.keys(VENUES);
const PAIRS = KINDS.flatMap((one) => KINDS.map((two) => [one, two] as const));

/** What docs/bridge-files.md says of two rows with one record. */
function expected([one, two]: readonly [string, string]): [outcomes: string[], venue: string | null] {
  const [first, second] = [VENUES[one] ?? {}, VENUES[two] ?? {}];
  if (first.now && second.now)
    return first.now === second.now
      ? [["decided", "repeated"], first.now]
      : [["several_venues", "several_venues"], null];
  return [[first.outcome ?? "decided", second.outcome ?? "decided"], first.now ?? second.now ?? null];
}

test("F48: every pair of rows for one record decides its listing once or says why not, and all is undone together", async () => {
  for (const [id, { other }] of Object.entries(VENUES)) if (other) others[id] = other;
  const h = await list(PAIRS.map((_, at) => ({ name: `Shop ${at}` })));
  const rows = PAIRS.flatMap(([one, two], at) => [`own-${at + 1},${one}`, `own-${at + 1},${two}`]);
  await send(h, `record_id,id\n${rows.join("\n")}\n`);
  await Promise.all([run(h), run(h)]); // two workers, if the first only seemed dead
  const found = await outcomes(h);
  const became = found.map((row) => row.split(" ").at(-1));
  const shown = PAIRS.map((pair, at) => [...pair, became.slice(2 * at, 2 * at + 2)]);
  expect(shown).toEqual(PAIRS.map((pair) => [...pair, expected(pair)[0]]));
  const decided = (await listings(h)).map(({ venueId }) => venueId);
  expect(decided).toEqual(PAIRS.map((pair) => expected(pair)[1]));
  const steps = await bridges.database.prisma.decisionStep.count({ where: { harmonizationId: h.id } });
  expect(steps).toBe(decided.filter((id) => id !== null).length);
  await bridges.undo(h);
  expect(new Set((await listings(h)).map(({ decision }) => decision))).toEqual(new Set([null]));
});
