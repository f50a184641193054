import { expect, it } from "vitest";
import { dataFolder, freeAddresses, spawnSamespot, startSamespot } from "./samespot.ts";

const site = await startSamespot({ template: "empty" });

it("a test server answers on all three hosts", async () => {
  for (const url of [site.webUrl, site.authUrl, site.apiUrl])
    expect((await fetch(`${url}/readyz`)).status, url).toBe(200);
  expect(site.logs.lines.length).toBeGreaterThan(0);
});

it("a test server that fails to start reports the reason", async () => {
  const env = { ...(await freeAddresses()), LOG_LEVEL: "loud" };
  await expect(spawnSamespot({ env, dataDir: dataFolder() })).rejects.toThrow("LOG_LEVEL: must be one of");
});
