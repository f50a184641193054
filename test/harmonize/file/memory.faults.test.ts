import { expect, test } from "vitest";
import { readListings } from "../../../src/harmonize/file/read-listings.ts";
import { receiveFile } from "../../../src/harmonize/file/receive.ts";
import { startFiles } from "./reader.ts";

const { deps, database, load } = await startFiles();
const { signal } = new AbortController();
const { prisma } = database;

const MB = 1024 * 1024;

/** Large, because a listing takes longer to store than its bytes. */
const ROW_BYTES = 16_384;

const AT_ONCE = 16;

/** Yields rows of ROW_BYTES each. */
async function* rows(bytes: number) {
  const filler = "x".repeat(ROW_BYTES - 64);
  yield Buffer.from("id,name,lat,lng,description\n");
  for (let number = 0; number < bytes / ROW_BYTES; number += AT_ONCE) {
    const lines = Array.from(
      { length: AT_ONCE },
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
