import { beforeEach, expect, test } from "vitest";
import { makeCandidate, makeHarmonization } from "../../harmonize/rows.ts";
import { answers, answersError } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();

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

test("the page of a venue shows the listings of the member's own files that have it", async () => {
  directoryHas();
  const member = await web.logIn();
  const { id } = await makeFile(22);
  const { body } = await member.get("/venues/v1");
  expect(body).toContain("In your files");
  expect(body).toContain(`<a href="/harmonizations/${id}/review/1"><bdi>own-1 · Corner Cafe 0</bdi></a>`);
  expect(body).toContain("And 2 more.");
  web.directory.signIn("Bob");
  expect((await (await web.logIn()).get("/venues/v1")).body, "to nobody else").not.toContain("own-1");
});

test("the page of a venue shows others that look like it, and not the venue itself", async () => {
  directoryHas(other("v1", HERE.name, 0.99), other("v2", "Corner Cafe", 0.8), other("v3", "Harbor Books", 0.1));
  const { body } = await (await web.logIn()).get("/venues/v1");
  const [, alike = ""] = /id="alike">(.*?)<\/section>/s.exec(body) ?? [];
  expect([...alike.matchAll(/<h2><a href="([^"]*)"/g)].map(([, href]) => href)).toEqual(["/venues/v2"]);
  expect(alike).toContain("This venue</th>");
});

test.each([
  ["fails", answersError(500, "server_error")],
  ["gives no scores", answers(200, { meta: { code: 200 }, response: { venues: [{ id: "v2", name: "Any" }] } })],
])("the page of a venue is complete without look-alikes if their search %s", async (_, behaviour) => {
  directoryHas();
  web.directory.behave("/v2/venues/search", behaviour);
  const page = await (await web.logIn()).get("/venues/v1");
  expect([page.status, page.body.includes("Corner Café"), page.body.includes('id="alike"')]).toEqual([
    200,
    true,
    false,
  ]);
});
