import { execFileSync } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { launchBrowser, openPage } from "../support/browser.ts";
import { LAPTOP } from "../support/production.ts";
import { dataFolder, freeAddresses, spawnSamespot } from "../support/samespot.ts";
import { addVenue, logIn } from "./walk.ts";

/** On an idle laptop. */
const EMPTY_NODE_MS = 50;

// That it ends by a signal to npm: test/attacks/faults/signals.faults.test.ts.
it("a killed process loses no data, and serves again within five seconds", async () => {
  const env = { ...LAPTOP, ...(await freeAddresses()) };
  const dataDir = dataFolder();
  const start = async () => {
    const samespot = await spawnSamespot({ env, dataDir });
    onTestFinished(async () => void (await samespot.kill("SIGKILL")));
    return samespot;
  };
  const first = await start();
  expect(first.output()).toContain(`Open ${env.APP_URL}\n`);
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await openPage(browser);
  const site = { webUrl: env.APP_URL, authUrl: env.AUTH_URL };
  const visitor = { page, site, account: first.demo, look: async () => {} };
  await logIn(visitor);
  const name = "Survivor Coffee";
  await addVenue(visitor, name);
  // A script that is still on its way when the process dies is an error of the page, and rightly so.
  const allHasCome = () => page.waitForLoadState("networkidle");
  await allHasCome();

  expect(await first.kill("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" });
  const second = await start();
  expect(second.demo).toEqual(first.demo);
  expect(second.readyAfterMs).toBeLessThan(5000 * slowness());
  await page.reload();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await allHasCome();
  expect(await second.kill("SIGINT")).toEqual({ code: 0, signal: null });
});

/** How many times slower than a laptop this machine is now, measured by the start of an empty Node. */
function slowness(): number {
  const begun = performance.now();
  for (let i = 0; i < 5; i++) execFileSync(process.execPath, ["-e", "0"]);
  return Math.max(1, (performance.now() - begun) / 5 / EMPTY_NODE_MS);
}
