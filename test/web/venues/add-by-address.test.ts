import { beforeEach, expect, test } from "vitest";
import { answers, answersError } from "../../support/fake-directory/behaviours.ts";
import { formFields } from "../../support/http-client.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
web.directory.offerLocation();
const browser = await web.logIn();

const [LOCATE, SEARCH] = ["/v2/addresses/locate", "/v2/venues/search"];
const CATEGORY = "fa4e000000000000000000c1";
const TYPED = { name: "Firstbakery", address: "300 Thayer St", city: "Providence", state: "RI", ll: "" };
const calls = (path: string) => web.directory.requests.filter((request) => request.path === path);
const knows = (position?: object) =>
  web.directory.behave(LOCATE, answers(200, { meta: { code: 200 }, response: { position } }));

beforeEach(() => {
  web.directory.reset();
  web.directory.offerLocation();
});

const send = async (more: Record<string, string> = {}) =>
  browser.submit(await browser.get("/venues/new"), "/venues", { ...TYPED, primaryCategoryId: CATEGORY, ...more });

test.each([
  [false, "The position was found from the address."],
  [true, "The position is estimated from the neighbouring house numbers."],
])(
  "C74: without a position the form comes back with that of the address (estimated: %s), and adds nothing before it is checked",
  async (estimated, words) => {
    knows({ lat: 41.8289012345, lng: -71.401, estimated });
    const name = `Bakery${estimated}`;
    const page = await send({ name });
    expect(page.status).toBe(200);
    expect(page.body).toContain(words);
    expect(formFields(page, "/venues")).toMatchObject({ ...TYPED, name, ll: "41.828901,-71.401" });
    expect(calls(LOCATE).map(({ params }) => [params.address, params.near])).toEqual([
      ["300 Thayer St", "Providence, RI"],
    ]);
    expect(calls("/v2/venues/add")).toEqual([]);
    expect((await browser.submit(page, "/venues", { primaryCategoryId: CATEGORY })).status).toBe(303);
    expect(calls("/v2/venues/add")[0]?.params).toMatchObject({ name, ll: "41.828901,-71.401" });
    expect(calls("/v2/venues/add")[0]?.params.positionByAddress).toBe(estimated ? "true" : undefined);
  },
);

test("an address that the directory does not know is said at the position, beside the other errors, and nothing typed is lost", async () => {
  knows();
  const page = await send({ phone: "12" });
  expect(page.status).toBe(400);
  expect(page.body).toMatch(/id="ll-error">.*The directory cannot locate this address/);
  expect(page.body).toContain('id="phone-error"');
  expect(formFields(page, "/venues")).toMatchObject(TYPED);
});

test("if the directory fails to find the address, the form says so and keeps what was typed", async () => {
  web.directory.behave(LOCATE, answersError(503, "server_error"));
  const page = await send();
  expect(page.status).toBeGreaterThanOrEqual(500);
  expect(formFields(page, "/venues")).toMatchObject(TYPED);
  expect(calls("/v2/venues/add")).toEqual([]);
});

test("C74: an estimated position that the person has moved counts as exact", async () => {
  knows({ lat: 41.8289012345, lng: -71.401, estimated: true });
  const page = await send({ name: "Movedbakery" });
  await browser.submit(page, "/venues", { primaryCategoryId: CATEGORY, ll: "41.82891,-71.40101" });
  const [added] = calls("/v2/venues/add");
  expect(added?.params).toMatchObject({ name: "Movedbakery", ll: "41.82891,-71.40101" });
  expect(added?.params.positionByAddress).toBeUndefined();
});

test("neither position nor address is required by the browser, and a form without both is told what it needs", async () => {
  const form = await browser.get("/venues/new");
  expect(form.body).toMatch(/<input[^>]* name="name"[^>]* required/);
  expect(form.body).not.toMatch(/<input[^>]* name="(?:ll|address)"[^>]* required/);
  for (const ll of ["", "  "]) {
    const page = await send({ name: "Nowhere", address: "", ll });
    expect(page.status).toBe(400);
    expect(page.body).toMatch(/id="ll-error">.*Where is it\? Give the street and number/);
  }
  expect([...calls(LOCATE), ...calls("/v2/venues/add")]).toEqual([]);
});

test("a typed position is kept, and the address is not asked for", async () => {
  knows({ lat: 1, lng: 1, estimated: false });
  expect((await send({ name: "Placedbakery", ll: "41.83,-71.41" })).status).toBe(303);
  expect(calls(LOCATE)).toEqual([]);
  expect(calls("/v2/venues/add")[0]?.params.ll).toBe("41.83,-71.41");
});

const look = async (fields: Record<string, string>) =>
  JSON.parse((await browser.get(`/venues/new/look?${new URLSearchParams(fields)}`)).body);

const AROUND = expect.arrayContaining([[expect.any(Number), expect.any(Number), "Corner Coffee"]]);

test("a look while typing finds similar venues around the address, without the fields that are unusable", async () => {
  knows({ lat: 41.82, lng: -71.41, estimated: true });
  const found = await look({ ...TYPED, name: "Corner", phone: "12" });
  expect(found).toMatchObject({
    venues: [{ name: "Corner Coffee", href: expect.stringMatching(/^\/venues\//) }],
    isSearched: true,
    around: AROUND,
    position: { ll: "41.82,-71.41", estimated: true },
  });
  const [search] = calls(SEARCH);
  expect(search?.params).toMatchObject({ name: "Corner", ll: "41.82,-71.41", intent: "match" });
  expect(search?.params.phone).toBeUndefined();
});

test("a look while typing calls nothing without a place, finds only what is around without a name, and shows no error if the directory fails", async () => {
  const nothing = { venues: [], isSearched: false, around: [] };
  expect(await look({ name: "Corner" })).toEqual(nothing);
  expect(calls(SEARCH)).toEqual([]);
  expect(await look({ ll: "41.82,-71.41" })).toEqual({ ...nothing, around: AROUND });
  web.directory.behave(SEARCH, answersError(500, "server_error"));
  expect(await look({ name: "Corner", ll: "41.82,-71.41" })).toEqual(nothing);
});

test("guests get no look", async () => {
  expect((await web.newBrowser().get("/venues/new/look?name=Corner&ll=41.82,-71.41")).status).toBe(303);
  expect(calls(SEARCH)).toEqual([]);
});
