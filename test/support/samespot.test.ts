import { expect, it } from "vitest";
import { dataFolder, freeAddresses, spawnSamespot, startSamespot } from "./samespot.ts";

const site = await startSamespot({ template: "empty" });

it("answers on all three hosts", async () => {
  for (const url of [site.webUrl, site.authUrl, site.apiUrl])
    expect((await fetch(`${url}/readyz`)).status, url).toBe(200);
  expect(site.logs.lines.length).toBeGreaterThan(0);
});

it("says why a process did not get ready", async () => {
  const env = { ...(await freeAddresses()), LOG_LEVEL: "loud" };
  await expect(spawnSamespot({ env, dataDir: dataFolder() })).rejects.toThrow("LOG_LEVEL: must be one of");
});
