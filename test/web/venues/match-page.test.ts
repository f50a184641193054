import { beforeEach, describe, expect, test } from "vitest";
import { answers, answersError } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const browser = await web.logIn();

beforeEach(() => web.directory.reset());

const LISTING = {
  name: "Corner Cafe",
  ll: "41.8236,-71.4222",
  address: "12 Main Street",
  city: "Providence",
  phone: "+1 401 555 0100",
};
const AS_NEW =
  "/venues/new?name=Corner+Cafe&amp;address=12+Main+Street&amp;city=Providence&amp;phone=%2B1+401+555+0100";

const venue = (id: string, name: string, more: object = {}) => ({
  ...{ id, name, contact: { phone: "4015550100" }, categories: [] },
  location: { lat: 41.824, lng: -71.4222, distance: 41, address: "12 Main St" },
  ...more,
});
const EVIDENCE = [
  { comparison: "zip", weight: 0.2, text: "same postal code" },
  { comparison: "phone", weight: 3, text: "same phone" },
  { comparison: "otherNumber", weight: -1.6, text: "different numbers in the names" },
];
const BEST = venue("a1", "Corner Café Bar", { score: 0.976, evidence: EVIDENCE });

const finds = (venues: object[], more: object = {}) =>
  web.directory.behave("/v2/venues/search", answers(200, { meta: { code: 200 }, response: { venues, ...more } }));
const open = (more: object = {}) =>
  browser.get(`/venues?${new URLSearchParams({ intent: "match", ...LISTING, ...more })}`);
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .replaceAll("&amp;", "&");
const search = () => web.directory.requests.findLast(({ path }) => path === "/v2/venues/search")?.params;

