import { beforeEach, describe, expect, it } from "vitest";
import type { ListRole } from "../../../src/db/generated/enums.ts";
import { makeCandidate, makeHarmonization } from "../../harmonize/rows.ts";
import { snapshot } from "../../support/database/snapshot.ts";
import { formFields, type HttpClient } from "../../support/http-client.ts";
import { newAdmin, newMember } from "../../web/admin/browser.ts";
import { webWithRoutes } from "../web-with-routes.ts";

const { web, routes } = await webWithRoutes();
const { prisma, pool } = web.database;
const directory = web.config.api.url;

/** All routes of a harmonization, including later ones. */
const OF_ONE = routes.filter((route) => route.includes(" /harmonizations/:id"));
/** Forms with which somebody decides or adds; viewers open all other pages. */
const FORMS = /\/(add|family)$/;
/** Pages of owners. */
const SETTINGS = /\/webhook$/;
/** Actions of reviewers, with their forms. All others are reserved for owners, so is what a later route does unless it is named here. */
const REVIEWERS = /\/listings(\/:number|$)|:id\/undo$|\/listings\/undo$|POST .*\/(conflicts|repairs|repairs\/undo)$/;

/** The least role that may call a route. */
function leastOf(route: string): ListRole {
  if (route.startsWith("GET ") && !FORMS.test(route)) return SETTINGS.test(route) ? "owner" : "viewer";
  return REVIEWERS.test(route) ? "reviewer" : "owner";
}
const isOwners = (route: string) => route.startsWith("POST ") && leastOf(route) === "owner";

const REPAIR = {
  ...{ id: "0190a000-0000-7000-8000-000000000001", by: null, at: "2026-01-01T00:00:00.000Z" },
  repair: { kind: "set", field: "country", value: "US" },
};
const NOBODYS = "0190a000-0000-7000-8000-000000000000";
const rows = () => snapshot(pool, "app", ["session"]);

const [ann, bob, admin] = [await newMember(web, "Ann"), await newMember(web, "Bob"), await newAdmin(web)];
const ROLES = ["viewer", "reviewer", "owner"] as const satisfies ListRole[];

beforeEach(async () => {
  web.directory.reset();
  await prisma.harmonization.deleteMany();
});

function make(accountId: string | null, more: { isShared?: boolean } = {}) {
  const listings = [
    { name: "Sure Thing", candidates: [makeCandidate("v1", 0.99)], more: { isClear: true } },
    { name: "Perhaps", candidates: [makeCandidate("v2", 0.5, { name: 1 })] },
  ];
  const format = { encoding: "utf-8", separator: ",", hasHeader: true };
  return makeHarmonization(web.database, accountId, listings, { directory, format, repairs: [REPAIR], ...more });
}

const formTokens = new Map<HttpClient, string>();

/** The token of a session stays. */
async function formTokenOf(browser: HttpClient): Promise<string> {
  const token = formTokens.get(browser) ?? formFields(await browser.get("/settings"), "/logout")._csrf ?? "";
  formTokens.set(browser, token);
  return token;
}

async function send(browser: HttpClient, route: string, id: string, fields: Record<string, string> = {}) {
  const [method = "", path = ""] = route.split(" ");
  const address = path.replace(":id", id).replace(":number", "2");
  if (method === "GET") return browser.get(`${address}?shown=another`); // its events end with another stage
  return browser.post(address, { _csrf: await formTokenOf(browser), id: REPAIR.id, ...fields });
}

/** Returns the page without parts that vary per request. */
const saidBy = ({ status, body }: { status: number; body: string }) => ({
  status,
  text: body.replace(/[0-9a-f]{24}|value="[\w-]{30,}"/g, "…"),
});

it("W08: every route of a harmonization is covered by this test", () => {
  expect(OF_ONE.filter(isOwners).length).toBeGreaterThan(9);
  for (const known of ["GET /harmonizations/:id", "GET /harmonizations/:id/events", "GET /harmonizations/:id/export"])
    expect(OF_ONE).toContain(known);
  for (const route of routes) expect(route).toMatch(/^(GET|POST|OPTIONS) /);
});

const OTHERS = { "another member": bob.browser, "an admin": admin.browser };

