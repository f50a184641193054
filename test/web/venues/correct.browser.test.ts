import { afterAll, beforeEach, test } from "vitest";
import { expectPresentable, launchBrowser, openPage } from "../../support/browser.ts";
import { answers } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());

const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunter";
const location = { lat: 41.8236, lng: -71.4222, address: "12 Main St", city: "Providence", crossStreet: "at Elm St" };
const contact = { phone: "+14015550100", formattedPhone: "(401) 555-0100" };
const HERE = {
  id: "v1",
  name: `Corner <b>Café ${LONG}`,
  location,
  contact,
  categories: [],
  description: "Cake\nand tea",
};
const PROPOSAL = { id: "5", venueId: "v1", state: "open", createdAt: 1_767_286_800, values: { city: "Cranston" } };

const ok = (response: object) => answers(200, { meta: { code: 200 }, response });
const directoryHas = (venue: object) => web.directory.behave("/v2/venues/v1", ok({ venue }));

beforeEach(() => {
  web.directory.reset();
  web.directory.offerProposals();
  directoryHas(HERE);
  const alike = { ...HERE, id: "v2", name: "Corner Café", score: 0.8 };
  web.directory.behave("/v2/venues/search", ok({ venues: [alike] }));
  web.directory.behave("/v2/venues/propose", ok({ proposal: PROPOSAL }));
  web.directory.behave("/v2/users/self/proposals", ok({ proposals: { count: 1, items: [PROPOSAL] } }));
});

test("the form to suggest an edit is presentable on a screen and on a phone, with long words", async () => {
  const page = await openPage(browser, { width: 1280 });
  await page.goto(`${web.url}/login`);
  await page.getByRole("heading", { name: /Hello/ }).waitFor();
  directoryHas({ ...HERE, name: "Corner Café" });
  await page.goto(`${web.url}/venues/v1`);
  await expectPresentable(page, "correct-venue");
  directoryHas(HERE);
  await page.getByRole("link", { name: "Suggest an edit" }).click();
  await page.getByRole("heading", { name: "Report a duplicate" }).waitFor();
  await expectPresentable(page, "correct-form");
  await page.getByLabel("Phone").fill("none");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("There is a problem").waitFor();
  await expectPresentable(page, "correct-wrong");
});