describe("matching a listing", () => {
  test("starts with an empty form, without a call to the directory", async () => {
    for (const address of ["/venues?intent=match", "/venues?intent=match&name=&ll=&phone="]) {
      const page = await browser.get(address);
      expect(page.status).toBe(200);
      expect(page.body).toContain("Which venue is it?");
    }
    expect(web.directory.requests).toEqual([]);
  });

  test("without a position, looks in the town of the address, or for one in the street; without that, asks for a position", async () => {
    finds([BEST]);
    const page = await open({ ll: "", city: "Providence", state: "RI" });
    expect([page.status, search()?.near, search()?.ll]).toEqual([200, "Providence, RI", undefined]);
    expect((await open({ ll: "", city: "", zip: "02903" })).status).toBe(200);
    expect(search()?.near).toBe("02903");
    expect((await open({ ll: "", city: "" })).status).toBe(200);
    expect(search()?.near).toBe(LISTING.address);
    const nowhere = await open({ ll: "", city: "", address: "" });
    expect(nowhere.status).toBe(400);
    expect(nowhere.body).toContain("Write the place as a name, such as Providence, RI");
  });

  test("C73: names the sources of the venues once each, as text", async () => {
    const source = { attribution: "© <Somebody>" };
    finds([venue("a1", "Corner Café Bar", { source }), venue("a2", "Corner Bar", { source }), BEST]);
    expect((await open()).body.split("© &lt;Somebody&gt;")).toHaveLength(2);
  });

  test("says that the position is the directory's by the address, and shows it on the map", async () => {
    finds([BEST], { confident: true, position: { lat: 41.5, lng: -71.25, estimated: true } });
    const { body } = await open({ ll: "Providence, RI" });
    const said = "The directory estimated one between house numbers on the street: 41.50000, -71.25000.";
    expect(body).toContain(`The listing has no position. ${said}`);
    expect(body).toContain("41.50000, -71.25000 from the address");
    expect(body).not.toContain("Only the area is known");
    expect(body).toContain("The ring marks your listing.");
  });

  test("asks for the match with the parameters of the address, and keeps the input", async () => {
    finds([BEST]);
    const page = await open();
    expect(search()).toMatchObject({ ...LISTING, intent: "match", minScore: "0.05", limit: "50" });
    for (const typed of Object.values(LISTING)) expect(page.body).toContain(`value="${typed}"`);
    expect(page.body).toContain("Address, phone and Twitter name (3 given)");
  });

  test("says 'the same spot' only if the directory is confident", async () => {
    finds([BEST], { confident: true });
    expect(textOf((await open()).body)).toMatch(
      /This is the same place: +Corner Café Bar +Same phone and same postal code, though different numbers in the names\./,
    );
    finds([BEST], { confident: false });
    const text = textOf((await open()).body);
    expect(text).toMatch(
      /Probably the same place: +Corner Café Bar +Same phone and same postal code, though different numbers in the names\. Check the differences/,
    );
    expect(text).not.toContain("This is the same spot");
    finds([
      {
        ...BEST,
        evidence: [
          { comparison: "name", weight: 3, text: "same name" },
          { ...EVIDENCE[2], weight: -0.3 },
        ],
      },
    ]);
    expect(textOf((await open()).body), "weak reasons are not in the verdict").toContain("Same name. Check");
  });

  test("is never certain with a place by name, and says that the position is missing", async () => {
    const geocode = {
      what: "",
      where: "pvd",
      feature: { displayName: "Providence, RI", geometry: { center: { lat: 41.82, lng: -71.41 } } },
    };
    finds([BEST], { confident: true, geocode });
    const { body } = await open({ ll: "pvd" });
    expect(search()).toMatchObject({ near: "pvd", intent: "match" });
    expect(search()?.ll).toBeUndefined();
    expect(textOf(body)).toContain("Probably the same place:");
    expect(textOf(body)).toContain("Only the area is known: pvd.");
    expect(body, "a town is not a position for a new venue").toContain(`href="${AS_NEW}"`);
    finds([]);
    expect((await open({ ll: "pvd" })).body).toContain(
      'href="/venues?query=Corner+Cafe&amp;ll=pvd">Search by name</a>',
    );
  });

  test("shows listing and venue side by side, with differences marked, also for screen readers", async () => {
    finds([BEST]);
    const { body } = await open();
    const mark = (text: string) => `<mark>${text}<span class="visually-hidden"> (differs)</span></mark>`;
    expect(body).toContain(`<td data-side="Venue">Corner Café ${mark("Bar")}</td>`);
    expect(body).toContain(`<td data-side="Row">12 Main Street</td>`);
    expect(body).toContain('<th scope="row">Address <span class="result">same</span></th>');
    expect(body).toContain('<th scope="row">Phone <span class="result">same</span></th>');
    expect(body).toContain('<th scope="row">Position <span class="result">41 m apart</span></th>');
    expect(textOf(body)).toContain("Very likely · 98 % sure");
  });

  test("explains the ring on the map, if there is one", async () => {
    finds([BEST]);
    expect(textOf((await open()).body)).toContain("The ring marks your listing.");
    expect((await open({ ll: "pvd" })).body).not.toContain("The ring");
  });

  test("shows the reasons for and against by weight, and marks weak ones", async () => {
    finds([BEST]);
    const chips = [...(await open()).body.matchAll(/<li class="chip ([^"]*)">.*?<\/li>/gs)];
    expect(chips.map(([chip = "", look]) => [look, textOf(chip).trim()])).toEqual([
      ["chip-success", "For: same phone"],
      ["chip-danger", "Against: different numbers in the names"],
      ["chip-success is-weak", "For: same postal code"],
    ]);
  });

  test("without a likely match says so, shows similar venues, and offers to add the listing with its values", async () => {
    finds([{ ...BEST, score: 0.31 }]);
    const { body } = await open();
    expect(textOf(body)).toMatch(/No venue matches +The most similar venues are below/);
    expect(textOf(body)).toContain("Possible · 31 % sure");
    const [, href = ""] = /href="(\/venues\/new\?[^"]*)">Add it as new/.exec(body) ?? [];
    const form = await browser.get(href.replaceAll("&amp;", "&"));
    for (const typed of Object.values(LISTING)) expect(form.body).toContain(`value="${typed}"`);
  });

  test("shows all candidates on request, and offers that only before", async () => {
    finds([]);
    const { body } = await open();
    expect(textOf(body)).toMatch(/No venue matches +The directory has no similar venue near there/);
    const [, href = ""] = /href="([^"]*)">Show all candidates/.exec(body) ?? [];
    finds([{ ...BEST, score: 0.004 }]);
    const all = await browser.get(href.replaceAll("&amp;", "&"));
    expect(search()).toMatchObject({ ...LISTING, minScore: "0" });
    expect(textOf(all.body)).toContain("Unlikely · under 1 % sure");
    expect(all.body).not.toContain("Show all candidates");
  });

  test("shows the listing on the map, apart from the venues", async () => {
    finds([BEST, venue("a2", "Corner", { location: {} }), venue("a3", "Cafe")]);
    const { body } = await open();
    const points = [...body.matchAll(/<li><a([^>]*)>([^<]*)<\/a> <span class="coords">/g)];
    expect(
      points.map(([, attributes = "", name]) => [name, /data-(?:label="\d"|listing)/.exec(attributes)?.[0]]),
    ).toEqual([
      ["Corner Café Bar", 'data-label="1"'],
      ["Cafe", 'data-label="2"'],
      ["Your listing", "data-listing"],
    ]);
    expect([...body.matchAll(/<li class="match-card"([^>]*)>/g)].map(([, more]) => more)).toEqual([
      ' data-point="1"',
      "",
      ' data-point="2"',
    ]);
  });
});

