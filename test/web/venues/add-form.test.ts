import { beforeEach, expect, test } from "vitest";
import { answers, answersError } from "../../support/fake-directory/behaviours.ts";
import { formFields } from "../../support/http-client.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const browser = await web.logIn();

beforeEach(() => web.directory.reset());

const CATEGORY = "fa4e000000000000000000c1";
const typed = (name: string) => ({ name, ll: "41.83,-71.41", primaryCategoryId: CATEGORY, city: "Providence" });
const adds = () => web.directory.requests.filter(({ path }) => path === "/v2/venues/add");

const WRONG: [field: string, value: string, words: string][] = [
  ["name", "", "Give the venue a name."],
  ["name", "x".repeat(201), "Use at most 200 characters."],
  ["name", "!?", "Name: use at least one letter or digit."],
  ["name", "a\u0000b", "Remove the invisible or control characters."],
  ["ll", "", "Where is it? Give the street and number"],
  ["ll", "41.8", "Write the place as latitude, longitude"],
  ["ll", "91,0", "Latitude ranges from −90 to 90, longitude from −180 to 180."],
  ["primaryCategoryId", "", "Pick a category from the list."],
  ["url", "javascript:alert(1)", "Website: write the full address, such as https://example.org"],
  ["zip", "#!", "Postal code: "],
  ["phone", "12", "Phone: "],
  ["twitter", "a b", "Twitter name: "],
  ["description", "x".repeat(301), "Use at most 300 characters."],
  ["phone", "5".repeat(201), "Use at most 200 characters."],
];
test.each(WRONG)("an invalid %s (%j) is explained at its field and the input is kept", async (field, value, words) => {
  const form = await browser.get("/venues/new");
  const page = await browser.submit(form, "/venues", {
    ...typed("Kept Name"),
    crossStreet: "at Kept St",
    [field]: value,
  });
  expect(page.status).toBe(400);
  expect(page.body).toContain(words);
  expect(page.body).toContain(`id="${field}-error"`);
  expect(page.body).toContain('value="at Kept St"');
  expect(formFields(page, "/venues").addKey).toBe(formFields(form, "/venues").addKey);
  expect(adds()).toEqual([]);
});

test("positions and web addresses are accepted as people type them, and a description's length counts characters", async () => {
  const lines = `${"x".repeat(148)}\r\n`.repeat(2);
  const form = await browser.get("/venues/new");
  expect(form.body).toMatch(/<textarea id="description"[^>]* maxlength="300"/);
  const sent = { ...typed("Writtenloosely"), ll: " 41.83° , -71.41° ", url: "example.org/a?b", description: lines };
  expect((await browser.submit(form, "/venues", sent)).status).toBe(303);
  expect(adds()[0]?.params).toMatchObject({ ll: "41.83,-71.41", url: "https://example.org/a?b" });
  expect(adds()[0]?.params.description).toHaveLength(297);
});

test("an error from the directory is shown at its field too", async () => {
  const meta = { code: 400, errorType: "param_error", errorDetail: "phone is not a telephone number" };
  web.directory.behave("/v2/venues/add", answers(400, { meta, response: {} }));
  const page = await browser.submit(await browser.get("/venues/new"), "/venues", typed("Wrongphone"));
  expect(page.status).toBe(400);
  expect(page.body).toMatch(/id="phone-error">.*Phone: write a number/);
  expect(page.body).toContain('value="Wrongphone"');
});

test("without the category tree the form is shown with the reason, and keeps the chosen category", async () => {
  const other = await startedWithoutCategories();
  expect(other.body).toContain("does not answer");
  expect(formFields(other, "/venues").primaryCategoryId).toBe(CATEGORY);
});

async function startedWithoutCategories() {
  fresh.directory.behave("/v2/venues/categories", answersError(500, "server_error"));
  return (await fresh.logIn()).get(`/venues/new?primaryCategoryId=${CATEGORY}`);
}
const fresh = await startWeb(); // its client has not seen the tree yet
