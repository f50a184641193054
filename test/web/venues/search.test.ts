import { beforeEach, expect, test } from "vitest";
import { answers, answersError, rateLimits } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();

beforeEach(() => {
  web.directory.reset();
  web.directory.signIn("Ann"); // another account each time
});

const SEARCH = "/v2/venues/search";
const AROUND = "ll=41.82,-71.41";

const venue = (name: string, more: { lat?: number; phone?: string; address?: string; kind?: string } = {}) => ({
  id: Buffer.from(name).toString("hex").slice(0, 24),
  name,
  contact: more.phone ? { phone: more.phone } : {},
  location: { lat: more.lat ?? 41.82, lng: -71.41, city: "Providence", state: "RI", address: more.address },
  categories: [{ id: "c1", name: more.kind ?? "Shop" }],
});
const finds = (...venues: object[]) =>
  web.directory.behave(SEARCH, answers(200, { meta: { code: 200 }, response: { venues } }));
const asked = () => web.directory.requests.findLast(({ path }) => path === SEARCH)?.params;

test.each([
  ["coffee", "kind"],
  ["thayer street", "street"],
  ["blue thayer", "name and street"],
  ["blue providence", "name and town"],
  ["espresso", "similar words"],
  ["bl zzz", "name and similar words"],
])("each result of %j says that it was found by %s", async (query, why) => {
  finds(venue("Blue State", { kind: "Coffee Shop", address: "300 Thayer St" }));
  const page = await (await web.logIn()).get(`/venues?${AROUND}&query=${encodeURIComponent(query)}`);
  expect(page.body).toContain(`Found by ${why}</p>`);
});

test("a result whose name has all words of the search does not say why it was found", async () => {
  finds(venue("Blue State", { kind: "Coffee Shop", address: "300 Thayer St" }));
  const page = await (await web.logIn()).get(`/venues?${AROUND}&query=blue+state`);
  expect(page.body).toContain("Blue State</bdi>");
  expect(page.body).not.toContain("Found by");
});

test("the filters for category and distance are sent, and those for distance and phone applied to what comes", async () => {
  finds(
    venue("Near With Phone", { phone: "4015550100" }),
    venue("Near Without Phone"),
    venue("Far With Phone", { lat: 41.9, phone: "4015550101" }),
  );
  const member = await web.logIn();
  const page = await member.get(
    `/venues?query=phone&${AROUND}&categoryId=fa4e000000000000000000c1&radius=1000&phone=1`,
  );
  expect(asked()).toMatchObject({ categoryId: "fa4e000000000000000000c1", radius: "1000", limit: "50" });
  expect(page.body).toContain("1 match for “phone”");
  expect(page.body).toContain("Near With Phone");
  expect(page.body).toContain("Filters (3)");
  expect(page.body).toMatch(/<option value="1000" selected>/);
  expect(page.body, "the search of the map keeps them").toMatch(/data-search="[^"]*radius=1000[^"]*"/);
});

test.each(["radius=7", "radius=x", "phone=2", "radius=1000&radius=500"])(
  "a filter that the form does not offer (%s) is refused or ignored, never an error of the server",
  async (filter) => {
    const page = await (await web.logIn()).get(`/venues?query=coffee&${AROUND}&${filter}`);
    expect(page.status).toBeLessThan(500);
    expect(page.body).toContain('value="coffee"');
  },
);

test("a search around a point shows the town there, and sends the point as long as the town stays", async () => {
  const member = await web.logIn();
  const page = await member.get(`/venues?query=coffee&${AROUND}`);
  expect(page.body).toContain("1 match for “coffee” near Providence, RI");
  expect(page.body).toContain('id="ll" name="ll" maxlength="100"');
  const at = "41.82,-71.41 Providence, RI";
  expect(page.body).toContain(`name="at" value="${at}"`);
  const again = new URLSearchParams({ query: "tea", ll: "Providence, RI", at });
  await member.get(`/venues?${again}`);
  expect([asked()?.ll, asked()?.near]).toEqual(["41.82,-71.41", undefined]);
  again.set("ll", "Boston, MA");
  await member.get(`/venues?${again}`);
  expect([asked()?.ll, asked()?.near]).toEqual([undefined, "Boston, MA"]);
});

