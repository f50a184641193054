import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { asWorker } from "../../../src/cli/harmonize/worker.ts";
import { createLogger } from "../../../src/http/logger.ts";
import { startHarmonizer } from "../../harmonize/harmonizer.ts";

const { deps } = await startHarmonizer();
const log = createLogger({ level: "fatal", destination: new PassThrough().resume() });
const signal = new AbortController().signal;
const instances = () => deps.prisma.instance.findMany();

test("a command counts as a worker while it works", async () => {
  const waiting = { harmonizer: deps, log, signal, patiently: <T>(step: () => Promise<T>) => step() };
  expect(await asWorker(waiting, instances)).toMatchObject([{ roles: ["worker"], problems: [] }]);
  await expect(asWorker(waiting, () => Promise.reject(new Error("not done")))).rejects.toThrow("not done");
  expect(await instances()).toEqual([]);
});

test("a command whose worker fails to start is not listed as a worker", async () => {
  const queue = { ...deps.queue, work: () => Promise.reject(new Error("no queue")) };
  const waiting = { harmonizer: { ...deps, queue }, log, signal, patiently: <T>(step: () => Promise<T>) => step() };
  await expect(asWorker(waiting, instances)).rejects.toThrow("no queue");
  expect(await instances()).toEqual([]);
});
