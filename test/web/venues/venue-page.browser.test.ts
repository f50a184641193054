import { afterAll, beforeEach, test } from "vitest";
import { makeCandidate, makeHarmonization } from "../../harmonize/rows.ts";
import { expectPresentable, launchBrowser, openPage } from "../../support/browser.ts";
import { answers } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());

beforeEach(() => web.directory.reset());

const location = { lat: 41.8236, lng: -71.4222, address: "12 Main St", city: "Providence" };
const HERE = { id: "v1", name: "مقهى الحرية Corner Café", location, contact: {}, categories: [] };
const other = (id: string, name: string, score: number) => ({ ...HERE, id, name, score });

function directoryHas(...found: object[]) {
  web.directory.behave("/v2/venues/v1", answers(200, { meta: { code: 200 }, response: { venue: HERE } }));
  web.directory.behave("/v2/venues/search", answers(200, { meta: { code: 200 }, response: { venues: found } }));
}

async function makeFile(listings: number, name = "stores.csv") {
  const { id } = await web.database.prisma.account.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  const matched = { isClear: true, matchedAt: new Date("2026-03-04T05:06:00Z") };
  const rows = Array.from({ length: listings }, (_, number) => ({
    name: `Corner Cafe ${number}`,
    candidates: [makeCandidate("v1", 0.95)],
    more: matched,
  }));
  return makeHarmonization(web.database, id, rows, { directory: web.config.api.url, name });
}

test("the page of a venue with everything on it is presentable", async () => {
  const long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunter";
  directoryHas(other("v2", long, 0.8));
  const page = await openPage(browser);
  await page.goto(`${web.url}/login?next=/venues`);
  await makeFile(2, `${long}.csv`);
  await page.goto(`${web.url}/venues/v1`);
  await page.getByRole("heading", { name: "Similar venues nearby" }).waitFor();
  await page.getByText("Side by side").click();
  await expectPresentable(page, "venue-page");
});
