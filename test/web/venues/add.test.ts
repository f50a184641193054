import { beforeEach, describe, expect, test } from "vitest";
import { answers, type Behaviour, cutsAfter } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const browser = await web.logIn();

beforeEach(() => web.directory.reset());

const CATEGORY = "fa4e000000000000000000c1";
const typed = (name: string) => ({ name, ll: "41.83,-71.41", primaryCategoryId: CATEGORY, city: "Providence" });
const adds = () => web.directory.requests.filter(({ path }) => path === "/v2/venues/add");
const keys = () => new Set(adds().map(({ headers }) => headers["idempotency-key"]));

/** Makes a started add older. */
const age = (seconds: number) =>
  web.database.pool.query(
    `UPDATE app.venue_add SET adding = adding || jsonb_build_object('since', now() - make_interval(secs => $1))
      WHERE adding IS NOT NULL`,
    [seconds],
  );

/** 409 until the key is sent back, as the interface's venues/add does. */
const findsDuplicates: Behaviour = (call) => {
  const isForced = adds().at(-1)?.params.ignoreDuplicatesKey === "0123456789abcdef0123456789abcdef";
  if (isForced) return answers(200, JSON.parse(call.usual().body))(call);
  const response = {
    candidateDuplicateVenues: [{ id: "d1", name: "Look Alike", location: { lat: 41.8, lng: -71.4, distance: 41 } }],
    ignoreDuplicatesKey: "0123456789abcdef0123456789abcdef",
  };
  answers(409, { meta: { code: 409, errorType: "other" }, response })(call);
};

describe("adding a venue", () => {
  test("without similar venues searches first, adds it once and shows it", async () => {
    const form = await browser.get("/venues/new?name=Quiet+Library&ll=41.83,-71.41");
    expect(form.body).toContain('value="Quiet Library"');
    const before = web.directory.requests.length;
    const reply = await browser.submit(form, "/venues", typed("Quiet Library"));
    expect(reply.status).toBe(303);
    expect(reply.headers.get("location")).toMatch(/^\/venues\/[0-9a-f]{24}$/);
    const [look, add, ...more] = web.directory.requests.slice(before);
    expect([look?.path, add?.path, more.length]).toEqual(["/v2/venues/search", "/v2/venues/add", 0]);
    expect(look?.params).toMatchObject({
      intent: "match",
      name: "Quiet Library",
      ll: "41.83,-71.41",
      city: "Providence",
    });
    const page = await browser.follow(reply);
    expect(page.body).toContain("Added.");
    expect(page.body).toContain("<h1><bdi>Quiet Library</bdi></h1>");
    expect((await browser.follow(reply)).body, "shown once").not.toContain("Added.");
  });

  test("with similar venues shows them, and adds only after a confirmation", async () => {
    const form = await browser.get("/venues/new");
    const page = await browser.submit(form, "/venues", typed("Corner Cafe"));
    expect([page.status, adds().length]).toEqual([200, 0]);
    expect(page.body).toContain("Is it one of these?");
    expect(page.body).toContain("Corner Coffee");
    const reply = await browser.submit(page, "/venues");
    expect(reply.status).toBe(303);
    expect(adds().map(({ params }) => [params.name, params.city])).toEqual([["Corner Cafe", "Providence"]]);
  });

  test("by a double click and a reload sends it to the directory once", async () => {
    const form = await browser.get("/venues/new");
    const page = await browser.submit(form, "/venues", typed("Corner Bakery"));
    const double = await Promise.all([browser.submit(page, "/venues"), browser.submit(page, "/venues")]);
    const replies = [...double, await browser.submit(page, "/venues")];
    expect(new Set(replies.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(303);
    expect(adds().length).toBe(1);
    expect([...keys()]).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  });

  test("from two forms, or from a form changed after going back, adds two venues", async () => {
    const form = await browser.get("/venues/new");
    await browser.submit(form, "/venues", typed("Yonder"));
    await browser.submit(form, "/venues", typed("Zephyr"));
    const page = await browser.submit(await browser.get("/venues/new"), "/venues", typed("Zephyr"));
    await browser.submit(page, "/venues");
    expect([adds().length, keys().size]).toEqual([3, 3]);
  });

  test("that the directory takes for a duplicate shows the duplicates, and adds anyway with its key", async () => {
    web.directory.behave("/v2/venues/add", findsDuplicates);
    const page = await browser.submit(await browser.get("/venues/new"), "/venues", typed("Unlike"));
    expect(page.status).toBe(409);
    expect(page.body).toContain("Look Alike");
    expect(page.body).toContain("41 m");
    const reply = await browser.submit(page, "/venues");
    expect(reply.status).toBe(303);
    expect(adds().at(-1)?.params.ignoreDuplicates).toBe("true");
    expect(keys().size, "one add, requested twice").toBe(1);
  });

  test("needs no second confirmation if the duplicates were shown before", async () => {
    web.directory.behave("/v2/venues/add", findsDuplicates);
    const form = await browser.get("/venues/new");
    const known = await browser.submit(form, "/venues", { ...typed("Qwyx Zorn"), seen: "other d1" });
    expect([known.status, adds().length]).toEqual([303, 2]);
    const unknown = await browser.submit(form, "/venues", { ...typed("Vunkel Prax"), seen: "other" });
    expect([unknown.status, adds().length]).toEqual([409, 3]);
  });

  test("F03: shows the form again if the response was lost; sending it again leads to the venue and adds no second one", async () => {
    web.directory.behave("/v2/venues/add", cutsAfter(0));
    const page = await browser.submit(await browser.get("/venues/new"), "/venues", typed("Lostnfound"));
    expect(page.status).toBe(503);
    expect(page.body).toContain("The venue may have been added.");
    expect(adds().length, "an add is never repeated automatically").toBe(1);
    web.directory.reset();
    await age(20);
    const again = await browser.submit(page, "/venues", { primaryCategoryId: CATEGORY });
    expect(again.status).toBe(303);
    expect((await browser.follow(again)).body).toContain("<h1><bdi>Lostnfound</bdi></h1>");
    expect(adds()).toEqual([]);
  });
});
