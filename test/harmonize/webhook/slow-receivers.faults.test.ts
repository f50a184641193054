import { afterAll, expect, test } from "vitest";
import { setWebhook } from "../../../src/harmonize/webhook/webhook.ts";
import { startReceiver } from "../../support/receiver.ts";
import { startHarmonizer, testWebhooks } from "../harmonizer.ts";
import { makeAccount, makeHarmonization } from "../rows.ts";

const { database, deps, begin, row, startWorker } = await startHarmonizer();
deps.webhooks = { ...deps.webhooks, line: { ...testWebhooks().line, deadlineMs: 10_000 } };
const silent = await startReceiver(() => {});
const worker = await startWorker();
afterAll(() => worker.stop());

test("W132: while every slot waits for a receiver that never answers, files are matched as ever, and the worker stops in time", async () => {
  const ada = await makeAccount(database, "Ada", deps.directoryUrl);
  for (let at = 0; at < 8; at += 1) {
    const h = await makeHarmonization(database, ada, [], { directory: deps.directoryUrl });
    await setWebhook(deps, h, { accountId: ada, url: silent.url });
  }
  await expect.poll(() => silent.received.length, { timeout: 10_000 }).toBe(4);
  const begun = performance.now();
  const { id } = await begin(30);
  await expect.poll(async () => (await row(id)).state, { timeout: 9000 }).toBe("ready");
  expect(performance.now() - begun).toBeLessThan(9000);
  expect(silent.received).toHaveLength(4);
  const stopping = performance.now();
  await worker.stop();
  expect(performance.now() - stopping).toBeLessThan(5000);
}, 40_000);