test("the last searches by a word are offered again, newest first and each once", async () => {
  const member = await web.logIn();
  for (const query of ["coffee", "books", "coffee"]) await member.get(`/venues?query=${query}&${AROUND}`);
  const { body } = await member.get("/venues");
  const [, recent = ""] = /aria-label="Recent searches">(.*?)<\/nav>/s.exec(body) ?? [];
  expect([...recent.matchAll(/<bdi>(.*?)<\/bdi>/g)].map(([, label]) => label)).toEqual([
    "coffee, Providence, RI",
    "books, Providence, RI",
  ]);
  const [, href = ""] = /href="([^"]*)"/.exec(recent) ?? [];
  await member.get(href.replaceAll("&amp;", "&"));
  expect(asked()).toMatchObject({ query: "coffee", ll: "41.82,-71.41" });
});

test("W04: a text searched for is offered again as text", async () => {
  finds(venue("Any"));
  const member = await web.logIn();
  await member.get(`/venues?query=${encodeURIComponent("<b title='x'>")}&${AROUND}`);
  expect((await member.get("/venues")).body).toContain("<bdi>&lt;b title=&#39;x&#39;&gt;, Providence, RI</bdi>");
});

test("suggestions are asked for from two letters on, around the place of the form", async () => {
  const member = await web.logIn();
  const suggestions = async (query: string) =>
    JSON.parse((await member.get(`/venues/suggest?query=${query}&${AROUND}`)).body).suggestions;
  expect(await suggestions("c")).toEqual([]);
  expect(asked()).toBeUndefined();
  expect(await suggestions("co")).toMatchObject([{ name: "Corner Coffee", line: "Café · Providence" }]);
  expect(asked()).toMatchObject({ query: "co", ll: "41.82,-71.41", limit: "6" });
  web.directory.behave(SEARCH, answersError(500, "server_error"));
  expect(await suggestions("co"), "a failure is no business of the person typing").toEqual([]);
});

test("C77: when few calls are left, or none, suggestions pause and the last calls stay for the search", async () => {
  const member = await web.logIn();
  const suggest = async (query: string) =>
    JSON.parse((await member.get(`/venues/suggest?query=${query}&${AROUND}`)).body);
  const left = (remaining: number) => {
    const headers = { "x-ratelimit-limit": "500", "x-ratelimit-remaining": String(remaining) };
    const response = { venues: [venue("Corner Coffee")] };
    web.directory.behave(SEARCH, answers(200, { meta: { code: 200 }, response }, headers));
  };
  left(51);
  expect(await suggest("co")).toMatchObject({ suggestions: [{ name: "Corner Coffee" }], pause: 0 });
  left(50);
  expect(await suggest("cof")).toMatchObject({ suggestions: [{ name: "Corner Coffee" }], pause: 600 });
  web.directory.requests.length = 0;
  expect((await suggest("coff")).suggestions).toEqual([]);
  expect(web.directory.calls(SEARCH)).toBe(0);
  expect((await member.get(`/venues?query=coffee&${AROUND}`)).body).toContain("Corner Coffee");
  expect(web.directory.calls(SEARCH)).toBe(1);

  web.directory.signIn("Somebody Else");
  const other = await web.logIn();
  web.directory.behave(SEARCH, rateLimits("40"));
  const refused = JSON.parse((await other.get(`/venues/suggest?query=co&${AROUND}`)).body);
  expect(refused).toEqual({ suggestions: [], pause: 40 });
});

test("guests get no suggestions", async () => {
  expect((await web.newBrowser().get("/venues/suggest?query=co")).status).toBe(303);
  expect(asked()).toBeUndefined();
});
