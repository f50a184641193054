import { expect, onTestFinished, test, vi } from "vitest";
import { readListings } from "../../../src/harmonize/file/read-listings.ts";
import { progressOf } from "../../../src/harmonize/results/progress.ts";
import { startFiles } from "./reader.ts";

const { database, deps, load, upload, uploadAndRead } = await startFiles();
const { prisma, pool } = database;

const { signal } = new AbortController();
const READING =
  "SELECT FROM pg_stat_activity WHERE application_name = 'samespot reading' AND datname = current_database()";
const FILE = "name,lat,lng\nPlace,41.8,-71.4\n";

test("F17: all rows of a file or none are stored when the database stops accepting rows", async () => {
  const { id } = await upload(FILE, { state: "reading" });
  const [harmonization, client] = [await load(id), await pool.connect()];
  await client.query("BEGIN; LOCK TABLE app.harmonization");
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const reading = readListings(deps, harmonization, { signal });
  const ended = expect(reading).rejects.toThrow("takes no rows");
  await expect.poll(async () => (await pool.query(READING)).rowCount).toBe(1);
  vi.advanceTimersByTime(30_001);
  await ended;
  client.release(await client.query("ROLLBACK").then(() => false));
  expect(await load(id)).toMatchObject({ state: "reading", listingCount: 0 });
  expect(await prisma.filePart.count({ where: { harmonizationId: id } })).toBe(1);
});

test("the number of rows read so far is stored for the page", async () => {
  const file = `name,lat,lng\n${"Place,41.8,-71.4\n".repeat(30_000)}`;
  const { id } = await upload(file, { state: "reading" });
  const client = await pool.connect();
  await client.query("BEGIN; LOCK TABLE app.listing");
  const harmonization = await load(id);
  const reading = readListings(deps, harmonization, { signal });
  await expect.poll(async () => (await progressOf(deps, await load(id))).done).toBeGreaterThan(0);
  const { done, total } = await progressOf(deps, await load(id));
  client.release(await client.query("ROLLBACK").then(() => false));
  expect([done < 30_000, total >= done]).toEqual([true, true]);
  await reading;
  expect(await load(id)).toMatchObject({ state: "matching", listingCount: 30_000, task: null });
});

test("F08: matching of a new file waits as long as the other files of its owner", async () => {
  const retryAt = new Date(Date.now() + 60_000);
  await upload(FILE, { state: "matching", retryAt });
  expect(await uploadAndRead(FILE)).toMatchObject({ state: "matching", retryAt });
  await prisma.harmonization.updateMany({ data: { retryAt: null } });
  expect(await uploadAndRead(FILE)).toMatchObject({ state: "matching", retryAt: null });
});