describe("every route of a harmonization", () => {
  /** As if nobody had such a file, and all of them together change nothing. */
  async function expectNoneOf(refused: string[], browser: HttpClient, id: string) {
    const before = await rows();
    for (const route of refused) {
      const answer = await send(browser, route, id);
      expect([route, answer.status]).toEqual([route, 404]);
      expect(saidBy(answer), route).toEqual(saidBy(await send(browser, route, NOBODYS)));
    }
    expect([await rows(), callsAboutVenues()]).toEqual([before, []]);
  }
  const callsAboutVenues = () => web.directory.requests.filter(({ path }) => path.startsWith("/v2/venues/"));

  async function expectOpen(route: string, browser: HttpClient, id: string) {
    const { status, headers } = await send(browser, route, id);
    expect([route, status]).not.toEqual([route, expect.toBeOneOf([403, 404])]);
    expect([route, status]).toEqual([route, expect.toSatisfy((code: number) => code < 500)]);
    expect([route, headers.get("cache-control")]).toEqual([route, "no-store"]);
  }

  it.each(Object.entries(OTHERS))("W08: returns 404 to %s, and has no effect", async (_, browser) => {
    await expectNoneOf(OF_ONE, browser, (await make(ann.id)).id);
  });

  it("W08: sends a guest to the log-in or refuses, and has no effect", async () => {
    const { id } = await make(ann.id);
    const before = await rows();
    const guest = web.newBrowser();
    for (const route of OF_ONE) {
      const [method, path = ""] = route.split(" ");
      const address = path.replace(":id", id).replace(":number", "2");
      if (method === "GET") expect([route, (await guest.get(address)).location]).toEqual([route, LOG_IN]);
      else expect([route, (await guest.post(address, {})).status]).toEqual([route, expect.toBeOneOf([303, 403])]);
    }
    expect([await rows(), callsAboutVenues()]).toEqual([before, []]);
  });
  const LOG_IN = expect.stringMatching(/\/login\?next=/);

  /** The owner, and a person of the list with each role. */
  const PEOPLE = ["its owner", ...ROLES] as const;
  type Person = (typeof PEOPLE)[number];
  const may = (person: Person, route: string) =>
    person === "its owner" || ROLES.indexOf(person) >= ROLES.indexOf(leastOf(route));

  async function makeFor(person: Person) {
    const { id, listId } = await make(ann.id);
    if (person === "its owner") return { id, browser: ann.browser };
    await prisma.listPerson.create({ data: { listId, accountId: bob.id, role: person } });
    return { id, browser: bob.browser };
  }

  it.each(PEOPLE)("W08, W120: shows %s what the role may see, never cached, and no other page", async (person) => {
    const { id, browser } = await makeFor(person);
    const gets = OF_ONE.filter((route) => route.startsWith("GET "));
    for (const route of gets.filter((each) => may(person, each))) await expectOpen(route, browser, id);
    // Who only looks keeps nobody from deciding.
    if (person === "viewer") expect(await prisma.listing.count({ where: { lockedBy: bob.id } })).toBe(0);
  });

  it.each(ROLES)("W120: does nothing for a %s of the list that the role may not", async (role) => {
    const { id, browser } = await makeFor(role);
    await expectNoneOf(
      OF_ONE.filter((route) => !may(role, route)),
      browser,
      id,
    );
  });

  const POSTS = OF_ONE.filter((route) => !route.startsWith("GET "));
  const allowed = PEOPLE.flatMap((person) =>
    POSTS.filter((route) => may(person, route)).map((route) => [route, person] as const),
  );
  it.each(allowed)("W08, W120: %s acts for %s", async (route, person) => {
    const { id, browser } = await makeFor(person);
    await expectOpen(route, browser, id);
  });
});

it("W08: every member who can see a shared run may review it, but not act as its owner", async () => {
  const { id } = await make(ann.id, { isShared: true });
  const { browser } = bob;
  const before = await rows();
  for (const route of OF_ONE.filter(isOwners)) {
    const { status } = await send(browser, route, id, { shared: "", name: "Bob's", cut: "0.1", categoryId: "x" });
    expect([route, status]).toEqual([route, 404]);
  }
  expect(await rows()).toEqual(before);
  expect((await send(browser, "GET /harmonizations/:id", id)).status).toBe(200);
  expect((await send(browser, "GET /harmonizations/:id/review/:number", id)).status).toBe(200);
  const decided = await send(browser, "POST /harmonizations/:id/listings/:number", id, { decision: "rejected" });
  expect(decided.status).toBe(303);
});

it("W08: a shared run shows none of its owner's other files", async () => {
  const on = (venue: string, more: object = {}) => ({
    name: `Shop of ${venue}`,
    candidates: [makeCandidate(venue, 0.99)],
    more: { isClear: true, ...more },
  });
  const both = [on("v1"), on("v2")];
  const decided = { decision: "matched", venueId: "v4", venueName: "Secret Venue", decidedAt: new Date() };
  const file = (last: ReturnType<typeof on>, more: object) =>
    makeHarmonization(web.database, ann.id, [...both, last], { directory, ...more });
  const { id: previousId } = await file({ ...on("v4", decided), name: "Secret Shop" }, { name: "secret.csv" });
  const { id } = await file(on("v3"), { isShared: true, previousId });
  await prisma.list.updateMany({ data: { name: "Ours" } }); // its owners read it on the page of each file
  const pages = [`/harmonizations/${id}/conflicts`, `/harmonizations/${id}/review/3`, `/harmonizations/${id}`];
  const seenBy = async (browser: HttpClient) => {
    const bodies = await Promise.all(pages.map(async (page) => (await browser.get(page)).body));
    return bodies.map((body) => /secret/i.test(body));
  };
  expect(await seenBy(ann.browser)).toEqual([true, true, true]);
  expect(await seenBy(bob.browser)).toEqual([false, false, false]);
  await prisma.harmonization.update({ where: { id: previousId }, data: { isShared: true } });
  expect(await seenBy(bob.browser)).toEqual([true, true, true]);
  await prisma.harmonization.update({ where: { id: previousId }, data: { state: "uploading" } });
  expect(await seenBy(ann.browser), "one that is being deleted").toEqual([false, false, false]);
});

it("W08: a run of the command line is visible to admins, and a run at another directory to no user", async () => {
  const { id } = await make(null);
  expect((await bob.browser.get(`/harmonizations/${id}`)).status).toBe(404);
  expect((await admin.browser.get(`/harmonizations/${id}`)).status).toBe(200);
  const elsewhere = await make(admin.id, { isShared: true });
  await prisma.harmonization.update({ where: { id: elsewhere.id }, data: { directory: "https://other.example" } });
  expect((await admin.browser.get(`/harmonizations/${elsewhere.id}`)).status).toBe(404);
});
