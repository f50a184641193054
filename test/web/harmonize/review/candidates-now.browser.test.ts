import { afterAll, test } from "vitest";
import { makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { expectPresentable, launchBrowser, openPage } from "../../../support/browser.ts";
import { answers } from "../../../support/fake-directory/behaviours.ts";
import { startWeb } from "../../web-app.ts";
import { ownerOf } from "../runs.ts";

const web = await begin();
const browser = await launchBrowser();
afterAll(() => browser.close());

async function begin() {
  const web = await startWeb();
  web.directory.offerLookup();
  return { ...web, fay: await web.logIn(), owner: await ownerOf(web) };
}

const MULTI = "/v2/multi";
async function newCard({ database, directory, owner }: Awaited<ReturnType<typeof begin>>): Promise<string> {
  const candidates = [makeCandidate("v1", 0.7, { name: 1.2 }), makeCandidate("v2", 0.3), makeCandidate("v3", 0.2)];
  const listings = [{ name: "Venue now", candidates }];
  const { id } = await makeHarmonization(database, owner, listings, { directory: directory.baseUrl });
  return `/harmonizations/${id}/review/1`;
}

const venue = (id: string, more: object = {}) => ({
  meta: { code: 200 },
  response: {
    venue: {
      id,
      name: `Venue ${id}`,
      location: { lat: 41.82, lng: -71.41, address: "1 Main St" },
      categories: [],
      ...more,
    },
  },
});
const gone = {
  meta: { code: 400, errorType: "param_error", errorDetail: "There is no venue with this id." },
  response: {},
};
const tells = (responses: object[]) =>
  web.directory.behave(MULTI, answers(200, { meta: { code: 200 }, response: { responses } }));

test("a review card with renamed candidates is presentable in Chrome", async () => {
  tells([venue("v1", { name: "A Venue with a Quite Different and Rather Long Name" }), venue("v9"), gone]);
  const page = await openPage(browser);
  await page.goto(`${web.url}/login?next=${await newCard(web)}`);
  await page.getByText("Renamed since").waitFor();
  await expectPresentable(page, "review-renamed");
});
