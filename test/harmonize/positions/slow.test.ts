import { randomUUID } from "node:crypto";
import { afterAll, expect, test, vi } from "vitest";
import { newList } from "../../../src/harmonize/run/lists.ts";
import { startWorker } from "../../../src/harmonize/worker.ts";
import { MATCH, MULTI, matching, SEARCH } from "../../directory-client/directory-clients.ts";
import { answersError, usual } from "../../support/fake-directory/behaviours.ts";
import { startHarmonizer } from "../harmonizer.ts";

const { directory, newClient, app, calls } = await matching();
const { deps, log, row } = await startHarmonizer();
const timeout = AbortSignal.timeout.bind(AbortSignal);
vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms === 30_000 ? 1500 : ms)); // that of a look
const worker = await startWorker({ ...deps, directory: newClient(10_000), authFor: async () => app }, { log });
afterAll(async () => {
  await worker.stop();
  await directory.close();
  vi.restoreAllMocks();
});

test("F30: judging positions ends in time at a slow directory that matches one row at a time", async () => {
  directory.behave(MULTI, answersError(404, "endpoint_error"));
  directory.behave(SEARCH, (call) => void setTimeout(() => usual(call), 2500));
  const id = randomUUID();
  const file = { name: "far.csv", header: ["name", "lat", "lng"], columns: { name: 0, lat: 1, lng: 2 } };
  const state = { state: "ready" as const, listingCount: 40 };
  const of = { ...file, directory: deps.directoryUrl };
  const listId = await newList(deps.prisma, { ...of, accountId: null });
  await deps.prisma.harmonization.create({ data: { ...of, ...state, id, listId } });
  await deps.pool.query(
    `INSERT INTO app.listing (harmonization_id, number, line, cells, status, query)
     SELECT $1::uuid, n, n + 1, ARRAY['Nothing ' || n, (n / 2.0)::text, n::text], 'asked', '{}' FROM generate_series(1, 40) AS n`,
    [id],
  );
  const begun = performance.now();
  await deps.queue.send({ kind: "positions", harmonizationId: id });
  await expect.poll(async () => (await row(id)).positions).not.toBeNull();
  expect((await row(id)).positions).toMatchObject({ verdict: "unknown", isCutShort: true });
  expect(performance.now() - begun).toBeLessThan(8000); // 40 rows take 20 s, and each is asked about up to eight times
  const [batches, , searches = 0] = calls();
  expect([batches, directory.calls(MATCH), searches > 0, searches < 100]).toEqual([0, 0, true, true]);
});
