import { expect, test } from "vitest";
import { readListings } from "../../../src/harmonize/file/read-listings.ts";
import { receiveFile } from "../../../src/harmonize/file/receive.ts";
import { deleteAll } from "../../../src/harmonize/run/deletion.ts";
import { FILE_LIMITS } from "../../../src/shared/file-limits.ts";
import { startFiles } from "./reader.ts";

const { deps, database, load, upload, uploadAndRead } = await startFiles();
const { signal } = new AbortController();
const { prisma, pool } = database;

const MB = 1024 * 1024;

const ROW_BYTES = 4096;

/** Yields rows of ROW_BYTES each. */
async function* rows(bytes: number) {
  const filler = "x".repeat(ROW_BYTES - 64);
  yield Buffer.from("id,name,lat,lng,description\n");
  for (let number = 0; number < bytes / ROW_BYTES; number += 64) {
    const lines = Array.from(
      { length: 64 },
      (_, index) => `${String(number + index).padStart(9, "0")},Place,41.82,-71.41,`,
    );
    yield Buffer.from(lines.map((line) => `${line}${filler}\n`).join(""));
  }
}

/** Returns the maximum growth of this process in MB during `work`. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  await work().finally(() => clearInterval(timer));
  return (most - before) / MB;
}

test("W11: a file of 100 MB is stored and read in little memory", async () => {
  const store = (bytes: number) =>
    receiveFile(deps, { accountId: null, name: "large.csv", bytes: rows(bytes), signal });
  await store(10 * MB); // until then the memory of this process grows for many reasons
  let id = "";
  const stored = growth(async () => {
    id = await store(100 * MB);
  });
  expect(await stored).toBeLessThan(200);
  await prisma.harmonization.update({ where: { id }, data: { state: "reading" } });
  const harmonization = await load(id);
  expect(await growth(() => readListings(deps, harmonization, { signal }))).toBeLessThan(200);
  expect((await load(id)).listingCount).toBe((100 * MB) / ROW_BYTES);
});

test("W11: a file is rejected as soon as it exceeds the limit, and nothing stays", async () => {
  let sent = 0;
  async function* bytes() {
    for (; ; sent += 1) yield Buffer.alloc(MB, "a,b\n");
  }
  const before = await prisma.filePart.count();
  const storing = receiveFile(
    { ...deps, limits: { ...FILE_LIMITS, megabytes: 20 } },
    { accountId: null, name: "endless.csv", bytes: bytes(), signal },
  );
  await expect(storing).rejects.toMatchObject({ status: 413, message: expect.stringContaining("20 MB") });
  expect(sent).toBe(20);
  const left = await prisma.harmonization.count({ where: { name: "endless.csv" } });
  expect([await prisma.filePart.count(), left]).toEqual([before, 0]);
});

const many = (count: number) =>
  `id,name,lat,lng\n${Array.from({ length: count }, (_, index) => `${index},Place ${index},41.8,-71.4\n`).join("")}`;
const counts = async (harmonizationId: string) => [
  await prisma.listing.count({ where: { harmonizationId } }),
  await prisma.filePart.count({ where: { harmonizationId } }),
];

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
  const { id } = await uploadAndRead(many(12_000));
  await prisma.harmonization.update({ where: { id }, data: { state: "deleting" } });
  await pool.query("DELETE FROM app.listing WHERE harmonization_id = $1 AND number <= 5000", [id]);
  const h = await prisma.harmonization.findUniqueOrThrow({ where: { id } });
  await deleteAll(deps, h, { signal: new AbortController().signal });
  expect([await counts(id), await prisma.harmonization.count({ where: { id } })]).toEqual([[0, 0], 0]);
});
