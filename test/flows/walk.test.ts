import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { directoryDeps } from "../../src/directory/deps.ts";
import { addUser } from "../../src/directory/users.ts";
import { launchBrowser } from "../support/browser.ts";
import { startSamespot } from "../support/samespot.ts";
import { expectNothingLeaked, recordTraffic, secretsOf } from "./traffic.ts";
import { visitorsOf } from "./visitor.ts";
import { allowIfAsked, logIn, menu, type Visitor, walk } from "./walk.ts";

const site = await startSamespot();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
const visitor = visitorsOf(site, () => browser);

async function newcomer(name: string): Promise<Visitor["account"]> {
  const handle = `${name}${crypto.randomUUID().slice(0, 8)}`;
  const account = { handle, password: `${handle}-password-9x7` };
  await addUser(directoryDeps(site), account);
  return account;
}

describe("the walk (log in, search, open, add, find, look back, log out)", () => {
  // test/web/pages.browser.test.ts and test/directory/auth/pages.browser.test.ts check the same pages in this width.
  it("works on a wide screen", async () => {
    expect(await walk(await visitor({ name: "wide", isChecked: false }))).toBeGreaterThan(100);
  });

  it("works on a phone in the dark", async () => {
    await walk(await visitor({ name: "phone", width: 390, colorScheme: "dark" }));
  });

  it("works without script", async () => {
    await walk(await visitor({ name: "plain", javaScript: false }));
  });

  it("works for two users at the same time", async () => {
    const [demo, other] = [
      await visitor({ name: "first", isChecked: false }),
      await visitor({ name: "second", isChecked: false }),
    ];
    const account = await newcomer("second");
    const [demosCheckins, othersCheckins] = await Promise.all([walk(demo), walk({ ...other, account })]);
    expect(demosCheckins).toBeGreaterThan(100);
    expect(othersCheckins).toBe(0);
  });
});

describe("a token revoked in the directory's settings", () => {
  it("leads to 'Connect again', and then back to the user's page", async () => {
    const demo = await visitor({ name: "revoked" });
    const { page, look } = demo;
    await logIn({ ...demo, account: await newcomer("fickle") });
    await page.goto(`${site.authUrl}/settings`);
    await look("directory-settings");
    await page.getByText("Disconnect… Samespot").click();
    await page.getByRole("button", { name: "Disconnect Samespot" }).click();
    await page.getByText("No application is connected").waitFor();

    await page.goto(`${site.webUrl}/venues?query=coffee&ll=41.824,-71.4128`);
    await page.getByRole("heading", { level: 1, name: "Connect again" }).waitFor();
    await look("connect-again");
    const popup = page.waitForEvent("popup");
    await page.getByRole("link", { name: "Connect to the directory" }).click();
    await allowIfAsked({ page: await popup, look });
    await page.waitForURL(`${site.webUrl}/venues?query=coffee&ll=41.824,-71.4128`);
    await page.getByRole("region", { name: "Results", exact: true }).waitFor();
    await menu(demo, "Check-ins");
    await page.getByText("No check-ins yet").waitFor();
  });
});

describe("private data", () => {
  it("appears neither in the logs nor in any response to a browser", async () => {
    const guest = await visitor({ name: "canary", isChecked: false });
    const account = await newcomer("canary");
    const traffic = recordTraffic(guest.page);
    await walk({ ...guest, account });
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
