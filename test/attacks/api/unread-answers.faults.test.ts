import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { generate } from "selfsigned";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentFor, ask, stopReading } from "../../../bench/support/strangers.ts";
import { testDatabase } from "../../support/database/database.ts";
import { dataFolder, freeAddresses, spawnSamespot } from "../../support/samespot.ts";

const folder = mkdtempSync(path.join(tmpdir(), "samespot-unread-"));
const files = { TLS_CERT: path.join(folder, "cert.pem"), TLS_KEY: path.join(folder, "key.pem") };
const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], { keyType: "ec" });
writeFileSync(files.TLS_CERT, cert);
writeFileSync(files.TLS_KEY, key);
const { url: DATABASE_URL } = await testDatabase({ template: "sample" });
const addresses = Object.entries(await freeAddresses()).map(([name, url]) => [name, url.replace("http", "https")]);
const env = {
  ...Object.fromEntries(addresses),
  ...files,
  DATABASE_URL,
  ROLES: "directory",
  SAMPLE_DATA: "on",
  LOG_LEVEL: "warn",
};
const api: string = env.BASE_URL;

/** A directory in its own process, to measure its memory. */
let directory: Awaited<ReturnType<typeof spawnSamespot>>;
beforeAll(async () => {
  directory = await spawnSamespot({ env, dataDir: dataFolder() });
  await warmUp();
});
afterAll(() => directory?.kill("SIGTERM"));
const megabytes = () => Number(execFileSync("ps", ["-o", "rss=", "-p", String(directory.pid)])) / 1024;

/** Others are answered; how fast is measured by `npm run bench -- hostile`. */
async function answerHealth(checks: number): Promise<void> {
  const agent = agentFor(api, 1);
  for (let n = 0; n < checks; n += 1) {
    expect(await ask(`${api}/healthz`, { agent })).toMatchObject({ status: 200 });
    await sleep(50);
  }
  agent.destroy();
}

// Lets the process reach its usual memory.
async function warmUp(): Promise<void> {
  const agent = agentFor(api, 8);
  const some = Array.from({ length: 200 }, () => ask(`${api}/docs/openapi.json`, { agent }));
  await Promise.all(some);
  agent.destroy();
}

// How soon they are cut: test/http/listener.faults.test.ts.
describe("clients that read nothing", () => {
  it("C29: eight connections with 800 unread answers use little memory", async () => {
    const before = megabytes();
    const strangers = await stopReading({ url: `${api}/docs/openapi.json`, connections: 8, requests: 800 });
    try {
      await answerHealth(40);
      expect(megabytes() - before).toBeLessThan(100);
    } finally {
      strangers.leave();
    }
  });

  it("C30: hundreds of clients that leave an answer unread use little memory and are cut", async () => {
    const before = megabytes();
    const strangers = await stopReading({ url: `${api}/docs/openapi.json`, connections: 200, requests: 2 });
    await answerHealth(40);
    // Buffering the whole answer for each client would take 340 MB.
    expect(megabytes() - before).toBeLessThan(200);
    expect(await strangers.closed(60_000)).toBe(200);
  });
});
