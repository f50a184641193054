import { afterAll, beforeEach, expect, test } from "vitest";
import { expectAccessible, launchBrowser, openPage, screenshot } from "../../support/browser.ts";
import { answersError, changes } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());

beforeEach(() => web.directory.reset());

const SEARCH = "/v2/venues/search";
const HELP = "latitude, longitude, such as 41.8240, -71.4128.";

/** The usual answer, with the interpretation of `near`. */
const understands = (displayName: string, center: object = { lat: 41.82, lng: -71.41 }) => {
  const feature = { cc: "US", name: "P", displayName, matchedName: "", highlightedName: "", woeType: 7 };
  const geometry = { center };
  const geocode = {
    what: "",
    where: "",
    feature: { ...feature, slug: "", id: "1", longId: "1", geometry },
    parents: [],
  };
  return changes((body) => body.replace('"response":{', `"response":{"geocode":${JSON.stringify(geocode)},`));
};
const asked = () => web.directory.requests.filter(({ path }) => path === SEARCH).map(({ params }) => params);

test.each(["Providence, RI", "02903", "114 55", "São Paulo", "東京"])(
  "a place typed as %j is sent as near, and the page shows and remembers where it searched",
  async (typed) => {
    web.directory.behave(SEARCH, understands("Providence, RI, United States"));
    const member = await web.logIn();
    const page = await member.get(`/venues?query=coffee&ll=${encodeURIComponent(typed)}`);
    expect(page.status).toBe(200);
    expect(page.body).toContain("1 match for “coffee” near Providence, RI, United States");
    expect(page.body).toContain('data-lat="41.82" data-lng="-71.41"');
    expect(page.body).toContain(`value="${typed}"`);
    expect(page.body, "no town as the point of a new venue").toContain('href="/venues/new?name=coffee"');
    const [params] = asked();
    expect(params).toMatchObject({ near: typed, query: "coffee" });
    expect([params?.ll, params?.intent]).toEqual([undefined, undefined]);

    expect((await member.get("/")).body).toContain(`value="${typed}"`);
    await member.get("/venues");
    expect(asked().at(-1)?.near).toBe(typed);
    expect((await member.get("/venues/new")).body).toContain('data-lat="41.82" data-lng="-71.41"');
    await member.get("/venues?ll=40.5,-70.5");
    expect((await member.get("/venues")).body).toContain('value="40.5,-70.5"');
  },
);

test.each([
  ["failed_geocode", "The directory does not know this place. Check the spelling"],
  ["param_error", `The directory did not understand this place. Write it as ${HELP}`],
])("a place that the directory refuses with %s is explained at its field", async (errorType, words) => {
  web.directory.behave(SEARCH, answersError(400, errorType));
  const page = await (await web.logIn()).get("/venues?query=coffee&ll=Atlantis");
  expect(page.status).toBe(400);
  expect(page.body).toMatch(new RegExp(`id="ll-error">.*${words}`));
  expect(page.body).toContain('value="Atlantis"');
  expect(page.body).toContain('value="coffee"');
});

test("a refusal for another reason is not blamed on the place", async () => {
  const member = await web.logIn();
  for (const [path, status] of [
    ["ll=Atlantis", 500],
    ["ll=41.8,-71.4", 400],
  ] as const) {
    web.directory.behave(SEARCH, answersError(status, status === 500 ? "server_error" : "param_error"));
    expect((await member.get(`/venues?query=coffee&${path}`)).body).not.toContain('id="ll-error"');
  }
});

test("results are shown even if the directory does not say where it searched", async () => {
  const page = await (await web.logIn()).get("/venues?query=coffee&ll=Providence");
  expect(page.body).toContain("1 match for “coffee” near Providence");
});

test.each([{ lat: 91, lng: 0 }, { lat: "41", lng: 0 }, {}])(
  "an invalid centre %j from the directory is ignored",
  async (center) => {
    web.directory.behave(SEARCH, understands("Providence", center));
    const member = await web.logIn();
    expect((await member.get("/venues?query=coffee&ll=Providence")).status).toBe(200);
    expect((await member.get("/venues")).body).toContain('value="41.8236,-71.4222 Providence, RI"');
  },
);

test("C07: a place's name is shown as text", async () => {
  web.directory.behave(SEARCH, understands("<img src=x onerror=alert(1)>"));
  const page = await (await web.logIn()).get(`/venues?query=coffee&ll=${encodeURIComponent("<b>x</b>")}`);
  expect(page.body).toContain("near &lt;img src=x");
  expect(page.body).not.toMatch(/<img|<b>x/);
});

test("a town typed as a new venue's position is rejected, and the form's map shows the town", async () => {
  web.directory.behave(SEARCH, understands("Boston, MA", { lat: 42.36, lng: -71.06 }));
  const member = await web.logIn();
  const form = await member.get("/venues/new");
  const page = await member.submit(form, "/venues", { name: "New Bakery", ll: "Boston" });
  expect(page.status).toBe(400);
  expect(page.body).toMatch(new RegExp(`id="ll-error">.*Write the place as ${HELP}`));
  expect(page.body).toContain('data-lat="42.36" data-lng="-71.06"');
});

test.each([
  { width: 1280, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const)("the search by a town's name works and is accessible at $width pixels", async (look) => {
  const page = await openPage(browser, look);
  await page.goto(`${web.url}/login?next=/venues`);
  for (const [name, behaviour] of [
    ["found", understands("Providence, RI, United States")],
    ["unknown", answersError(400, "failed_geocode")],
  ] as const) {
    web.directory.behave(SEARCH, behaviour);
    await page.getByLabel("Near").fill("Providence, Rhode Island");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByText(/near Providence, RI, United States|does not know this place/).waitFor();
    expect(await page.getByLabel("Near").inputValue()).toBe("Providence, Rhode Island");
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await expectAccessible(page);
    await screenshot(page, `web-near-${name}-${look.width}`);
  }
  await page.getByLabel("Near").fill("");
  await screenshot(page, `web-near-empty-${look.width}`);
});

test("the search by a town's name works without script", async () => {
  web.directory.behave(SEARCH, understands("Providence, RI, United States"));
  const page = await openPage(browser, { javaScript: false });
  await page.goto(`${web.url}/login?next=/venues`);
  await page.getByLabel("Near").fill("Providence, Rhode Island");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByText("venues near Providence, RI, United States").waitFor();
});
