import { afterAll, expect, test } from "vitest";
import { beginAgain } from "../../../src/harmonize/file/begin-again.ts";
import { createQueue } from "../../../src/harmonize/run/queue.ts";
import { createPrograms } from "../../faults/programs.ts";
import { HURRY } from "../../faults/site.ts";
import { PRODUCTION } from "../../support/production.ts";
import { freeAddresses } from "../../support/samespot.ts";
import { startFiles } from "./reader.ts";

const addresses = await freeAddresses();
const directoryUrl = addresses.BASE_URL;
const { url, database, deps, uploadAndRead, listings, fileRows } = await startFiles({ directoryUrl });
const { PATH, NODE_COMPILE_CACHE } = process.env;
const env = { ...PRODUCTION, ...addresses, PATH, NODE_COMPILE_CACHE, DATABASE_URL: url, LOG_LEVEL: "warn" };
const workers = createPrograms(() => env);
const queue = createQueue(url, { directoryUrl, log: { warn() {} }, supervises: false });
afterAll(async () => {
  await workers.close();
  await queue.close();
});

/** Too many to copy within a request. */
const ROWS = 8000;
const CSV = Array.from({ length: ROWS }, (_, at) => `${at},"Shop, ${at}\nof ${"x".repeat(40)}",41.8,-71.4\n`);

test("F32: a new run over the same file has every row exactly once, with its line number, wherever a worker is killed", async () => {
  const first = await uploadAndRead(`id,name,lat,lng\n${CSV.join("\n")}`);
  await database.prisma.harmonization.updateMany({ data: { state: "ready" } });
  await queue.send([]); // makes the tables that HURRY is about
  await database.pool.query(HURRY);
  const points = ["again: row", "read: before done"];
  points.forEach(workers.arm);
  workers.start("worker 1");
  const id = await beginAgain({ ...deps, queue }, first);
  const row = () => database.prisma.harmonization.findUniqueOrThrow({ where: { id } });
  expect(await row()).toMatchObject({ state: "reading", hash: null });
  await expect.poll(() => workers.struck.map(({ how }) => how), { timeout: 90_000 }).toEqual(points);
  expect([(await row()).state, workers.ended]).toEqual(["draft", []]);
  const before = (await listings(first.id)).map(({ line, cells }) => ({ line, cells }));
  expect(await fileRows(id)).toEqual(before);
  expect(before).toHaveLength(ROWS);
});