describe("a directory that sends no scores", () => {
  test("is not called sure, and the reasons come from the fields", async () => {
    finds([venue("f1", "Corner Cafe")], { confident: true });
    const text = textOf((await open()).body);
    expect(text).toMatch(/Possibly the same place: +Corner Cafe +This directory gives no scores/);
    expect(text).toMatch(/For: same name +For: same phone +For: same address +Side by side/);
    expect(text).not.toContain("% sure");
    finds([venue("f1", "Corner Cafe"), venue("f2", "Corner Kiosk")]);
    expect(textOf((await open()).body)).toContain("One of these may be the same place");
  });

  test("and only the names of venues still gets a page", async () => {
    finds([{ id: "f1", name: "" }]);
    const page = await open();
    expect([page.status, page.body.includes("Venue without a name")]).toEqual([200, true]);
    expect(page.body).toContain('<td data-side="Venue"><span class="muted">not given</span></td>');
  });
});

test("a phone that cannot be read is not compared, and the page says so", async () => {
  finds([]);
  for (const [phone, sent] of [
    ["call us", undefined],
    ["0571–82360875；15355037795", "0571–82360875；15355037795"],
  ]) {
    const page = await open({ phone });
    expect(page.status).toBe(200);
    expect(search()?.phone).toBe(sent);
    expect(textOf(page.body).includes("The phone is not a readable number")).toBe(sent === undefined);
  }
});

describe("matching that fails", () => {
  test.each([
    [{ name: "" }, "Enter the name from your list."],
    [{ ll: "", city: "", address: "" }, "Write the place as a name"],
    [{ ll: "91,0" }, "Latitude ranges from −90 to 90"],
    [{ zip: "~" }, "Postal code: use letters"],
    [{ city: "x".repeat(101) }, "Use at most 100 characters."],
    [{ minScore: "2" }, "minScore must be a number from 0 to 1"],
  ])("because of %j says what to enter instead, and keeps the other input", async (wrong, message) => {
    const page = await open(wrong);
    expect([page.status, web.directory.requests.length]).toEqual([400, 0]);
    expect(textOf(page.body)).toContain(message);
    if (!("address" in wrong)) expect(page.body).toContain(`value="${LISTING.address}"`);
    if (!("minScore" in wrong))
      expect(page.body, "the field is visible").toMatch(/<details class="searchbar-more" open>/);
  });

  test.each([
    [answersError(500, "server_error"), 503, "The directory does not answer."],
    [answersError(429, "rate_limit_exceeded"), 503, "Too many requests."],
    [answersError(400, "param_error"), 400, "The directory did not accept this."],
  ])("because of the directory says why and keeps the input", async (behaviour, status, heading) => {
    web.directory.behave("/v2/venues/search", behaviour);
    const page = await open();
    expect([page.status, page.body.includes(heading)]).toEqual([status, true]);
    for (const typed of Object.values(LISTING)) expect(page.body).toContain(`value="${typed}"`);
    expect(page.body).not.toContain("Which venue is it?");
  });

  test("because the directory does not know the place says so at its field", async () => {
    web.directory.behave("/v2/venues/search", answersError(400, "failed_geocode"));
    const page = await open({ ll: "Nowhereville" });
    expect([page.status, page.body.includes("The directory does not know this place.")]).toEqual([400, true]);
  });

  test("because the token is missing returns to the same listing after connecting again", async () => {
    const member = await web.logIn();
    web.directory.behave("/v2/*", answersError(401, "invalid_auth"));
    const path = `/venues?${new URLSearchParams({ intent: "match", ...LISTING })}`;
    expect((await member.get(path)).body).toContain(`href="/login?next=${encodeURIComponent(path)}"`);
  });
});

test("before a venue is added, each similar venue has its reasons, and the differences are marked", async () => {
  const evidence = [{ comparison: "name", weight: 1.2, text: "name differs by Cafe / Bakery" }];
  finds([venue("a1", "Corner Bakery", { score: 0.44, evidence })]);
  const typed = { ...LISTING, primaryCategoryId: "fa4e000000000000000000c1" };
  const member = await web.logIn();
  const { body } = await member.submit(await member.get("/venues/new"), "/venues", typed);
  expect(textOf(body)).toContain("Is it one of these?");
  expect(textOf(body)).toContain("For: name differs by Cafe / Bakery");
  expect(textOf(body)).toContain("Corner Bakery (differs)");
  expect(body).toContain(`data-listing>The position you entered</a>`);
});
