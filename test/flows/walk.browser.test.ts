import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { startSamespot } from "../support/samespot.ts";
import { expectNothingLeaked, recordTraffic, secretsOf } from "./traffic.ts";
import { newcomer, visitorsOf } from "./visitor.ts";
import { walk } from "./walk.ts";

const site = await startSamespot();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
const visitor = visitorsOf(site, () => browser);

describe("the walk (log in, search, open, add, find, look back, log out)", () => {
  it("works on a phone in the dark", async () => {
    await walk(await visitor({ name: "phone", width: 390, colorScheme: "dark" }));
  });

  it("works without script", async () => {
    await walk(await visitor({ name: "plain", javaScript: false }));
  });

  it("works for two users at the same time, and shows private data neither in the logs nor in any response to a browser", async () => {
    const [demo, other] = [
      await visitor({ name: "first", isChecked: false }),
      await visitor({ name: "second", isChecked: false }),
    ];
    const account = await newcomer(site, "second");
    const traffic = recordTraffic(other.page);
    const [demosCheckins, othersCheckins] = await Promise.all([walk(demo), walk({ ...other, account })]);
    expect(demosCheckins).toBeGreaterThan(100);
    expect(othersCheckins).toBe(0);
    const keys = { encryptionKeys: site.config.encryptionKeys, baseUrl: site.apiUrl };
    const secrets = await secretsOf(site.database, keys);
    expect(site.logs.lines.length).toBeGreaterThan(50);
    await expectNothingLeaked(
      traffic,
      { "the logs": site.logs.text() },
      { ...secrets, password: [account.password, site.demo.password], "session secret": site.config.sessionSecrets },
    );
  });
});
